import { Gauge, type Registry } from 'prom-client';
import type { IndexSubscription } from './index-subscription.js';

export function registerIndexMetrics(
  { registry }: { registry: Registry },
  index: Pick<IndexSubscription, 'ageSeconds'> | null,
): void {
  new Gauge({
    name: 'search_index_age_seconds',
    help: 'Seconds since the index in memory last matched the search table',
    registers: [registry],
    collect() {
      // An unset gauge reports 0, which would mean fresh.
      if (index?.ageSeconds === undefined) this.remove();
      else this.set(index.ageSeconds);
    },
  });
}
