/** An event as it was stored, before it is upcast. */
export interface EarlierEvent {
  position: number;
  stream: string;
  type: string;
  data: Record<string, unknown>;
}

/** Reads earlier events and balances for an audit that does not start at the first event. */
export abstract class EarlierEvents {
  /** Yields the events of these streams up to position `until` in pages, each stream in order. */
  abstract ofStreams(streams: readonly string[], until: number): AsyncIterable<EarlierEvent[]>;
  /** Returns the creators' balances in the journal at position `until`, in micro-dollars. */
  abstract earnedBy(creatorIds: readonly string[], until: number): Promise<Map<string, number>>;
}
