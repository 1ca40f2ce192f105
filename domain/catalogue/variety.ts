/** A limit for a list: at most `most` items have the same group. */
export interface GroupLimit<Item> {
  most: number;
  groupOf: (item: Item) => string;
}

/**
 * Picks items in their order, within the limits. If fewer than `length` items are within the limits, the other items
 * follow in their order.
 */
export function varied<Item>(
  items: readonly Item[],
  length: number,
  limits: readonly GroupLimit<Item>[],
): Item[] {
  const counts = limits.map(() => new Map<string, number>());
  const [picked, beyond]: [Item[], Item[]] = [[], []];
  for (const item of items) {
    const groups = limits.map(({ most, groupOf }, at) => {
      const group = groupOf(item);
      return { most, group, count: counts[at]?.get(group) ?? 0 };
    });
    const fits = groups.every(({ most, count }) => count < most);
    if (fits) groups.forEach(({ group, count }, at) => counts[at]?.set(group, count + 1));
    (fits ? picked : beyond).push(item);
  }
  return [...picked, ...beyond].slice(0, length);
}

/** Moves items so that neighbours have different groups, as far as possible, and otherwise keeps their order. */
export function spread<Item>(items: readonly Item[], groupOf: (item: Item) => string): Item[] {
  const rest = [...items];
  const moved: Item[] = [];
  while (rest.length > 0) {
    const last = moved.at(-1);
    const other = last === undefined ? 0 : rest.findIndex((item) => groupOf(item) !== groupOf(last));
    moved.push(...rest.splice(Math.max(0, other), 1));
  }
  return moved;
}
