import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { readBackend } from '../../web/src/api/transport/backend.js';
import { api } from '../../web/src/api/api.js';
import {
  PROXY_TIMEOUT_MS,
  StorageClient,
  storage,
  type StoragePlaces,
} from '../../web/src/api/storage/storage.js';

const DIRECT = 'https://api.offcut.example';
const LIST = { status: 200, json: { data: [{ name: 'avatar-1.webp' }] } };

type Planned = { status: number; json?: unknown } | 'unreachable' | 'silent';

/** A network in which each host answers as planned. It records the requests. */
function network(plan: { direct: Planned; proxy: Planned }) {
  const asked: string[] = [];
  const fetch = ((address: string, init: RequestInit) => {
    const route = address.startsWith(DIRECT) ? 'direct' : 'proxy';
    asked.push(route);
    const planned = plan[route];
    if (planned === 'unreachable') return Promise.reject(new TypeError('Failed to fetch'));
    if (planned === 'silent')
      return new Promise((_, reject) =>
        init.signal?.addEventListener('abort', () => reject(new Error('aborted'))),
      );
    const { status, json } = planned;
    return Promise.resolve({ ok: status < 300, status, json: () => Promise.resolve(json) });
  }) as unknown as typeof globalThis.fetch;
  return { plan, asked, fetch };
}

const clientOn = (net: { fetch: typeof fetch }, more: Partial<StoragePlaces> = {}) =>
  new StorageClient(() => ({ direct: DIRECT, fetch: net.fetch, ...more }));

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  document.head.replaceChildren();
});

describe('the storage client', () => {
  it('[STOR-13] tries the direct address, then the proxy, in the order that is configured', async () => {
    jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const net = network({ direct: LIST, proxy: LIST });
    expect(await clientOn(net).list('Users')).toEqual(LIST.json.data);
    expect(net.asked).toEqual(['direct']);
    net.plan.direct = 'unreachable';
    expect(await clientOn(net).list('Users')).toEqual(LIST.json.data);
    expect(net.asked).toEqual(['direct', 'direct', 'proxy']);
    net.asked.length = 0;
    net.plan.proxy = { status: 500 };
    net.plan.direct = LIST;
    await clientOn(net, { order: ['proxy', 'direct'] }).list('Users');
    expect(net.asked).toEqual(['proxy', 'direct']);
  });

  it('[STOR-13] gives the proxy 20 s and leaves one that did not answer alone', async () => {
    jest.useFakeTimers();
    jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const net = network({ direct: 'unreachable', proxy: 'silent' });
    const client = clientOn(net);
    const first = client.list('Users').catch((error: Error) => error.message);
    await jest.advanceTimersByTimeAsync(PROXY_TIMEOUT_MS - 1);
    expect(net.asked).toEqual(['direct', 'proxy']);
    await jest.advanceTimersByTimeAsync(1);
    expect(await first).toBe('Storage proxy unavailable');
    expect(PROXY_TIMEOUT_MS).toBe(20_000);
    await expect(client.list('Users')).rejects.toThrow('Storage proxy unavailable');
    expect(net.asked).toEqual(['direct', 'proxy', 'direct']);
    // It is asked again later.
    await jest.advanceTimersByTimeAsync(60_000);
    net.plan.proxy = LIST;
    expect(await client.list('Users')).toEqual(LIST.json.data);
  });

  it.each<[Planned, string, string]>([
    [
      { status: 403 },
      'Storage access denied. Bucket may not be public.',
      'Storage access denied. Bucket may not be public.',
    ],
    [
      { status: 401 },
      'Storage access denied. Bucket may not be public.',
      'Storage access denied. Bucket may not be public.',
    ],
    [{ status: 404 }, 'Storage list failed (404)', 'Storage download failed (404)'],
    [{ status: 503 }, 'Storage list failed (503)', 'Storage download failed (503)'],
    ['unreachable', 'Storage proxy unavailable', 'Storage proxy unavailable'],
  ])('[STOR-14] tells %j as "%s"', async (planned, listing, download) => {
    jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const net = network({ direct: planned, proxy: planned });
    await expect(clientOn(net).list('Users')).rejects.toThrow(listing);
    await expect(clientOn(net).download('Users/a')).rejects.toThrow(download);
  });

  it('[STOR-14] without a backend says "Storage not configured..." and asks nobody', async () => {
    const net = network({ direct: LIST, proxy: LIST });
    await expect(clientOn(net, { direct: undefined }).list('Users')).rejects.toThrow(
      /^Storage not configured\. /,
    );
    expect(net.asked).toEqual([]);
  });
});

const configure = (content: string) => {
  const meta = Object.assign(document.createElement('meta'), { name: 'offcut-backend', content });
  document.head.append(meta);
};

describe('the backend of a page', () => {
  it.each([
    ['https://api.offcut.example', 'https://api.offcut.example'],
    ['https://offcut.example/any', 'https://offcut.example'],
    ['http://api.offcut.example', undefined],
    ['https://offcut.example.evil.test', undefined],
    ['https://eviloffcut.example', undefined],
    ['', undefined],
    ['nonsense', undefined],
  ])('[ERR-05] %j is %j', (content, origin) => {
    configure(content);
    expect(readBackend({ hostname: 'www.offcut.example' })?.origin).toBe(origin);
  });

  it('is the page’s own origin where nothing is configured', () => {
    expect(readBackend({ hostname: 'offcut.example' })).toEqual({ origin: '' });
  });

  it('[ERR-05] that is not valid leaves auth and storage calls with "backend not configured"', async () => {
    configure('http://elsewhere.test');
    const asked = jest.fn();
    globalThis.fetch = asked as never;
    await expect(api('POST /api/auth/sign-out')).rejects.toMatchObject({
      message: 'backend not configured',
      code: 'BackendNotConfigured',
    });
    await expect(storage.list('Users')).rejects.toThrow(/^Storage not configured/);
    expect(asked).not.toHaveBeenCalled();
  });

  it('[ERR-05] that does not answer logs which origin must be allowed', async () => {
    configure(`https://api.${window.location.hostname}`);
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    globalThis.fetch = (() => Promise.reject(new TypeError('Failed to fetch'))) as never;
    await expect(api('POST /api/auth/sign-out')).rejects.toMatchObject({ code: 'Unreachable' });
    expect(warn).toHaveBeenCalledWith(
      expect.stringContaining(`Add ${window.location.origin} to its allowed origins`),
    );
  });
});
