import { AsyncLocalStorage, createHook, type AsyncHook } from 'node:async_hooks';
import fs from 'node:fs';
import type { Server } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import type { HttpClient } from '../support/http-client.js';
import { startTestProduct, type TestProduct } from '../support/product.js';

let product: TestProduct;
let hook: AsyncHook;
let ada: HttpClient;

/** The disk calls of the current request. */
const asked = new AsyncLocalStorage<string[]>();
/** Requests since the last look, in order. */
let requests: { path: string; calls: string[] }[] = [];

beforeAll(async () => {
  product = await startTestProduct({}, { web: true });
  ada = await product.signedUp();
  // Every asynchronous disk call creates a resource of this type, whatever its name.
  hook = createHook({
    init: (_id, type) => void (type.startsWith('FSREQ') && asked.getStore()?.push(type)),
  }).enable();
  // Synchronous calls are recorded by name.
  const names = Object.keys(fs).filter(
    (name) => name.endsWith('Sync') && typeof fs[name as 'statSync'] === 'function',
  ) as 'statSync'[];
  for (const name of names) {
    const call = fs[name] as (...args: unknown[]) => unknown;
    jest.spyOn(fs, name).mockImplementation(((...args: unknown[]) => {
      asked.getStore()?.push(name);
      return Reflect.apply(call, fs, args);
    }) as never);
  }
  syncBuiltinESMExports();
  const server = product.app.getHttpServer() as Server;
  server.prependListener('request', ({ url = '' }) => {
    const calls: string[] = [];
    requests.push({ path: url, calls });
    asked.enterWith(calls);
  });
});
afterAll(async () => {
  hook?.disable();
  jest.restoreAllMocks();
  syncBuiltinESMExports();
  await product?.stop();
});

/** Returns those requests of `ask` that used the disk. */
async function askingDisk(ask: () => Promise<unknown>): Promise<string[]> {
  requests = [];
  await ask();
  expect(requests.length).toBeGreaterThan(0);
  return requests.filter(({ calls }) => calls.length > 0).map(({ path }) => path);
}

it('[OPS-270] no request of a route, or for what is not there, asks the disk', async () => {
  const visitor = product.browser();
  const reads = [
    '/healthz',
    '/api/plans',
    '/api/home',
    '/api/samples?q=kick',
    '/api/auth/session',
    '/api/credits',
    '/api/nowhere',
    '/api/index.html',
    '/index.html/api',
    '/no-such.svg',
  ];
  const statuses = new Set<number>();
  const asking = await askingDisk(async () => {
    for (const path of reads)
      for (const client of [visitor, ada]) {
        const { status } = await client.get(path, { headers: { accept: 'application/json' } });
        statuses.add(status);
      }
    statuses.add((await ada.post('/api/downloads', {})).status);
    statuses.add((await ada.post('/api/auth/sign-out')).status);
  });
  expect(asking).toEqual([]);
  // Covers requests that reached their routes and one without a route.
  expect([...statuses].sort()).toEqual([200, 204, 400, 401, 404]);
});

it('[OPS-270] files of the client are looked for, and so is the page', async () => {
  const page = (await product.browser().get('/')).body as string;
  const [asset = ''] = /\/assets\/[\w.-]+\.js/.exec(page) ?? [];
  const paths = [asset, '/favicon.svg', '/search'];
  const asking = await askingDisk(async () => {
    for (const path of paths) await product.browser().get(path);
  });
  expect(asking).toEqual([asset, '/favicon.svg', '/search']);
});
