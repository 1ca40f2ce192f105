import type { TraceCard } from '../../../api/finance.js';

/** A card with its place: the column from the left, and the level from the top within it. */
export interface Placed {
  card: TraceCard;
  column: number;
  level: number;
}

/** Places each card to the right of the cards that come from it. */
export function placed(cards: readonly TraceCard[]): Placed[] {
  const columns = new Map<string, number>();
  const put = (key: string, column: number): void => {
    if ((columns.get(key) ?? -1) >= column) return;
    columns.set(key, column);
    for (const from of cards.find((card) => card.key === key)?.from ?? []) put(from, column + 1);
  };
  const used = new Set(cards.flatMap(({ from }) => from));
  for (const { key } of cards) if (!used.has(key)) put(key, 0);
  const levels: number[] = [];
  return cards
    .map((card) => ({ card, column: columns.get(card.key) ?? 0 }))
    .toSorted((a, b) => a.column - b.column)
    .map(({ card, column }) => {
      const level = levels[column] ?? 0;
      levels[column] = level + 1;
      return { card, column, level };
    });
}
