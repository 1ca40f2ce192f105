import { assert } from '../shared/decision.js';

/**
 * A range of a creator's earnings, added up in the order of sale; `toMicroUsd` is exclusive. A payout names its spans,
 * so that its statement lists exactly these sales. The first and last sale may be listed in part, so that the statement
 * always sums to the payout.
 */
export interface Span {
  fromMicroUsd: number;
  toMicroUsd: number;
}

export const lengthOf = (spans: readonly Span[]): number =>
  spans.reduce((sum, { fromMicroUsd, toMicroUsd }) => sum + toMicroUsd - fromMicroUsd, 0);

/** Returns the earliest parts of [0, `until`) that `taken` does not cover and that add up to `amount`. */
export function takeFree(taken: readonly Span[], until: number, amount: number): Span[] {
  const sorted = [...taken].sort((a, b) => a.fromMicroUsd - b.fromMicroUsd);
  const found: Span[] = [];
  let left = amount;
  let from = 0;
  for (const next of [...sorted, { fromMicroUsd: until, toMicroUsd: until }]) {
    const to = Math.min(next.fromMicroUsd, until, from + left);
    if (to > from) {
      found.push({ fromMicroUsd: from, toMicroUsd: to });
      left -= to - from;
    }
    from = Math.max(from, next.toMicroUsd);
  }
  assert(left === 0, `${left} micro-dollars more were taken than are free`);
  return found;
}

/** Returns the parts of `spans` that `taken` does not cover. */
export const without = (spans: readonly Span[], taken: readonly Span[]): Span[] =>
  taken.reduce<readonly Span[]>(
    (left, { fromMicroUsd, toMicroUsd }) =>
      left.flatMap((span) =>
        [
          { ...span, toMicroUsd: Math.min(span.toMicroUsd, fromMicroUsd) },
          { ...span, fromMicroUsd: Math.max(span.fromMicroUsd, toMicroUsd) },
        ].filter((part) => part.fromMicroUsd < part.toMicroUsd),
      ),
    spans,
  ) as Span[];

export function dropLast(spans: readonly Span[], amount: number): Span[] {
  let keep = lengthOf(spans) - amount;
  return spans.flatMap(({ fromMicroUsd, toMicroUsd }) => {
    const length = Math.min(keep, toMicroUsd - fromMicroUsd);
    keep -= Math.max(0, length);
    return length > 0 ? [{ fromMicroUsd, toMicroUsd: fromMicroUsd + length }] : [];
  });
}
