import { Command } from '@nestjs/cqrs';
import type { Because } from '../../../domain/publishing/sample-status.js';
import type { CopyDecision, CopyRejection, CopyStatus } from '../../../domain/publishing/suspicion.js';
import type { SuspectedPair } from './suspicions.js';

export type CopyOutcome =
  | { accepted: true; id: string; status: CopyStatus }
  | { accepted: false; rejection: CopyRejection };

/** Records that one recording may be a copy of another, and takes it off sale where it is that alike. */
export class SuspectCopy extends Command<void> {
  constructor(readonly pair: SuspectedPair) {
    super();
  }
}

/** Why a recording is its creator's to sell. */
export interface Statement {
  kind: 'licence' | 'own work';
  text: string;
}

/** A creator says that a recording that another one published first is theirs to sell, too. */
export class ClaimRecording extends Command<CopyOutcome> {
  constructor(
    readonly sampleId: string,
    readonly by: string,
    readonly statement: Statement,
  ) {
    super();
  }
}

/** The creator of what may be a copy says why it is theirs to sell. */
export class ShowLicence extends Command<CopyOutcome> {
  constructor(
    readonly copyId: string,
    readonly by: string,
    readonly statement: Statement,
  ) {
    super();
  }
}

/** The creator of what may have been copied says what they know. */
export class AnswerSuspicion extends Command<CopyOutcome> {
  constructor(
    readonly copyId: string,
    readonly by: string,
    readonly text: string,
  ) {
    super();
  }
}

/** An administrator decides; what follows is done at once. */
export class DecideOnCopy extends Command<CopyOutcome> {
  constructor(
    readonly copyId: string,
    readonly by: string,
    readonly decided: { decision: CopyDecision; reason?: string | undefined; andOthers?: boolean },
  ) {
    super();
  }
}

/** An administrator says that the original is the later one: that is suspected instead, and this one is not. */
export class SwapSides extends Command<CopyOutcome> {
  constructor(
    readonly copyId: string,
    readonly by: string,
    readonly reason: string,
  ) {
    super();
  }
}

/** Nobody has to decide any more: the recording is gone. */
export class LapseSuspicion extends Command<CopyOutcome> {
  constructor(readonly copyId: string) {
    super();
  }
}

/** Something of a creator was taken down because it was another's; once for each reason. */
export class RecordStrike extends Command<void> {
  constructor(
    readonly userId: string,
    readonly because: Because,
    readonly by: string,
  ) {
    super();
  }
}

/** What was taken down was the creator's own after all. */
export class LiftStrike extends Command<void> {
  constructor(
    readonly userId: string,
    readonly because: Because,
    readonly by: string,
  ) {
    super();
  }
}
