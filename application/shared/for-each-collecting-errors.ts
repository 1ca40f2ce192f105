import { Unavailable } from './unavailable.js';

/**
 * Works through all items, one after the other. A failing item does not stop the others. An unavailable service does:
 * the rest would fail too.
 * @throws the last failure, after all items
 */
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
