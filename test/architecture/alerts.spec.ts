import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { ModuleRef } from '@nestjs/core';
import { parse } from 'yaml';
import * as z from 'zod';
import { ObservedCommandBus } from '../../adapters/platform/commands/observed-command-bus.js';
import { Database } from '../../adapters/platform/database/database.js';
import { registerComplaintMetrics } from '../../adapters/complaints/complaint-metrics.js';
import { registerFinanceMetrics } from '../../adapters/ledger/finance-metrics.js';
import { registerJobMetrics } from '../../adapters/platform/jobs/job-metrics.js';
import { registerLogMetrics } from '../../adapters/platform/observability/log-metrics.js';
import { Metrics } from '../../adapters/platform/observability/metrics.js';
import { registerIndexMetrics } from '../../adapters/catalogue/search/index-metrics.js';
import { registerMailMetrics } from '../../adapters/mail/mail-metrics.js';
import { WebhookMetrics } from '../../adapters/payments/webhook-metrics.js';
import { BatchMetrics } from '../../adapters/platform/observability/batch-metrics.js';
import { OutgoingCalls } from '../../adapters/platform/observability/outgoing-calls.js';
import { registerPoolMetrics } from '../../adapters/platform/observability/pool-metrics.js';
import { SystemClock } from '../../application/shared/clock.js';

const Rules = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^[A-Z]\w+$/),
          expr: z.string(),
          for: z
            .string()
            .regex(/^\d+[smh]$/)
            .optional(),
          labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
          annotations: z.strictObject({ summary: z.string(), runbook_url: z.string() }),
        }),
      ),
    }),
  ),
});
const Board = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })) })),
});

/** Made by Prometheus of each target that it asks. */
const OF_PROMETHEUS = new Set(['up']);
const WORDS = new Set(
  'sum max min abs and by rate histogram_quantile le job instance route status command kind pool state outcome method follower rule part service operation'.split(
    ' ',
  ),
);

const { groups } = Rules.parse(parse(readFileSync('ops/alerts.yml', 'utf8')));
const alerts = groups.flatMap(({ rules }) => rules);
const { panels } = Board.parse(JSON.parse(readFileSync('ops/grafana.json', 'utf8')));
const runbook = readFileSync('docs/operations.md', 'utf8');

/** The series that an expression reads, as their metrics are called. */
const metricsIn = (expr: string): string[] =>
  [...expr.replaceAll(/"[^"]*"/g, '').matchAll(/\b[a-z][a-z_0-9]*[a-z0-9]\b/g)]
    .map(([word]) => word)
    .filter((word) => !WORDS.has(word) && !/^\d/.test(word))
    .map((word) => word.replace(/_(?:bucket|count|sum)$/, ''));

/** What `/metrics` has. */
async function told(): Promise<Set<string>> {
  const metrics = new Metrics();
  const database = new Database('postgres://nobody:nothing@127.0.0.1:1/none');
  registerLogMetrics(metrics, { database });
  registerPoolMetrics(metrics, { database, catalogueDatabase: database });
  registerJobMetrics(metrics, database);
  const clock = new SystemClock();
  registerFinanceMetrics(metrics, { database, clock, wallClock: clock }, { newest: async () => null });
  registerComplaintMetrics(metrics, { counts: () => Promise.reject(new Error('no database')) }, clock);
  registerIndexMetrics(metrics, null);
  registerMailMetrics(metrics, database);
  new OutgoingCalls().register(metrics.registry);
  new BatchMetrics().register(metrics.registry);
  new WebhookMetrics(metrics);
  new ObservedCommandBus({} as ModuleRef, metrics);
  await database.close();
  return new Set(metrics.registry.getMetricsAsArray().map(({ name }) => name));
}

describe('[OPS-182] what is watched', () => {
  it('reads only what /metrics has, in alerts and on the board', async () => {
    const known = await told();
    const read = [
      ...alerts.map(({ expr }) => expr),
      ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ];
    expect(read.length).toBeGreaterThan(20);
    const unknown = read.flatMap(metricsIn).filter((name) => !known.has(name) && !OF_PROMETHEUS.has(name));
    expect(unknown).toEqual([]);
  });

  it('shows on the board whatever an alert looks at', () => {
    const shown = new Set(panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsIn(expr))));
    const missing = alerts.flatMap(({ expr }) => metricsIn(expr)).filter((name) => !shown.has(name));
    expect(missing.filter((name) => !OF_PROMETHEUS.has(name))).toEqual([]);
  });

  it('has a page for each alert, and an alert for each page', () => {
    const pages = [...runbook.matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
    expect(pages).toEqual(alerts.map(({ alert }) => alert));
    for (const { alert, annotations } of alerts) {
      expect(annotations.runbook_url).toBe(`docs/operations.md#${alert.toLowerCase()}`);
      const page = runbook.split(`### ${alert}\n`)[1]?.split('\n### ')[0] ?? '';
      for (const part of ['Means', 'Users notice', 'Do', 'Over when'])
        expect([alert, page.includes(`- **${part}**: `)]).toEqual([alert, true]);
    }
  });
});
