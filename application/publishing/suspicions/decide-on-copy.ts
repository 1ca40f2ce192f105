import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CopyDecision } from '../../../domain/publishing/suspicion.js';
import { reject } from '../../../domain/shared/decision.js';
import { DecidedCopies, type CopyOutcome } from './decided-copies.js';

export class DecideOnCopy extends Command<CopyOutcome> {
  constructor(
    readonly copyId: string,
    readonly by: string,
    readonly decided: { decision: CopyDecision; reason?: string | undefined; andOthers?: boolean },
  ) {
    super();
  }
}

@CommandHandler(DecideOnCopy)
export class DecideOnCopyHandler implements ICommandHandler<DecideOnCopy> {
  constructor(private readonly copies: DecidedCopies) {}

  async execute({
    copyId,
    by,
    decided: { decision, reason, andOthers = false },
  }: DecideOnCopy): Promise<CopyOutcome> {
    const suspected = await this.copies.load(copyId);
    if (suspected.status === 'none') return reject({ code: 'NotFound' });
    const about = [suspected.creatorId, ...suspected.likes.map(({ creatorId }) => creatorId)];
    const said =
      reason === undefined ? {} : { remark: await this.copies.keep(reason, copyId, [...new Set(about)]) };
    return this.copies.decide(copyId, { type: 'DecideOnCopy', decision, by, andOthers, ...said }, by);
  }
}
