import type { CommandBus, ICommandHandler } from '@nestjs/cqrs';

/** A bus that leads to one handler, where thousands of runs need one each. */
export const busTo = (handler: ICommandHandler): CommandBus =>
  ({ execute: (command: object) => handler.execute(command) }) as unknown as CommandBus;
