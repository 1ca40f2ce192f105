import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { packDecider } from '../../domain/publishing/pack.js';
import type { Because, StandingCommand } from '../../domain/publishing/sample-standing.js';
import type { Remark } from '../../domain/shared/remark.js';
import { Remarks } from '../shared/remarks.js';
import { Packs, type PackOutcome, type Unsigned } from './packs.js';
import { SamplePlaceQueries } from './queries.js';

type Decision = Unsigned<StandingCommand>;

export type StandingOutcome =
  | (Extract<PackOutcome, { accepted: true }> & { remark?: Remark })
  | Extract<PackOutcome, { accepted: false }>;

/** Decides about single samples, by somebody other than their creator. */
@Injectable()
export class SampleStandings {
  constructor(
    private readonly packs: Packs,
    private readonly places: SamplePlaceQueries,
    private readonly remarks: Remarks,
  ) {}

  /** @param reason what the creator reads; it is kept beside the log */
  async decide(decision: Decision, by: string, reason?: string): Promise<StandingOutcome> {
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
export abstract class DecideOnStanding extends Command<StandingOutcome> {
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
export class HoldSample extends DecideOnStanding {
  constructor(recording: Recording, because: Because, by: string, reason?: string) {
    super({ type: 'HoldSample', ...recording, because }, by, reason);
  }
}

/** Not on sale; licences stand. */
export class RefuseSample extends DecideOnStanding {
  constructor(recording: Recording, because: Because, by: string, reason: string) {
    super({ type: 'RefuseSample', ...recording, because }, by, reason);
  }
}

/** Ends what stands against a sample for this reason. @param allowed though another creator published the same */
export class ReleaseSample extends DecideOnStanding {
  constructor(sampleId: string, because: Because, by: string, { allowed = false } = {}) {
    super({ type: 'ReleaseSample', sampleId, because, allowed }, by);
  }
}

@CommandHandler(DecideOnStanding)
export class DecideOnStandingHandler implements ICommandHandler<DecideOnStanding> {
  constructor(private readonly standings: SampleStandings) {}

  execute({ decision, by, reason }: DecideOnStanding): Promise<StandingOutcome> {
    return this.standings.decide(decision, by, reason);
  }
}
