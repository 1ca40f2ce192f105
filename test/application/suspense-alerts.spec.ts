import { expect, it } from '@jest/globals';
import { DecideAlertHandler } from '../../application/alerts/decide-alert.js';
import type { OpenItems } from '../../application/ledger/contract.js';
import type { AlertQueries, OpenBookQueries } from '../../application/ledger/queries.js';
import { SuspenseAlerts } from '../../application/ledger/renew-alerts.js';
import { Materiality, SetMateriality, SetMaterialityHandler } from '../../application/ledger/materiality.js';
import { SystemClock } from '../../application/shared/clock.js';
import { Streams } from '../../application/shared/streams.js';
import { busTo } from '../support/command-bus.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';

const item = (
  about: string,
  reason: string,
  amountMicroUsd: number,
  ageDays = 0,
): OpenItems['items'][number] => ({
  account: 'suspense',
  about,
  reason,
  since: '2026-11-20T12:00:00.000Z',
  ageDays,
  aged: false,
  amountMicroUsd,
  currency: 'usd',
  amountMicro: amountMicroUsd,
  note: null,
  requestId: null,
  position: 1,
});

it('[FIN-53, FIN-55] items in suspense are told once and settled when they are gone; refunds on their way after three days', async () => {
  const log = new InMemoryEventStore();
  const clock = new SystemClock();
  let items: OpenItems['items'] = [];
  const books = { clearable: async () => ({ items }) } as unknown as OpenBookQueries;
  const alerts = {
    lasting: async () => {
      const last = new Map(log.events.map(({ type, data }) => [(data as { key: string }).key, type]));
      return [...last].flatMap(([key, type]) => (type === 'AlertSettled' ? [] : [key]));
    },
  } as unknown as AlertQueries;
  const streams = new Streams(log);
  const commands = busTo(new DecideAlertHandler(streams, clock));
  const materiality = new Materiality(streams);
  const suspense = new SuspenseAlerts(books, alerts, materiality, commands, clock);
  const after = async (...now: OpenItems['items']) => {
    const before = log.events.length;
    items = now;
    await suspense.run();
    await suspense.run();
    return log.events.slice(before).map(({ type, data }) => {
      const { key, text } = data as { key: string; text?: string };
      return [type, key, ...(text ? [text] : [])];
    });
  };
  const way = (ageDays: number) => item('r1', 'a refund on its way: processing', 9_990_000, ageDays);
  const foreign = { amountMicroUsd: 0, currency: 'eur', amountMicro: 14_790_000 };
  const euros = {
    ...item('txn_1', '14.79 EUR moved, in a currency that we do not sell in: topup', 0),
    ...foreign,
  };
  expect(await after(way(2), euros)).toEqual([
    [
      'AlertRaised',
      'suspense-txn_1',
      'In suspense: 14.79 EUR moved, in a currency that we do not sell in: topup.',
    ],
  ]);
  expect(await after(way(3), euros)).toEqual([
    ['AlertRaised', 'suspense-r1', 'In suspense: 9.99 USD, a refund on its way: processing.'],
  ]);
  expect(await after(euros)).toEqual([['AlertSettled', 'suspense-r1']]);
  // An amount in another currency cannot be compared with the dollars below which there are no alerts.
  await new SetMaterialityHandler(streams, clock).execute(new SetMateriality(500_000_000, 'grace'));
  const reserved = { ...item('txn_2', 'held by the provider', 0), ...foreign, account: 'stripe:reserve:eur' };
  expect(await after(euros, item('txn_3', 'topup', 499_990_000), reserved)).toEqual([
    ['AlertRaised', 'suspense-txn_2', 'Held in reserve: 14.79 EUR, held by the provider.'],
  ]);
});
