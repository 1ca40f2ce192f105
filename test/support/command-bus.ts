import { CommandBus, type ICommandHandler } from '@nestjs/cqrs';

type HandlerMaker = (bus: CommandBus) => ICommandHandler;

/** Nest's bus on handlers made by hand, where thousands of runs need some each. One that sends commands is made of it. */
export function busTo(...handlers: (ICommandHandler | HandlerMaker)[]): CommandBus {
  const bus = new CommandBus(undefined as never);
  const made = handlers.map((handler) => (typeof handler === 'function' ? handler(bus) : handler));
  bus.register(
    made.map(
      (instance) =>
        ({ instance, metatype: instance.constructor, isDependencyTreeStatic: () => true }) as never,
    ),
  );
  return bus;
}
