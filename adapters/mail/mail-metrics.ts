import type { Database } from '../platform/database/database.js';
import { gauge, type Registered } from '../platform/observability/gauges.js';

const STATES = ['sending', 'sent', 'failed'] as const;
const HOUR_MS = 3_600_000;

export function registerMailMetrics(metrics: Registered, { db }: Pick<Database, 'db'>): void {
  gauge(metrics, ['mails_last_hour', 'Mails requested within the last hour, by state', 'state'], async () => {
    const counted = await db
      .selectFrom('mail_log')
      .select(({ fn }) => ['status', fn.countAll<number>().as('mails')])
      .where('asked_at', '>', new Date(Date.now() - HOUR_MS))
      .groupBy('status')
      .execute();
    return STATES.map((state) => [{ state }, counted.find(({ status }) => status === state)?.mails ?? 0]);
  });
}
