import { accept, type Decider } from './decision.js';

/**
 * A stream of amounts that count against a limit. An amount is appended together with the request that it counts, if
 * the stream is still at the version that the check saw. Therefore concurrent requests cannot exceed a limit.
 */
export const counter = <Type extends string, Counted, Id = string>(
  type: Type,
  streamOf: (id: Id) => string,
): Decider<Counted, readonly Counted[], { type: Type; data: Counted }, never, Id> => ({
  streamOf,
  initialState: [],
  decide: (data) => accept({ type, data }),
  evolve: (counted, { data }) => [...counted, data],
});

/** Returns the amounts that were counted within the window before `now`. */
export function recent<Counted extends { at: string }>(
  counted: readonly Counted[],
  now: string,
  windowMs: number,
): Counted[] {
  const since = new Date(Date.parse(now) - windowMs).toISOString();
  return counted.filter(({ at }) => at > since);
}
