/** An event in the shape in which it was stored. */
export interface EarlierEvent {
  position: number;
  stream: string;
  type: string;
  data: Record<string, unknown>;
}

/** Reads what an audit must know about the events before its start. */
export abstract class EarlierEvents {
  /** Yields the events of these streams up to position `until` in pages, each stream in order. */
  abstract ofStreams(streams: readonly string[], until: number): AsyncIterable<EarlierEvent[]>;
  /** Returns the creators' balances in the journal at position `until`, in micro-dollars. */
  abstract earnedBy(creatorIds: readonly string[], until: number): Promise<Map<string, number>>;
}
