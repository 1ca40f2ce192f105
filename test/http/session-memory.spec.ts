import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { SessionMemory } from '../../adapters/accounts/session-memory.js';
import { CodeStore, PasskeyStore } from '../../application/accounts/factors/factor-stores.js';
import { Sessions } from '../../application/accounts/sessions/sessions.js';
import { startProduct, type Product } from '../../bootstrap/product.js';
import { HttpClient } from '../support/http-client.js';
import { expectLog } from '../support/log.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { grantRoles } from '../support/staff.js';

// Longer than each test, so that only a change can remove an entry from the memory.
const LONG = { SESSION_MEMORY_MS: '10000' };

let one: TestProduct;
let two: Product;
let memory: SessionMemory;
const dataDir = mkdtempSync(join(tmpdir(), 'offcut-second-node-'));

beforeAll(async () => {
  expectLog(/^warn \[Payments\] this process has a payment simulator of its own/);
  one = await startTestProduct(LONG);
  const { config } = one.resources;
  two = await startProduct({ ...config, port: 0, publicUrl: 'http://localhost:0', role: 'api', dataDir });
  memory = two.app.get(SessionMemory);
});
afterEach(() => void jest.restoreAllMocks());
afterAll(async () => {
  await two?.stop();
  await one?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Uses the session at the second node, which caches it from then on. */
async function elsewhere(client: HttpClient): Promise<HttpClient> {
  const other = new HttpClient(two.url, client.cookies.get('offcut_session'));
  expect((await other.get('/api/auth/session')).body.user).toMatchObject({ id: client.userId });
  return other;
}

/**
 * Resolves when a node (default: the second) has processed a change, or has cleared its memory after a
 * reconnection.
 */
const heard = (at = memory, times = 1) =>
  new Promise<void>((resolve) => {
    let left = times;
    for (const how of ['forget', 'forgetAll'] as const) {
      const spied = jest.spyOn(at, how) as jest.Spied<SessionMemory['forget']>;
      spied.mockImplementation((userId) => {
        SessionMemory.prototype[how].call(at, userId);
        left -= 1;
        if (left === 0) resolve();
      });
    }
  });

const lookUps = (product: Product) => {
  const asked = jest.spyOn(product.resources.database.pool, 'query');
  return () =>
    asked.mock.calls.filter(([query]) => JSON.stringify(query).includes('find-session-owner')).length;
};

it('[OPS-170] asks once for the sessions of requests that come soon after each other, or together', async () => {
  const client = await one.signedUp();
  const other = new HttpClient(two.url, client.cookies.get('offcut_session'));
  const asked = lookUps(two);
  await Promise.all([1, 2, 3].map(() => other.get('/api/me/export')));
  expect((await other.get('/api/auth/session')).body.user.id).toBe(client.userId);
  expect(asked()).toBe(1);
  for (let n = 0; n < 2; n += 1)
    expect((await new HttpClient(two.url, `nobody-${n}`).get('/api/me/export')).status).toBe(401);
  expect(asked()).toBe(3);
});

it('[OPS-171] what ends a session at one node ends it at the others', async () => {
  const ends: [string, (client: HttpClient) => Promise<{ status: number }>][] = [
    ['sign-out', (client) => client.post('/api/auth/sign-out')],
    [
      'ending it from a list',
      async (client) =>
        client.delete(`/api/me/sessions/${(await client.get('/api/me/sessions')).body.items[0].id}`),
    ],
    ['renewal', (client) => client.post('/api/auth/refresh')],
    ['erasure', (client) => client.delete('/api/me')],
  ];
  for (const [what, end] of ends) {
    const client = await one.signedUp();
    const other = await elsewhere(client);
    const told = heard();
    expect([what, (await end(client)).status < 300]).toEqual([what, true]);
    await told;
    expect([what, (await other.get('/api/me/export')).status]).toEqual([what, 401]);
  }
});

it('[OPS-171] a token that was replaced at one node is found stolen by the very next renewal at another', async () => {
  const client = await one.signedUp();
  const thief = await elsewhere(client);
  // The renewal is reported directly and by the database, and so is the theft.
  const told = heard(one.app.get(SessionMemory), 3);
  await client.post('/api/auth/refresh');
  expect((await thief.post('/api/auth/refresh')).status).toBe(401);
  await told;
  expect((await client.get('/api/me/export')).status).toBe(401);
});

it('[OPS-171] rights, name and password that change at one node are those of the next request at the others', async () => {
  const client = await one.signedUp();
  const other = await elsewhere(client);
  expect((await other.get('/api/admin/staff')).status).toBe(403);
  let told = heard();
  await grantRoles(one.resources.database, client.userId, 'admin');
  await told;
  expect((await other.get('/api/admin/staff')).status).toBe(200);

  told = heard();
  await client.patch('/api/me', { displayName: 'Wren' });
  await told;
  expect((await other.get('/api/auth/session')).body.user.displayName).toBe('Wren');

  told = heard();
  const passwords = { currentPassword: 'a fine pass phrase', newPassword: 'quite another pass phrase' };
  expect((await client.put('/api/auth/password', passwords)).status).toBe(204);
  await told;
  expect((await other.get('/api/admin/staff')).status).toBe(200);
});

it('[OPS-171] a change at this node counts with the very next request', async () => {
  const client = await one.signedUp();
  expect((await client.get('/api/auth/session')).body.user.isCreator).toBe(false);
  await client.post('/api/creator/application');
  expect((await client.get('/api/auth/session')).body.user.isCreator).toBe(true);
  await client.patch('/api/me', { displayName: 'Finch' });
  expect((await client.get('/api/auth/session')).body.user.displayName).toBe('Finch');
  const bearer = new HttpClient(one.url, client.cookies.get('offcut_session'));
  await client.post('/api/auth/sign-out');
  expect((await bearer.get('/api/me/export')).status).toBe(401);
});

it('[OPS-171] a second factor that is added or removed counts at once, too', async () => {
  const { userId, cookies } = await one.signedUp();
  const [sessions, codes, passkeys] = [
    one.app.get(Sessions),
    one.app.get(CodeStore),
    one.app.get(PasskeyStore),
  ];
  const factors = async () => (await sessions.find(cookies.get('offcut_session') as string))?.factors;
  const credentialId = `passkey of ${userId}`;
  const passkey = { credentialId, userId, publicKey: new Uint8Array(1), counter: 0, transports: [] };
  expect(await factors()).toEqual([]);
  await codes.keepApp(userId, Buffer.from('sealed'), new Date());
  await codes.confirmApp(userId, 1);
  expect(await factors()).toEqual(['app']);
  await codes.removeApp(userId);
  expect(await factors()).toEqual([]);
  await passkeys.add({ ...passkey, backedUp: false, name: 'Laptop', createdAt: new Date() });
  expect(await factors()).toEqual(['passkey']);
  await passkeys.remove(userId, credentialId);
  expect(await factors()).toEqual([]);
  await passkeys.add({ ...passkey, backedUp: false, name: 'Laptop', createdAt: new Date() });
  expect(await factors()).toEqual(['passkey']);
  await codes.removeAll(userId);
  expect(await factors()).toEqual([]);
});

it('[OPS-172] remembers nothing from before its connection was lost, nor while it has none', async () => {
  const client = await one.signedUp();
  const other = await elsewhere(client);
  const asked = lookUps(two);
  const again = heard();
  await one.resources.database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query ~ '^(listen |select 1$|select name from unnest.*advisory)'`,
  );
  await again;
  await other.get('/api/auth/session');
  await other.get('/api/auth/session');
  expect(asked()).toBe(1);
});
