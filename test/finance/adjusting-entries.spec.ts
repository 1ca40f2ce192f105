import { expect, it } from '@jest/globals';
import {
  PostAdjustingEntryHandler,
  PostAdjustingEntry,
} from '../../application/ledger/closing/adjusting-entries.js';
import type { BookQueries, OpenBookQueries } from '../../application/ledger/queries.js';
import type { Clock } from '../../application/shared/clock.js';
import type { AnyEvent } from '../../application/shared/event-store.js';
import type { ReadModelProgress } from '../../application/shared/read-model-progress.js';
import { adjustingDecider } from '../../domain/ledger/adjusting-entry.js';
import { Streams } from '../../application/shared/streams.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';

const log = new InMemoryEventStore();
const OPEN = 15_000_000;
/** Stands in for the books, which post entries at once: a debit of the bank credits suspense. */
const books = {
  turn: async () => ({ firstMonth: '2026-09', closedMonths: ['2026-09'] }),
} as unknown as BookQueries;
let whileReading = async (): Promise<unknown> => undefined;
const open = {
  clearable: async () => {
    const once = whileReading;
    whileReading = async () => undefined;
    await once();
    const posted = log.events.filter(({ type }: AnyEvent) => type === 'AdjustingEntryPosted').length;
    const amountMicro = OPEN * (1 - posted);
    return {
      items: posted
        ? []
        : [{ account: 'suspense', about: 'txn_1', amountMicro, since: '2026-10-02T00:00:00.000Z' }],
    };
  },
} as unknown as OpenBookQueries;
const progress: ReadModelProgress = { caughtUp: async () => true };
const clock = { now: () => new Date('2026-11-20') } as Clock;
const handler = new PostAdjustingEntryHandler(open, books, progress, new Streams(log), clock);
const post = (entryId: string, month?: string) =>
  handler.execute(
    new PostAdjustingEntry({
      entryId,
      lines: [
        { account: 'suspense', commodity: 'usd', delta: OPEN, about: 'txn_1' },
        { account: 'bank', commodity: 'usd', delta: -OPEN },
      ],
      evidence: 'Bank statement, line 14',
      month,
      reason: '',
      requestedBy: 'petra',
      approvedBy: 'quinn',
    }),
  );

it('[FIN-60] the entry that the request and its reactor post at the same moment is posted once, and both say so', async () => {
  whileReading = () => post('one');
  expect(await post('one')).toEqual({ accepted: true });
  expect(log.events.map(({ type }) => type)).toEqual(['AdjustingEntryPosted']);
});

it('[FIN-60] an entry that is refused leaves its month alone', async () => {
  const before = log.events.length;
  expect(await post('two', '2026-10')).toEqual({
    accepted: false,
    rejection: { code: 'MoreThanOpen', openMicro: 0 },
  });
  expect(log.events.slice(before)).toEqual([]);
});

it('[FIN-124] an entry into a month takes of an item what had come by its end, and what is left now', () => {
  const item = (balance: number) => [{ account: 'suspense', about: 'reserve', balance }];
  const code = (delta: number, now: number, then: number) => {
    const decided = adjustingDecider.decide(
      {
        type: 'PostAdjustingEntry',
        entryId: 'three',
        lines: [{ account: 'suspense', commodity: 'usd', delta, about: 'reserve' }],
        evidence: '',
        month: '2026-10',
        effectiveAt: '2026-10-31T23:59:59.999Z',
        requestedBy: 'petra',
        approvedBy: 'quinn',
        reason: '',
        items: item(now),
        itemsThen: item(then),
        now: '2026-11-20T00:00:00.000Z',
      },
      adjustingDecider.initialState,
    );
    return decided.accepted ? 'posted' : decided.rejection;
  };
  expect(code(-50_000, 120_000, 50_000)).toBe('posted');
  expect(code(-60_000, 120_000, 50_000)).toEqual({ code: 'MoreThanOpen', openMicro: 50_000 });
  expect(code(-50_000, 30_000, 50_000)).toEqual({ code: 'MoreThanOpen', openMicro: 30_000 });
  expect(code(-50_000, 120_000, -50_000)).toEqual({ code: 'MoreThanOpen', openMicro: 50_000 });
});
