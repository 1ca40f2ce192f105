import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CHECK, DecidedCopies, type CopyOutcome } from './decided-copies.js';

/** Closes a suspicion without a decision, because the suspected recording was removed, replaced or taken down. */
export class LapseSuspicion extends Command<CopyOutcome> {
  constructor(readonly copyId: string) {
    super();
  }
}

@CommandHandler(LapseSuspicion)
export class LapseSuspicionHandler implements ICommandHandler<LapseSuspicion> {
  constructor(private readonly copies: DecidedCopies) {}

  execute({ copyId }: LapseSuspicion): Promise<CopyOutcome> {
    return this.copies.decide(copyId, { type: 'LapseSuspicion' }, CHECK);
  }
}
