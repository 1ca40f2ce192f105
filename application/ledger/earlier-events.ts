/** An event in the shape in which it was stored. */
export interface EarlierEvent {
  position: number;
  stream: string;
  type: string;
  data: Record<string, unknown>;
}

/** The state at a position of the log, for an audit that starts there. */
export abstract class EarlierEvents {
  /** Yields the events of these streams up to `until` in pages, each stream in order. */
  abstract ofStreams(streams: readonly string[], until: number): AsyncIterable<EarlierEvent[]>;
  /** The balances of these creators in the journal at that position, in micro-dollars. */
  abstract earnedBy(creatorIds: readonly string[], until: number): Promise<Map<string, number>>;
}
