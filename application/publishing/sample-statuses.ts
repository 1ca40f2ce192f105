import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { packDecider } from '../../domain/publishing/pack.js';
import type { Because, SampleStatusCommand } from '../../domain/publishing/sample-status.js';
import type { Remark } from '../../domain/shared/remark.js';
import { Remarks } from '../shared/remarks.js';
import { Packs, type PackOutcome, type Unsigned } from './packs.js';
import { SamplePlaceQueries } from './queries.js';

type Decision = Unsigned<SampleStatusCommand>;

export type SampleStatusOutcome =
  | (Extract<PackOutcome, { accepted: true }> & { remark?: Remark })
  | Extract<PackOutcome, { accepted: false }>;

/** Decides about single samples, by somebody other than their creator. */
@Injectable()
export class SampleStatuses {
  constructor(
    private readonly packs: Packs,
    private readonly places: SamplePlaceQueries,
    private readonly remarks: Remarks,
  ) {}

  /** @param reason what the creator reads; it is kept beside the log */
  async decide(decision: Decision, by: string, reason?: string): Promise<SampleStatusOutcome> {
    const place = await this.places.placeOf(decision.sampleId);
    if (!place) return { accepted: false, rejection: { code: 'NotFound' } };
    const { packId, creatorId } = place;
    const about = { stream: packDecider.streamOf(packId), about: [creatorId] };
    const remark = reason === undefined ? undefined : await this.remarks.keep(reason, about);
    const said = remark ? { remark } : {};
    const outcome = await this.packs.decide({ userId: by, packId }, { ...decision, ...said });
    return outcome.accepted ? { ...outcome, ...said } : outcome;
  }
}

/** A decision that withholds one recording of a sample, or no longer does. */
export abstract class DecideOnSample extends Command<SampleStatusOutcome> {
  constructor(
    readonly decision: Decision,
    readonly by: string,
    readonly reason?: string,
  ) {
    super();
  }
}

/** Which recording is meant, by the hash of its original; absent: the present one. */
export interface Recording {
  sampleId: string;
  sha256?: string;
}

/** Not on sale until somebody has decided. */
export class HoldSample extends DecideOnSample {
  constructor(recording: Recording, because: Because, by: string, reason?: string) {
    super({ type: 'HoldSample', ...recording, because }, by, reason);
  }
}

/** Not on sale; licences stand. */
export class RefuseSample extends DecideOnSample {
  constructor(recording: Recording, because: Because, by: string, reason: string) {
    super({ type: 'RefuseSample', ...recording, because }, by, reason);
  }
}

/** Ends what stands against a sample for this reason. @param allowed though another creator published the same */
export class ReleaseSample extends DecideOnSample {
  constructor(sampleId: string, because: Because, by: string, { allowed = false } = {}) {
    super({ type: 'ReleaseSample', sampleId, because, allowed }, by);
  }
}

@CommandHandler(DecideOnSample)
export class DecideOnSampleHandler implements ICommandHandler<DecideOnSample> {
  constructor(private readonly statuses: SampleStatuses) {}

  execute({ decision, by, reason }: DecideOnSample): Promise<SampleStatusOutcome> {
    return this.statuses.decide(decision, by, reason);
  }
}
