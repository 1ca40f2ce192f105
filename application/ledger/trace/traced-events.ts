import type { Span } from '../../../domain/payouts/spans.js';
import type { RecordedEvent } from '../../shared/event-store.js';
import type { TracedId } from './traced-ids.js';

/** An event as explanations read it. */
export type Traced = Pick<RecordedEvent, 'position' | 'stream' | 'type' | 'data' | 'recordedAt'>;

/** One that a card cites, of whatever type. */
export type Cited = Omit<Traced, 'data'> & { data: object };

/** A sale that a stretch of a creator's earnings lies in, with the part of its share that does. */
export interface PaidSale {
  purchaseId: string;
  shareMicroUsd: number;
  amountMicroUsd: number;
}

/** The log by what it names. */
export abstract class TracedEvents {
  /** Oldest first; of an id that very many name, the first of them. */
  abstract naming(id: string): Promise<Traced[]>;
  abstract at(position: number): Promise<Traced | undefined>;
  /** What moved credits into and out of a lot, oldest first. */
  abstract ofLot(userId: string, lotId: string): Promise<Traced[]>;
  /** A creator's withdrawals. */
  abstract payoutsOf(creatorId: string): Promise<Traced[]>;
  /** The shares that a creator earned up to, but without, that event; nothing of what was taken back. */
  abstract earnedBefore(creatorId: string, position: number): Promise<number>;
  /** In the order of earning. */
  abstract salesIn(creatorId: string, spans: readonly Span[]): Promise<PaidSale[]>;
}

/** Names of those whom the books know by ids. */
export abstract class TracedNames {
  /** Of those who still have an account. */
  abstract people(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  abstract samples(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** What a search in the books finds, without the people. */
export abstract class TracedSearch {
  /** Ids that begin so, each once with its newest event; a whole match first. */
  abstract idsLike(beginning: string, limit: number): Promise<(TracedId & { event: Traced })[]>;
  /** Events that move that much cash in either direction, newest first. */
  abstract movingCash(amountMicroUsd: number, limit: number): Promise<Traced[]>;
  /** Requests of payouts of which that much stayed paid after the rest came back, newest first. */
  abstract payoutsLeftWith(amountMicroUsd: number, limit: number): Promise<Traced[]>;
}
