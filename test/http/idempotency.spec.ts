import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { Route, type Call } from '../../adapters/platform/http/route.js';
import { endpoint } from '../../application/shared/endpoint.js';
import { hashBody } from '../../adapters/platform/http/idempotency.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';

const Order = z.strictObject({ what: z.string(), held: z.boolean().optional(), count: z.int().optional() });
let effects = 0;
/** Held orders wait for this. */
let released: Promise<void>;

const placeOrder = endpoint('POST /api/probe/order', {
  summary: 'Probe',
  tag: 'Probe',
  access: 'user',
  body: Order,
  answers: { 200: z.any(), 201: z.any() },
  status: 201,
  problems: ['InsufficientCredits'],
  idempotent: true,
});

@Controller()
class OrderController {
  @Route(placeOrder)
  async order({ actor, body: { what, held }, response, refuse }: Call<typeof placeOrder>) {
    if (held) await released;
    if (what === 'too much') refuse({ code: 'InsufficientCredits', balance: ++effects, missing: 2 });
    if (what === 'broken') throw new Error(`broken ${++effects}`);
    if (what === 'old') response.statusCode = 200;
    return { number: ++effects, what, userId: actor.userId };
  }
}

let store: TestDatabase;
let test: TestApp;

beforeAll(async () => {
  store = await startTestDatabase();
  test = await startTestApp({ database: store.database, controllers: [OrderController] });
});

afterAll(async () => {
  await test?.close();
  await store?.close();
});

type Client = Awaited<ReturnType<TestApp['signedUp']>>;
/** Resolves once the key is claimed, at the given time if there is one. */
async function claimed(userId: string, key: string, at?: Date): Promise<void> {
  for (;;) {
    const { rowCount } = await store.database.pool.query(
      `select 1 from idempotent_request where user_id = $1 and key = $2 and started_at = coalesce($3, started_at)`,
      [userId, key, at],
    );
    if (rowCount === 1) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
const order = (client: Client, body: object, key: string = randomUUID()) =>
  client.post('/api/probe/order', body, { headers: { 'idempotency-key': key } });

describe('routes that run once a key', () => {
  it('[API-11] need a key that is a UUID', async () => {
    const client = await test.signedUp();
    expect(await client.post('/api/probe/order', { what: 'a' })).toMatchObject({
      status: 400,
      body: { code: 'IdempotencyKeyMissing' },
    });
    expect((await order(client, { what: 'a' }, 'again')).body.code).toBe('IdempotencyKeyMissing');
  });

  it('[API-11] answer a repeat with the first answer', async () => {
    const client = await test.signedUp();
    const key = randomUUID();
    for (const [body, status] of [
      [{ what: 'new', count: 1 }, 201],
      [{ what: 'old', count: 1 }, 200],
    ] as const) {
      const own = body.what === 'new' ? key : randomUUID();
      const first = await order(client, body, own);
      const before = effects;
      const again = await order(client, { count: 1, what: body.what }, own.toUpperCase());
      expect([first.status, again.status]).toEqual([status, status]);
      expect(again.body).toEqual(first.body);
      expect(first.headers.get('idempotency-replayed')).toBeNull();
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(effects).toBe(before);
    }
  });

  it('[API-11] refuse another body under the same key', async () => {
    const client = await test.signedUp();
    const key = randomUUID();
    await order(client, { what: 'a' }, key);
    expect(await order(client, { what: 'b' }, key)).toMatchObject({
      status: 422,
      body: { code: 'IdempotencyKeyReused' },
    });
  });

  it('[API-11] say that the first one is still running, and run it once', async () => {
    const client = await test.signedUp();
    const key = randomUUID();
    const before = effects;
    let release = (): void => undefined;
    released = new Promise((resolve) => (release = resolve));
    let answered = 0;
    const asked = [1, 2, 3, 4].map(async () => {
      const answer = await order(client, { what: 'a', held: true }, key);
      // The first request waits, so only the three refused ones can answer before the release.
      if (++answered === 3) release();
      return answer;
    });
    const answers = await Promise.all(asked);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('IdempotencyInFlight');
    expect(effects).toBe(before + 1);
  });

  it('[API-11] are one user’s own: the same key of another user is another request', async () => {
    const [ada, eve] = [await test.signedUp(), await test.signedUp()];
    const key = randomUUID();
    const mine = await order(ada, { what: 'a' }, key);
    const theirs = await order(eve, { what: 'a' }, key);
    expect(theirs.body).toMatchObject({ userId: eve.userId });
    expect(theirs.body.number).not.toBe(mine.body.number);
  });

  it('[API-11] repeat a refusal too, with all it carries', async () => {
    const client = await test.signedUp();
    const key = randomUUID();
    const first = await order(client, { what: 'too much' }, key);
    const again = await order(client, { what: 'too much' }, key);
    expect(first).toMatchObject({ status: 402, body: { code: 'InsufficientCredits', missing: 2 } });
    expect({ ...again.body, requestId: 0 }).toEqual({ ...first.body, requestId: 0 });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  it('[API-11] run again after a breakdown or a body that was not valid', async () => {
    const client = await test.signedUp();
    const key = randomUUID();
    const before = effects;
    expect((await order(client, { what: 'broken' }, key)).status).toBe(500);
    expect((await order(client, { what: 'broken' }, key)).status).toBe(500);
    expect(effects).toBe(before + 2);
    expect((await order(client, { what: 7 }, key)).status).toBe(400);
    expect((await order(client, { what: 'a' }, key)).status).toBe(201);
  });

  it('[API-11] one that was slow and is taken over neither undoes nor replaces the other', async () => {
    const client = await test.signedUp();
    for (const what of ['broken', 'a']) {
      const key = randomUUID();
      let [releaseSlow, begun] = [(): void => undefined, effects];
      released = new Promise((resolve) => (releaseSlow = resolve));
      const slow = order(client, { what, held: true }, key);
      await claimed(client.userId, key);
      test.clock.advance(61_000);
      let releaseSecond = (): void => undefined;
      const first = released;
      released = new Promise((resolve) => (releaseSecond = resolve));
      expect(first).not.toBe(released);
      const second = order(client, { what, held: true }, key);
      await claimed(client.userId, key, test.clock.now());
      releaseSlow();
      expect((await slow).status).toBe(what === 'broken' ? 500 : 201);
      // The second request still runs, so a third is refused.
      expect((await order(client, { what, held: true }, key)).body.code).toBe('IdempotencyInFlight');
      releaseSecond();
      const { body } = await second;
      if (what === 'a') expect((await order(client, { what, held: true }, key)).body).toEqual(body);
      expect(effects).toBe((begun += 2));
    }
  });

  it('[API-11] a claim whose node died is taken over after a minute, by the same request only', async () => {
    const client = await test.signedUp();
    const key = randomUUID();
    await store.database.pool.query(
      `insert into idempotent_request (user_id, key, route, request_hash, started_at)
       values ($1, $2, 'POST /api/probe/order', $3, $4)`,
      [client.userId, key, hashBody({ what: 'a' }), test.clock.now()],
    );
    expect((await order(client, { what: 'a' }, key)).status).toBe(409);
    test.clock.advance(61_000);
    expect((await order(client, { what: 'b' }, key)).status).toBe(422);
    expect((await order(client, { what: 'a' }, key)).status).toBe(201);
  });
});
