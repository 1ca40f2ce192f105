import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import sharp from 'sharp';
import { ApproveCreator, SuspendCreator } from '../../application/publishing/creator-commands.js';
import type { HttpAnswer, HttpClient } from '../support/http-client.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { upload, wav } from '../support/publishing.js';
import { allRoutes } from '../support/routes.js';
import { grantRoles } from '../support/staff.js';

/** Who calls; all but the last two call for the owner's things. */
const PEOPLE = [
  'visitor',
  'listener',
  'other creator',
  'suspended creator',
  'admin',
  'suspended, at home',
  'owner',
] as const;
type Person = (typeof PEOPLE)[number];

/** What a caller calls for: ids that exist. */
interface Things {
  userId: string;
  packId: string;
  slug: string;
  folder: string;
  sampleId: string;
  uploadId: string;
  statementId: string;
}

interface Call {
  body?: (things: Things) => object | undefined;
  form?: () => FormData;
  /** Of PEOPLE, in that order. */
  answers: readonly number[];
}

/** About the caller alone: everybody who is signed in gets their own. */
const own = (done: number, more: Omit<Call, 'answers'> = {}): Call => ({
  ...more,
  answers: [401, done, done, done, done, done, done],
});
/** The same, for approved creators. */
const ownAsCreator = (done: number, more: Omit<Call, 'answers'> = {}): Call => ({
  ...more,
  answers: [401, 403, done, 403, 403, 403, done],
});
/** The same, for suspended ones too: what they earned stays theirs to read. */
const ownAsPayee = (): Call => ({ answers: [401, 403, 200, 200, 403, 200, 200] });
/** A thing of the owner's: absent for everybody else. */
const theirs = (done: number, more: Omit<Call, 'answers'> = {}): Call => ({
  ...more,
  answers: [401, 404, 404, 404, 404, done, done],
});
/** The same, where only approved creators may try. */
const theirsAsCreator = (done: number, more: Omit<Call, 'answers'> = {}): Call => ({
  ...more,
  answers: [401, 403, 404, 403, 403, 403, done],
});

/** The same, where suspended ones may too. */
const theirsAsPayee = (): Call => ({ answers: [401, 403, 404, 404, 403, 200, 200] });

const blob = (bytes: Buffer): Blob => new Blob([new Uint8Array(bytes)]);
const form = (part: string, bytes: Buffer, name: string) => (): FormData => {
  const data = new FormData();
  data.set(part, blob(bytes), name);
  return data;
};
const picture = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#a33' } })
  .png()
  .toBuffer();
const STEMS = Buffer.from('PK\x03\x04 and so on', 'latin1');
const MIDI = Buffer.from('MThd\0\0\0\x06\0\0\0\x01\0\x60', 'latin1');

/** Every creator route there is, and what each caller gets. A route that is not here fails. */
const TABLE: Record<string, Call> = {
  'POST /api/creator/application': { answers: [401, 201, 409, 403, 201, 403, 409] },
  'GET /api/creator': own(200),
  'GET /api/creator/uploads/:uploadId': theirs(200),
  'POST /api/storage/cleanup-images': own(200),
  'DELETE /api/packs': {
    body: ({ slug, userId, folder }) => ({ slug, userId, userFolder: folder }),
    answers: [401, 403, 403, 403, 403, 200, 200],
  },
  'GET /api/creator/packs': own(200),
  'POST /api/creator/packs': own(201, {
    body: () => ({ name: `New ${randomUUID()}`, genre: 'Lofi', mood: 'Chill' }),
  }),
  'GET /api/creator/packs/:id': theirs(200),
  'PATCH /api/creator/packs/:id': theirs(200, { body: () => ({ description: 'Changed' }) }),
  'DELETE /api/creator/packs/:id': theirs(204),
  'PUT /api/creator/packs/:id/cover': theirs(200, { form: form('image', picture, 'c.png') }),
  'PUT /api/creator/packs/:id/order': theirs(200, { body: ({ sampleId }) => ({ sampleIds: [sampleId] }) }),
  'POST /api/creator/packs/:id/default-cost': theirs(200, {
    body: () => ({ creditCost: 4, applyToAll: true }),
  }),
  'POST /api/creator/packs/:id/publish': theirsAsCreator(200),
  'POST /api/creator/packs/:id/unpublish': theirs(409),
  'GET /api/creator/packs/:id/export.zip': theirs(200),
  'POST /api/creator/packs/:id/samples': theirsAsCreator(201, {
    form: form('audio', wav(333, 0.3), 'b.wav'),
  }),
  'PATCH /api/creator/packs/:id/samples': theirs(200, {
    body: ({ sampleId }) => ({ changes: [{ sampleId, name: 'Changed' }] }),
  }),
  'PATCH /api/creator/packs/:id/samples/:sampleId': theirs(200, { body: () => ({ name: 'Changed' }) }),
  'DELETE /api/creator/packs/:id/samples/:sampleId': theirs(204),
  'PUT /api/creator/packs/:id/samples/:sampleId/audio': theirsAsCreator(200, {
    form: form('audio', wav(444, 0.3), 'c.wav'),
  }),
  'PUT /api/creator/packs/:id/samples/:sampleId/stems': theirsAsCreator(200, {
    form: form('file', STEMS, 's.zip'),
  }),
  'PUT /api/creator/packs/:id/samples/:sampleId/midi': theirsAsCreator(200, {
    form: form('file', MIDI, 'm.mid'),
  }),
  'GET /api/creator/ai-preference': own(200),
  'PUT /api/creator/ai-preference': own(200, { body: () => ({ trains: false }) }),
  'GET /api/creator/copies': own(200),
  // Nothing of theirs is suspected.
  'POST /api/creator/copies': own(404, {
    body: ({ sampleId }) => ({ sampleId, kind: 'own work', text: 'Mine' }),
  }),
  'POST /api/creator/copies/:id/licence': own(404, { body: () => ({ kind: 'own work', text: 'Mine' }) }),
  'POST /api/creator/copies/:id/answer': own(404, { body: () => ({ text: 'Mine' }) }),
  'GET /api/creator/profile': own(200),
  'PUT /api/creator/profile': own(200, { body: () => ({ bio: 'Words' }) }),
  'PUT /api/creator/avatar': own(200, { form: form('image', picture, 'a.png') }),
  'GET /api/creator/featured-candidates': own(200),
  'GET /api/creator/dashboard': own(200),
  'GET /api/creator/sales': ownAsPayee(),
  'GET /api/creator/balance': ownAsPayee(),
  'GET /api/creator/payout-schedule': ownAsPayee(),
  'PUT /api/creator/payout-schedule': ownAsCreator(200, { body: () => ({ schedule: 'monthly' }) }),
  // Nothing to withdraw: refused by a rule, after everybody else was refused access.
  'POST /api/creator/withdrawals': ownAsCreator(422, { body: () => ({}) }),
  'GET /api/creator/statements': ownAsPayee(),
  'GET /api/creator/statements.csv': ownAsPayee(),
  'GET /api/creator/statements/:id': theirsAsPayee(),
  'GET /api/creator/statements/:id.csv': theirsAsPayee(),
  'POST /api/stripe/connect/create-account': ownAsCreator(200, { body: () => ({ country: 'US' }) }),
  'GET /api/stripe/connect/countries': ownAsPayee(),
  'GET /api/stripe/connect/status/:userId': { answers: [401, 403, 403, 403, 403, 200, 200] },
};

const IS_CREATOR_ROUTE = /^\/api\/(creator(\/|\.|$)|stripe\/connect\/|storage\/cleanup-images$|packs$)/;

let product: TestProduct;
const people = {} as Record<Person, HttpClient>;
let names = 0;

/** A draft with a sample, an upload and a statement. */
async function thingsOf(client: HttpClient): Promise<Things> {
  const pack = await client.post('/api/creator/packs', {
    name: `Pack ${(names += 1)}`,
    genre: 'Lofi',
    mood: 'Chill',
  });
  const uploadId = randomUUID();
  const path = `/api/creator/packs/${pack.body.id}/samples?uploadId=${uploadId}`;
  const added = await upload(client, path, { bytes: wav(220, 0.3), name: 'a.wav' });
  const statementId = randomUUID();
  await product.resources.database.pool.query(
    `insert into payout (withdrawal_id, creator_id, version, account_id, amount_usd_cents, spans, deducted_micro_usd, status, requested_at)
     values ($1, $2, 1, 'acct_x', 1000, '[]', 0, 'paid', now())`,
    [statementId, client.userId],
  );
  const { id: packId, slug, creatorHandle: folder } = pack.body;
  return {
    userId: client.userId,
    packId,
    slug,
    folder,
    sampleId: added.body.sample.id,
    uploadId,
    statementId,
  };
}

function call(client: HttpClient, route: string, things: Things): Promise<HttpAnswer> {
  const { body, form: data } = TABLE[route] as Call;
  const [method = '', path = ''] = route.split(' ');
  const address = path
    .replace('/statements/:id', `/statements/${things.statementId}`)
    .replace(':id', things.packId)
    .replace(':sampleId', things.sampleId)
    .replace(':uploadId', things.uploadId)
    .replace(':userId', things.userId);
  const headers = { 'idempotency-key': randomUUID() };
  return client.call(method, address, data ? undefined : body?.(things), {
    headers,
    ...(data ? { raw: data() } : {}),
  });
}

beforeAll(async () => {
  product = await startTestProduct({ AUTO_APPROVE_CREATORS: 'off' });
  const commands = product.app.get(CommandBus, { strict: false });
  const creator = async () => {
    const client = await product.signedUp();
    await client.post('/api/creator/application', {});
    await commands.execute(new ApproveCreator(client.userId, 'root'));
    return client;
  };
  const admin = await product.signedUp();
  await grantRoles(product.resources.database, admin.userId, 'admin');
  Object.assign(people, {
    visitor: product.browser(),
    listener: await product.signedUp(),
    'other creator': await creator(),
    'suspended creator': await creator(),
    admin,
    owner: await creator(),
  });
}, 60_000);
afterAll(() => product?.stop());

it('declares every creator route, and none that is not there', async () => {
  const there = (await allRoutes())
    .filter(({ method, path }) => IS_CREATOR_ROUTE.test(path) && (path !== '/api/packs' || method !== 'GET'))
    .map(({ method, path }) => `${method} ${path}`);
  expect(Object.keys(TABLE).sort()).toEqual(there.sort());
});

describe('creator routes × callers', () => {
  let owned: Things;
  let atHome: Map<string, Things>;

  beforeAll(async () => {
    owned = await thingsOf(people.owner);
    const suspended = people['suspended creator'];
    people['suspended, at home'] = suspended;
    atHome = new Map();
    for (const route of Object.keys(TABLE).filter(
      (each) => (TABLE[each] as Call).answers[5] !== 403 && /:|DELETE/.test(each),
    ))
      atHome.set(route, await thingsOf(suspended));
    const commands = product.app.get(CommandBus, { strict: false });
    await commands.execute(new SuspendCreator(suspended.userId, 'root', 'theft'));
  }, 120_000);

  it.each(PEOPLE.slice(0, 5))(
    '[ROLE-05] [ACC-04] %s gets nothing of the owner’s and changes nothing',
    async (person) => {
      const before = (await people.owner.get(`/api/creator/packs/${owned.packId}`)).body;
      const answers: Record<string, number> = {};
      const expected: Record<string, number> = {};
      const secrets = [owned.packId, owned.sampleId, owned.userId, owned.statementId];
      for (const [route, { answers: wanted }] of Object.entries(TABLE)) {
        const answer = await call(people[person], route, owned);
        answers[route] = answer.status;
        expected[route] = wanted[PEOPLE.indexOf(person)] as number;
        expect({
          route,
          tells: secrets.filter((secret) => JSON.stringify(answer.body).includes(secret)),
        }).toEqual({ route, tells: [] });
      }
      expect(answers).toEqual(expected);
      expect((await people.owner.get(`/api/creator/packs/${owned.packId}`)).body).toEqual(before);
    },
    60_000,
  );

  it('[ROLE-05, PAY-10] a suspended creator keeps what is theirs, reads what it earned, and neither uploads, publishes nor withdraws', async () => {
    const answers: Record<string, number> = {};
    for (const route of Object.keys(TABLE))
      answers[route] = (await call(people['suspended, at home'], route, atHome.get(route) ?? owned)).status;
    expect(answers).toEqual(
      Object.fromEntries(Object.entries(TABLE).map(([route, { answers: wanted }]) => [route, wanted[5]])),
    );
  }, 60_000);

  it('the owner may do everything', async () => {
    const answers: Record<string, number> = {};
    // What is only read is the same for all; what may change or go is made for each.
    for (const route of Object.keys(TABLE)) {
      const things = route.startsWith('GET') ? owned : await thingsOf(people.owner);
      answers[route] = (await call(people.owner, route, things)).status;
    }
    expect(answers).toEqual(
      Object.fromEntries(Object.entries(TABLE).map(([route, { answers: wanted }]) => [route, wanted[6]])),
    );
  }, 120_000);
});
