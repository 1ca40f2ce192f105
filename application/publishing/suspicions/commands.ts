import { Command } from '@nestjs/cqrs';
import type { StatusCause } from '../../../domain/publishing/sample-status.js';
import type { CopyDecision, CopyRejection, CopyStatus } from '../../../domain/publishing/suspicion.js';
import type { SuspectedPair } from './suspicions.js';

export type CopyOutcome =
  | { accepted: true; id: string; status: CopyStatus }
  | { accepted: false; rejection: CopyRejection };

/** Records a suspected copy, and takes it off sale if the match is close enough. */
export class SuspectCopy extends Command<void> {
  constructor(readonly pair: SuspectedPair) {
    super();
  }
}

/** A creator's statement why they may sell a recording. */
export interface Statement {
  kind: 'licence' | 'own work';
  text: string;
}

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

/** Records an administrator's decision and carries it out at once. */
export class DecideOnCopy extends Command<CopyOutcome> {
  constructor(
    readonly copyId: string,
    readonly by: string,
    readonly decided: { decision: CopyDecision; reason?: string | undefined; andOthers?: boolean },
  ) {
    super();
  }
}

/**
 * Swaps the sides of a suspicion, because the supposed original is the later one. The original becomes suspected; this
 * recording is released.
 */
export class SwapSides extends Command<CopyOutcome> {
  constructor(
    readonly copyId: string,
    readonly by: string,
    readonly reason: string,
  ) {
    super();
  }
}

/** Lapses a suspicion whose recording is gone. */
export class LapseSuspicion extends Command<CopyOutcome> {
  constructor(readonly copyId: string) {
    super();
  }
}

/** Records a strike because a recording belonged to another creator, once per reason. */
export class RecordStrike extends Command<void> {
  constructor(
    readonly userId: string,
    readonly because: StatusCause,
    readonly by: string,
  ) {
    super();
  }
}

/** Lifts a strike, because the recording was the creator's own after all. */
export class LiftStrike extends Command<void> {
  constructor(
    readonly userId: string,
    readonly because: StatusCause,
    readonly by: string,
  ) {
    super();
  }
}
