/** An event in the shape in which it was stored. */
export interface EarlierEvent {
  position: number;
  stream: string;
  type: string;
  data: Record<string, unknown>;
}

/** What was true at a position of the log, for an audit that begins there. */
export abstract class EarlierEvents {
  /** The events of these streams up to `until`, each stream in its order, in pages. */
  abstract ofStreams(streams: readonly string[], until: number): AsyncIterable<EarlierEvent[]>;
  /** What the journal said then that these creators had, in micro-dollars. */
  abstract earnedBy(creatorIds: readonly string[], until: number): Promise<Map<string, number>>;
}
