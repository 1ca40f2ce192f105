import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { copyIdOf } from '../../../domain/publishing/suspicion.js';
import { reject } from '../../../domain/shared/decision.js';
import { ShowLicence, type Statement } from './answer-suspicion.js';
import type { CopyOutcome } from './decided-copies.js';
import { RecordingQueries } from './queries.js';
import { SuspectCopy, type SuspectedPair } from './suspect-copy.js';

/** Claims a recording that another creator published first, with a statement. */
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
