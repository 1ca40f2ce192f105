import { Command, CommandHandler, type ICommandHandler, CommandBus } from '@nestjs/cqrs';
import { DecidedCopies, type CopyOutcome } from './decided-copies.js';
import { copyIdOf, type CopyDecision } from '../../../domain/publishing/suspicion.js';
import { reject } from '../../../domain/shared/decision.js';
import { RecordingQueries } from './queries.js';
import { SuspectCopy, type SuspectedPair } from './suspect-copy.js';

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

/** Records why a creator may sell a recording that another creator published first. */
export class ClaimRecording extends Command<CopyOutcome> {
  constructor(
    readonly sampleId: string,
    readonly by: string,
    readonly statement: Statement,
  ) {
    super();
  }
}

@CommandHandler(ClaimRecording)
export class ClaimRecordingHandler implements ICommandHandler<ClaimRecording> {
  constructor(
    private readonly recordings: RecordingQueries,
    private readonly commands: CommandBus,
  ) {}

  async execute({ sampleId, by, statement }: ClaimRecording): Promise<CopyOutcome> {
    const own = await this.recordings.ofSample(by, sampleId);
    const like = own && (await this.recordings.publishedFirst(own));
    if (!own || !like) return reject({ code: 'NotFound' });
    const toMs = own.durationMs;
    const pair: SuspectedPair = {
      sound: own,
      like,
      by: 'hash',
      tier: 'held',
      score: 100,
      frames: { agree: 0, of: 0 },
      stretch: { fromMs: 0, toMs, likeFromMs: 0, likeToMs: toMs },
      offsetMs: 0,
      speed: 1,
      pitchCents: 0,
    };
    await this.commands.execute(new SuspectCopy(pair));
    return this.commands.execute(new ShowLicence(copyIdOf(own), by, statement));
  }
}

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
