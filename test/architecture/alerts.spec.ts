import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod';
import { Metrics } from '../../adapters/platform/observability/metrics.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { allRoutes } from '../support/routes.js';

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

/** Prometheus creates it for each target that it scrapes. */
const OF_PROMETHEUS = new Set(['up']);
const LABELS_OF_PROMETHEUS = new Set(['job', 'instance']);
const FUNCTIONS = new Set(['sum', 'max', 'min', 'abs', 'and', 'rate', 'histogram_quantile']);

const { groups } = Rules.parse(parse(readFileSync('ops/alerts.yml', 'utf8')));
const alerts = groups.flatMap(({ rules }) => rules);
const { panels } = Board.parse(JSON.parse(readFileSync('ops/grafana.json', 'utf8')));
const runbook = readFileSync('docs/operations.md', 'utf8');

/** A series that an expression reads, with the labels by which it selects and groups. */
interface Read {
  /** The name of the metric. */
  name: string;
  isPartOfHistogram: boolean;
  labels: Record<string, string>;
  groupedBy: string[];
}

function readsOf(expr: string): Read[] {
  const groupedBy = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = '']) =>
    labels.split(/,\s*/),
  );
  const rest = expr.replaceAll(/\bby \([^)]*\)/g, '').replaceAll(/\[\w+\]/g, '');
  return [...rest.matchAll(/\b([a-z]\w*)(?:\{([^}]*)\})?/g)]
    .filter(([, word = '']) => !FUNCTIONS.has(word))
    .map(([, word = '', chosen = '']) => ({
      name: word.replace(/_(?:bucket|count|sum)$/, ''),
      isPartOfHistogram: /_(?:bucket|count|sum)$/.test(word),
      labels: Object.fromEntries(
        [...chosen.matchAll(/(\w+)!?=~?"([^"]*)"/g)].map(([, label, value]) => [label, value]),
      ),
      groupedBy,
    }));
}
const metricsIn = (expr: string): string[] => readsOf(expr).map(({ name }) => name);

let product: TestProduct;
beforeAll(async () => void (product = await startTestProduct()), 60_000);
afterAll(() => product?.stop());

/** Returns the type and labels of each metric at `/metrics`. */
async function told(): Promise<Map<string, { kind: string; labels: readonly string[] }>> {
  const text = await (await fetch(`${product.url}/metrics`)).text();
  const { registry } = product.app.get(Metrics);
  return new Map(
    [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', kind = '']) => {
      const { labelNames } = registry.getSingleMetric(name) as unknown as { labelNames: string[] };
      return [name, { kind, labels: kind === 'histogram' ? [...labelNames, 'le'] : labelNames }];
    }),
  );
}

describe('[OPS-182] what is watched', () => {
  it('reads only what /metrics has, in alerts and on the board', async () => {
    const [known, routes] = [await told(), await allRoutes()];
    const read = [
      ...alerts.map(({ expr }) => expr),
      ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ].flatMap(readsOf);
    expect(read.length).toBeGreaterThan(60);
    const wrong = read
      .filter(({ name }) => !OF_PROMETHEUS.has(name))
      .filter(({ name, isPartOfHistogram, labels, groupedBy }) => {
        const metric = known.get(name);
        const { method, route } = labels;
        const isWithin = [...Object.keys(labels), ...groupedBy].every(
          (label) => LABELS_OF_PROMETHEUS.has(label) || metric?.labels.includes(label),
        );
        const isRoute = routes.some(
          (one) => one.path === (route ?? one.path) && one.method === (method ?? one.method),
        );
        return !metric || isPartOfHistogram !== (metric.kind === 'histogram') || !isWithin || !isRoute;
      });
    expect(wrong).toEqual([]);
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
