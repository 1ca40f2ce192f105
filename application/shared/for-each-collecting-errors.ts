import { Unavailable } from './unavailable.js';

/**
 * Processes all items in sequence. A failing item does not stop the others. An unavailable service does, because the
 * rest would fail too.
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
