import { expect, it } from '@jest/globals';
import { AsyncLocalStorage } from 'node:async_hooks';
import { RequestTurns } from '../../adapters/platform/http/request-turns.js';
import type { HttpRequest, HttpResponse } from '../../adapters/platform/http/request.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Requests that begin are listed, each with the turn in which it did. */
function aNode() {
  let [now, turns] = [0, 0];
  const begun: [string, number][] = [];
  const requests = new RequestTurns(() => now);
  const ask = (ip: string, name = ip, isGone = false) =>
    requests.wait({ ip } as HttpRequest, { destroyed: isGone } as HttpResponse, () =>
      begun.push([name, turns]),
    );
  return {
    begun,
    ask,
    requests,
    pass: (ms: number) => (now += ms),
    take: async (count: number) => {
      for (let n = 0; n < count; n += 1) {
        turns += 1;
        await turn();
      }
    },
  };
}

it('[DOOR-43] begins one request a turn, and those of who asked much after the others', async () => {
  const node = aNode();
  for (let n = 1; n <= 34; n += 1) node.ask('203.0.113.1', `many ${n}`);
  node.ask('198.51.100.1', 'one');
  node.ask('198.51.100.2', 'gone', true);
  await node.take(40);
  const names = node.begun.map(([name]) => name);
  expect(names.slice(0, 2)).toEqual(['many 1', 'many 2']);
  expect(names.slice(-5)).toEqual(['one', 'many 31', 'many 32', 'many 33', 'many 34']);
  expect(new Set(node.begun.map(([, turns]) => turns)).size).toBe(35);
});

it('[DOOR-43] keeps who asked much waiting for half a second at most, and forgets what they asked', async () => {
  const node = aNode();
  for (let n = 1; n <= 30; n += 1) node.ask('203.0.113.1');
  await node.take(31);
  node.ask('198.51.100.1', 'first');
  node.ask('203.0.113.1', 'many');
  node.ask('198.51.100.2', 'second');
  node.ask('198.51.100.3', 'third');
  node.pass(501);
  await node.take(5);
  expect(node.begun.slice(30).map(([name]) => name)).toEqual(['first', 'many', 'second', 'third']);
  node.pass(2_000);
  node.ask('198.51.100.1', 'first');
  node.ask('203.0.113.1', 'many');
  node.ask('198.51.100.2', 'second');
  await node.take(3);
  expect(node.begun.slice(34).map(([name]) => name)).toEqual(['first', 'many', 'second']);
});

it('[DOOR-43] begins each in the surroundings in which it came', async () => {
  const node = aNode();
  const surroundings = new AsyncLocalStorage<string>();
  const seen: unknown[] = [];
  for (const name of ['one', 'two', 'three'])
    surroundings.run(name, () =>
      node.requests.wait({ ip: name } as HttpRequest, {} as HttpResponse, () =>
        seen.push(surroundings.getStore()),
      ),
    );
  await node.take(3);
  expect(seen).toEqual(['one', 'two', 'three']);
});
