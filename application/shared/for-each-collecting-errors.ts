import { Unavailable } from './unavailable.js';

/** Processes all items, then throws the last failure. Throws `Unavailable` at once, because the rest would fail too. */
export async function forEachCollectingErrors<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  let failure: { error: unknown } | undefined;
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      if (error instanceof Unavailable) throw error;
      failure = { error };
    }
  }
  if (failure) throw failure.error;
}
