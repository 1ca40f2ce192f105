import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DecidedCopies, type CopyOutcome } from './decided-copies.js';

export interface Statement {
  kind: 'licence' | 'own work';
  text: string;
}

/** Records the statement of the creator whose recording may be a copy. */
export class ShowLicence extends Command<CopyOutcome> {
  constructor(
    readonly copyId: string,
    readonly by: string,
    readonly statement: Statement,
  ) {
    super();
  }
}

/** Records the answer of the creator whose recording may have been copied. */
export class AnswerSuspicion extends Command<CopyOutcome> {
  constructor(
    readonly copyId: string,
    readonly by: string,
    readonly text: string,
  ) {
    super();
  }
}

@CommandHandler(ShowLicence)
export class ShowLicenceHandler implements ICommandHandler<ShowLicence> {
  constructor(private readonly copies: DecidedCopies) {}

  async execute({ copyId, by, statement: { kind, text } }: ShowLicence): Promise<CopyOutcome> {
    const remark = await this.copies.keep(text, copyId, [by]);
    return this.copies.decide(copyId, { type: 'ShowLicence', by, kind, remark }, by);
  }
}

@CommandHandler(AnswerSuspicion)
export class AnswerSuspicionHandler implements ICommandHandler<AnswerSuspicion> {
  constructor(private readonly copies: DecidedCopies) {}

  async execute({ copyId, by, text }: AnswerSuspicion): Promise<CopyOutcome> {
    const suspected = await this.copies.load(copyId);
    const about = suspected.status === 'none' ? [by] : [by, suspected.creatorId];
    const remark = await this.copies.keep(text, copyId, about);
    return this.copies.decide(copyId, { type: 'AnswerSuspicion', by, remark }, by);
  }
}
