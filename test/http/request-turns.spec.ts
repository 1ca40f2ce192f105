import { expect, it } from '@jest/globals';
import { AsyncLocalStorage } from 'node:async_hooks';
import { RequestTurns } from '../../adapters/platform/http/limits/request-turns.js';
import { addressOf, type HttpRequest, type HttpResponse } from '../../adapters/platform/http/request.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/**
 * Lists requests as they begin, with the turn of the loop.
 * @param costs time of the loop per request, in ms
 */
function aNode({ isBusy = false, costs = 1 } = {}) {
  let [now, turns] = [0, 0];
  const begun: [string, number][] = [];
  const requests = new RequestTurns(
    () => now,
    () => isBusy,
  );
  const answers = new Map<string, () => void>();
  const ask = (ip: string, name = ip, isGone = false) =>
    requests.wait(
      { ip } as HttpRequest,
      {
        destroyed: isGone,
        once: (_: string, done: () => void) => answers.set(name, done),
      } as unknown as HttpResponse,
      () => {
        now += costs;
        begun.push([name, turns]);
      },
    );
  return {
    begun,
    ask,
    requests,
    answer: (name: string) => answers.get(name)?.(),
    pass: (ms: number) => (now += ms),
    take: async (count: number) => {
      for (let n = 0; n < count; n += 1) {
        turns += 1;
        await turn();
      }
    },
  };
}

it('[DOOR-43] begins one request a turn, of those first who asked least', async () => {
  const node = aNode();
  for (let n = 1; n <= 5; n += 1) node.ask('203.0.113.1', `much ${n}`);
  node.ask('198.51.100.1', 'one');
  node.ask('198.51.100.2', 'gone', true);
  await node.take(9);
  const names = node.begun.map(([name]) => name);
  expect(names).toEqual(['much 1', 'much 2', 'one', 'much 3', 'much 4', 'much 5']);
  expect(new Set(node.begun.map(([, turns]) => turns)).size).toBe(6);
});

it('[DOOR-43] keeps nobody waiting longer than half a second for others, and forgets what they asked', async () => {
  const node = aNode();
  for (let n = 1; n <= 30; n += 1) node.ask('203.0.113.1');
  await node.take(31);
  node.ask('198.51.100.1', 'first');
  node.ask('203.0.113.1', 'much');
  node.pass(1);
  node.ask('198.51.100.2', 'second');
  node.ask('198.51.100.3', 'third');
  node.pass(501);
  await node.take(5);
  expect(node.begun.slice(30).map(([name]) => name)).toEqual(['first', 'much', 'second', 'third']);
  node.pass(5_000);
  node.ask('198.51.100.1', 'first');
  node.ask('203.0.113.1', 'much');
  node.ask('198.51.100.2', 'second');
  await node.take(3);
  expect(node.begun.slice(34).map(([name]) => name)).toEqual(['first', 'much', 'second']);
});

it('[DOOR-43] has three requests of those who asked much under way while the loop is busy and others ask', async () => {
  const node = aNode({ isBusy: true });
  for (let n = 1; n <= 9; n += 1) node.ask('203.0.113.1', `much ${n}`);
  node.ask('198.51.100.1', 'one');
  await node.take(12);
  const names = () => node.begun.map(([name]) => name);
  // The caller's first four requests are not counted as many yet.
  const begun = ['much 1', 'much 2', 'one', 'much 3', 'much 4', 'much 5', 'much 6', 'much 7'];
  expect(names()).toEqual(begun);
  node.answer('much 6');
  await node.take(2);
  expect(names().slice(8)).toEqual(['much 8']);
  node.ask('198.51.100.1', 'another');
  await node.take(2);
  expect(names().slice(9)).toEqual(['another']);
  node.pass(501);
  node.answer('nobody');
  node.ask('198.51.100.2', 'third');
  await node.take(2);
  expect(names().slice(10)).toEqual(['much 9', 'third']);
});

it('[DOOR-43] does not keep anybody waiting for others who are not there', async () => {
  const node = aNode({ isBusy: true });
  for (let n = 1; n <= 4; n += 1) node.ask('203.0.113.1');
  await node.take(5);
  node.pass(1_001);
  for (let n = 1; n <= 8; n += 1) node.ask('203.0.113.1');
  await node.take(9);
  expect(node.begun.length).toBe(12);
});

it('[DOOR-43] begins many in a turn that cost little, and not in the turn in which all have waited', async () => {
  const node = aNode({ costs: 0.25 });
  for (let n = 1; n <= 10; n += 1) node.ask(`203.0.113.${n}`);
  await node.take(4);
  expect(node.begun.map(([, turn]) => turn)).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 2, 2]);
});

it('[DOOR-43] begins each in the surroundings in which it came', async () => {
  const node = aNode();
  const surroundings = new AsyncLocalStorage<string>();
  const seen: unknown[] = [];
  for (const name of ['one', 'two', 'three'])
    surroundings.run(name, () =>
      node.requests.wait({ ip: name } as HttpRequest, { once: () => {} } as unknown as HttpResponse, () =>
        seen.push(surroundings.getStore()),
      ),
    );
  await node.take(3);
  expect(seen).toEqual(['one', 'two', 'three']);
});

it.each([
  ['198.51.100.7', '198.51.100.7'],
  ['::ffff:198.51.100.7', '198.51.100.7'],
  ['::ffff:c633:6407', '198.51.100.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['::ffff:not.an.address', '::ffff:not.an.address'],
])('[DOOR-43] %s asks as %s', (ip, address) => {
  expect(addressOf({ ip })).toBe(address);
});
