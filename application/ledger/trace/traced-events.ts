import type { Span } from '../../../domain/payouts/spans.js';
import type { RecordedEvent } from '../../shared/event-store.js';
import type { TracedId } from './traced-ids.js';

export type Traced = Pick<RecordedEvent, 'position' | 'stream' | 'type' | 'data' | 'recordedAt'>;

export type Cited = Omit<Traced, 'data'> & { data: object };

/** A sale in a span of a creator's earnings, with the part of its share that lies in the span. */
export interface PaidSale {
  purchaseId: string;
  shareMicroUsd: number;
  amountMicroUsd: number;
}

export abstract class TracedEvents {
  /** Oldest first. Returns only the first events of an id that very many events contain. */
  abstract naming(id: string): Promise<Traced[]>;
  abstract at(position: number): Promise<Traced | undefined>;
  /** Events that moved credits into or out of a lot, oldest first. */
  abstract ofLot(userId: string, lotId: string): Promise<Traced[]>;
  abstract payoutsOf(creatorId: string): Promise<Traced[]>;
  /** The sum of the creator's shares before that event, without deducting shares taken back. */
  abstract earnedBefore(creatorId: string, position: number): Promise<number>;
  /** In the order of sale. */
  abstract salesIn(creatorId: string, spans: readonly Span[]): Promise<PaidSale[]>;
}

export abstract class TracedSearch {
  /** Names by id. Omits people without an account. */
  abstract people(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Titles by id. */
  abstract samples(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Ids with this beginning, each once with its newest event. An exact match comes first. */
  abstract idsLike(beginning: string, limit: number): Promise<(TracedId & { event: Traced })[]>;
  /** Events that move that much cash in either direction, newest first. */
  abstract movingCash(amountMicroUsd: number, limit: number): Promise<Traced[]>;
  /** Payout requests that still pay this amount after a partial reversal, newest first. */
  abstract payoutsLeftWith(amountMicroUsd: number, limit: number): Promise<Traced[]>;
}
