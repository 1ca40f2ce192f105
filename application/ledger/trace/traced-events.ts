import type { Span } from '../../../domain/payouts/spans.js';
import type { RecordedEvent } from '../../shared/event-store.js';
import type { TracedId } from './traced-ids.js';

export type Traced = Pick<RecordedEvent, 'position' | 'stream' | 'type' | 'data' | 'recordedAt'>;

export type Cited = Omit<Traced, 'data'> & { data: object };

/** A sale that a withdrawal pays, with the part of the creator's share that lies in the withdrawal's spans. */
export interface PaidSale {
  purchaseId: string;
  shareMicroUsd: number;
  amountMicroUsd: number;
}

export abstract class TracedEvents {
  /** Returns the events that contain an id, oldest first. At most a few hundred are returned. */
  abstract naming(id: string): Promise<Traced[]>;
  abstract at(position: number): Promise<Traced | undefined>;
  /** Returns the events in the credit streams of a lot's owners that contain the lot's id, oldest first. */
  abstract ofLot(userId: string, lotId: string): Promise<Traced[]>;
  abstract payoutsOf(creatorId: string): Promise<Traced[]>;
  /** Returns the sum of the creator's shares before an event, including shares that were taken back later. */
  abstract earnedBefore(creatorId: string, position: number): Promise<number>;
  /**
   * Returns the sales whose shares lie in the given ranges of the creator's earnings, added up in the order of sale.
   * Oldest first.
   */
  abstract salesIn(creatorId: string, spans: readonly Span[]): Promise<PaidSale[]>;
}

export abstract class TracedSearch {
  /** Returns names by user id. Skips people without an account. */
  abstract people(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Returns titles by sample id. */
  abstract samples(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Returns the ids that begin with a text, each with its oldest event. An exact match comes first. */
  abstract idsLike(beginning: string, limit: number): Promise<(TracedId & { event: Traced })[]>;
  /** Returns events that move this amount of cash in either direction, newest first. */
  abstract movingCash(amountMicroUsd: number, limit: number): Promise<Traced[]>;
  /** Returns payout requests that pay this amount after a partial reversal, newest first. */
  abstract payoutsLeftWith(amountMicroUsd: number, limit: number): Promise<Traced[]>;
}
