import { Gauge, type Registry } from 'prom-client';
import type { Database } from '../platform/database/database.js';

const STATES = ['sending', 'sent', 'failed'] as const;
const HOUR_MS = 3_600_000;

export function registerMailMetrics(
  { registry }: { registry: Registry },
  { db }: Pick<Database, 'db'>,
): void {
  new Gauge({
    name: 'mails_last_hour',
    help: 'Mails requested within the last hour, by state',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      this.reset();
      const counted = await db
        .selectFrom('mail_log')
        .select(({ fn }) => ['status', fn.countAll<number>().as('mails')])
        .where('asked_at', '>', new Date(Date.now() - HOUR_MS))
        .groupBy('status')
        .execute()
        // The other metrics are still reported if the database does not answer.
        .catch(() => undefined);
      if (!counted) return;
      for (const state of STATES)
        this.set({ state }, counted.find(({ status }) => status === state)?.mails ?? 0);
    },
  });
}
