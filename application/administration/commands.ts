import { Command } from '@nestjs/cqrs';
import type { ReturnReason } from '../../domain/purchases/purchase.js';
import type { Because } from '../../domain/publishing/sample-status.js';
import type { Remark } from '../../domain/shared/remark.js';
import type { EventMetadata } from '../shared/event-store.js';
import type { JobDecision } from './decided-jobs.js';
import type { PurchaseKey } from './queries.js';

/** How many purchases were undone now, and how many wait for a bank's decision about their payment. */
export interface ReturnedPurchases {
  returned: number;
  waiting: number;
}

/**
 * Withdraws a pack against its creator's will and gives the buyers their credits back; undefined: there is no such
 * pack.
 */
export class TakeDownPack extends Command<ReturnedPurchases | undefined> {
  constructor(
    readonly packId: string,
    readonly reason: string,
    readonly by: string,
  ) {
    super();
  }
}

/**
 * Takes one sample out of the shop and away from everybody, and gives its buyers their credits back; undefined: there is
 * no such sample.
 */
export class TakeDownSample extends Command<ReturnedPurchases | undefined> {
  constructor(
    readonly sampleId: string,
    readonly reason: string,
    readonly by: string,
    readonly about: { because?: Because; sha256?: string } = {},
  ) {
    super();
  }
}

/** A sample that is not what it said: everybody's purchase of it is undone, and it stays on sale as it is. */
export class ReturnDefectiveSample extends Command<ReturnedPurchases | undefined> {
  constructor(
    readonly sampleId: string,
    readonly reason: string,
    readonly by: string,
  ) {
    super();
  }
}

/** Has a job that failed for good done again or not any more, or one that runs end; false: there is no such job. */
export class DecideOnJob extends Command<boolean> {
  constructor(
    readonly jobId: string,
    readonly decision: JobDecision,
    readonly by: string,
  ) {
    super();
  }
}

/** The reason in the event of a return. */
export interface ReturnCause {
  reason: ReturnReason;
  explanation: string;
  /** The whole explanation, where it is kept beside the log. */
  remark?: Remark | undefined;
}

/** Waiting: until a bank has decided about its payment. Unchanged: it was undone before, or nothing was paid. */
export type ReturnOutcome = 'returned' | 'waiting' | 'unchanged';

/** Undoes a purchase: its credits go back as lots of the value they had. */
export class ReturnPurchase extends Command<ReturnOutcome> {
  constructor(
    readonly purchase: PurchaseKey,
    readonly why: ReturnCause,
    readonly metadata: EventMetadata,
  ) {
    super();
  }
}

/** Notes that a subscription of the log goes on without an event that it cannot handle. */
export class SkipParkedEvent extends Command<void> {
  constructor(
    readonly subscription: string,
    readonly position: number,
    readonly reason: string,
    readonly by: string,
  ) {
    super();
  }
}
