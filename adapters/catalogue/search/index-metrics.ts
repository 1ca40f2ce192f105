import { Gauge, type Registry } from 'prom-client';
import type { IndexSubscription } from './index-subscription.js';

/** What monitoring learns of the search index of this node. @param index null: searches are answered by the database */
export function registerIndexMetrics(
  { registry }: { registry: Registry },
  index: Pick<IndexSubscription, 'ageSeconds'> | null,
): void {
  new Gauge({
    name: 'search_index_age_seconds',
    help: 'How long ago the index in memory was found to be as the search table is',
    registers: [registry],
    collect() {
      // A gauge that is not set says 0, which would be fresh.
      if (index?.ageSeconds === undefined) this.remove();
      else this.set(index.ageSeconds);
    },
  });
}
