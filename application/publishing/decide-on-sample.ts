import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { packDecider } from '../../domain/publishing/pack.js';
import type { StatusCause, SampleStatusCommand } from '../../domain/publishing/sample-status.js';
import { reject, type Outcome } from '../../domain/shared/decision.js';
import type { Remark } from '../../domain/shared/remark.js';
import { Remarks } from '../shared/remarks.js';
import { Packs, type PackRefusal, type WithoutActor } from './packs.js';
import { SamplePlaceQueries } from './queries.js';

export type SampleStatusOutcome = Outcome<{ remark?: Remark }, PackRefusal>;

/** A decision about one recording of a sample, by staff or an automatic check, never by its creator. */
export class DecideOnSample extends Command<SampleStatusOutcome> {
  /** @param reason shown to the creator, stored outside the log */
  constructor(
    readonly decision: WithoutActor<SampleStatusCommand>,
    readonly by: string,
    readonly reason?: string,
  ) {
    super();
  }
}

/** A recording of a sample, by the hash of its file. Without a hash: the sample's current recording. */
export interface Recording {
  sampleId: string;
  sha256?: string;
}

/** Takes a recording off sale until an administrator decides. */
export class HoldSample extends DecideOnSample {
  constructor(recording: Recording, because: StatusCause, by: string, reason?: string) {
    super({ type: 'HoldSample', ...recording, because }, by, reason);
  }
}

/** Takes a recording off sale. Licences of its buyers stay valid. */
export class RefuseSample extends DecideOnSample {
  constructor(recording: Recording, because: StatusCause, by: string, reason: string) {
    super({ type: 'RefuseSample', ...recording, because }, by, reason);
  }
}

/** Ends a claim against a sample. @param allowed lets it be sold even if another creator published it first */
export class ReleaseSample extends DecideOnSample {
  constructor(sampleId: string, because: StatusCause, by: string, { allowed = false } = {}) {
    super({ type: 'ReleaseSample', sampleId, because, allowed }, by);
  }
}

@CommandHandler(DecideOnSample)
export class DecideOnSampleHandler implements ICommandHandler<DecideOnSample> {
  constructor(
    private readonly packs: Packs,
    private readonly places: SamplePlaceQueries,
    private readonly remarks: Remarks,
  ) {}

  async execute({ decision, by, reason }: DecideOnSample): Promise<SampleStatusOutcome> {
    const place = await this.places.placeOf(decision.sampleId);
    if (!place) return reject({ code: 'NotFound' });
    const { packId, creatorId } = place;
    const about = { stream: packDecider.streamOf(packId), about: [creatorId] };
    const remark = reason === undefined ? undefined : await this.remarks.keep(reason, about);
    const said = remark ? { remark } : {};
    const outcome = await this.packs.decide({ userId: by, packId }, { ...decision, ...said });
    return outcome.accepted ? { accepted: true, ...said } : outcome;
  }
}
