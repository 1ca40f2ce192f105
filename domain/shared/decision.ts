/** What a decider answers: the facts to record, or the obstacle. A refusal is a value, never an exception. */
export type Decision<Event, Rejection> =
  | { accepted: true; events: Event[] }
  | { accepted: false; rejection: Rejection };

export const accept = <Event>(...events: Event[]): { accepted: true; events: Event[] } => ({
  accepted: true,
  events,
});

export const reject = <Rejection extends { code: string }>(
  rejection: Rejection,
): { accepted: false; rejection: Rejection } => ({ accepted: false, rejection });

/** States an impossibility: if it fails, the program is wrong, not the user. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`Impossible: ${message}`);
}

/** Makes a switch over a union exhaustive at compile time. */
export function unreachable(value: never): never {
  throw new Error(`Impossible: unexpected ${JSON.stringify(value)}`);
}
