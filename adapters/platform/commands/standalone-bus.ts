import { NestFactory } from '@nestjs/core';
import { CommandBus, CqrsModule, type ICommandHandler } from '@nestjs/cqrs';

class StandaloneBus {}

/** A bus with these handlers alone, for whoever works beside the product: the command line, the demo, tests. */
export async function standaloneBus(handlers: readonly ICommandHandler[]): Promise<CommandBus> {
  const context = await NestFactory.createApplicationContext(
    {
      module: StandaloneBus,
      imports: [CqrsModule],
      providers: handlers.map((handler) => ({
        provide: handler.constructor,
        useFactory: () => handler,
        inject: [],
      })),
    },
    { logger: false },
  );
  return context.get(CommandBus);
}
