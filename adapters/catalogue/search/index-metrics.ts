import { gauge, type Registered } from '../../platform/observability/gauges.js';
import type { IndexSubscription } from './index-subscription.js';

export const registerIndexMetrics = (
  metrics: Registered,
  index: Pick<IndexSubscription, 'ageSeconds'> | null,
): void =>
  gauge(
    metrics,
    ['search_index_age_seconds', 'Seconds since the index in memory last matched the search table'],
    async () => index?.ageSeconds,
  );
