import { expect, it } from '@jest/globals';
import type { Order, Seen } from './buyers.js';
import { judge, longestGapMs, lossOf } from './verdict.js';

const order = (...answers: string[]): Order => ({
  buyerId: 'ada',
  sampleId: 's',
  key: 'k',
  answers,
  acknowledged: answers.at(-1) === '201',
});
const NOTHING = { lost: 0, doubled: 0, unasked: 0 };

/** A second in which purchases are acknowledged at 100 ms and at 400 ms. */
const seen = (...orders: Order[]): Seen => ({
  orders,
  acknowledgedAt: [400, 100],
  beganAt: 0,
  endedAt: 1_000,
});

it('[OPS-226] a run of the cluster finds what was lost, doubled, never answered, answered by 500, noticed or late', () => {
  const texts = (...[goals, saw, verdict]: Parameters<typeof judge>) =>
    judge(goals, saw, verdict).map(({ text }) => text);
  const repeated = seen(order('201'), order('503', 'ECONNRESET', '201'));
  expect(longestGapMs(repeated)).toBe(600);
  expect(texts({ goalSeconds: 0.6 }, repeated, NOTHING)).toEqual([]);
  expect(judge({ goalSeconds: 0.5 }, repeated, NOTHING)).toEqual([
    { text: 'nothing sold for 0.6 s', isTime: true },
  ]);
  expect(texts({ goalSeconds: 1, unnoticed: true }, repeated, NOTHING)).toEqual(['1 requests failed']);
  expect(texts({ goalSeconds: 1 }, repeated, { lost: 2, doubled: 1, unasked: 3 })).toEqual([
    '2 lost',
    '1 doubled',
    '3 unasked',
  ]);
  expect(texts({ goalSeconds: 1 }, seen(order('500', '201')), NOTHING)).toEqual(['1 answers 500']);
  expect(texts({ goalSeconds: 1 }, seen(order('503', '503')), NOTHING)).toEqual(['1 never acknowledged']);
});

it('[BACK-715] a loss of all servers explains only purchases of the last archive interval', () => {
  const at = 60_000;
  const bought = (sampleId: string, acknowledgedAt?: number): Order => ({
    ...order('201'),
    sampleId,
    ...(acknowledgedAt !== undefined && { acknowledgedAt }),
  });
  const orders = [
    bought('kept', 10_000),
    bought('old', 40_000),
    bought('new', 57_500),
    bought('later', 70_000),
  ];
  const all = seen(...orders, bought('never'));
  expect(lossOf(all, new Set(['ada kept']), { at, intervalSeconds: 5 })).toEqual({
    acknowledged: 3,
    lost: 2,
    oldestSeconds: 20,
    unexplained: 1,
  });
});
