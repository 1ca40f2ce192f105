import { CommandBus, type ICommandHandler } from '@nestjs/cqrs';

type HandlerMaker = (bus: CommandBus) => ICommandHandler;

/**
 * Returns Nest's bus with handlers created by hand, because thousands of runs need a bus. A function among
 * them gets the bus, to send commands.
 */
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
