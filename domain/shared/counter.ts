import { accept, type Decider } from './decision.js';

/**
 * A stream of amounts that count against a limit. Each is appended together with what it counts, at the version that
 * the limit was checked against. So concurrent requests cannot exceed a limit together.
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

/** Returns what was counted within the window before `now`. */
export function recent<Counted extends { at: string }>(
  counted: readonly Counted[],
  now: string,
  windowMs: number,
): Counted[] {
  const since = new Date(Date.parse(now) - windowMs).toISOString();
  return counted.filter(({ at }) => at > since);
}
