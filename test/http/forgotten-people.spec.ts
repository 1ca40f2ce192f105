import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CURRENT_CONSENT } from '../../application/subscriptions/values.js';
import { ForgetPayers } from '../../application/payments/forget-payers.js';
import { ForgetFolders } from '../../application/storage/forget-folders.js';
import type { State } from '../../simulators/stripe/state.js';
import { FilledBodies } from '../support/filled-bodies.js';
import type { ApiDescription } from '../support/fuzz.js';
import { keyed, type HttpAnswer, type HttpClient } from '../support/http-client.js';
import { allowLog } from '../support/log.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { upload, wav } from '../support/publishing.js';
import { grantRoles, signedUpAs } from '../support/staff.js';
import { VirtualPasskey } from '../support/virtual-passkey.js';

const NAME = 'Zora Quint';
const EMAIL = 'zora@example.com';
/** Also matches the name in folders, addresses and mails. */
const NAMED = String.raw`zora([ _+.-]|%20|\\u0020)?quint|zora(@|%40)example`;

/** Texts that erasure keeps, with the reason. */
const STAYS: Record<string, string> = {
  'POST /api/creator/packs name': 'a work’s title, which its buyers have',
  'POST /api/creator/packs description': 'what is said of a work',
  'PATCH /api/creator/packs/{id} name': 'a work’s title',
  'PATCH /api/creator/packs/{id} description': 'what is said of a work',
  'PATCH /api/creator/packs/{id}/samples/{sampleId} name': 'a work’s title',
};
/** Texts that are about no person or are not stored. */
const ABOUT_NOBODY = [
  // Proofs and secrets: stored as hashes or not at all.
  /^\S+ \/api\/auth\/(confirm|password|passkey|second-factor|sign-in|undo-email|verify-email)/,
  /^POST \/api\/auth\/sign-up password$/,
  /^\S+ \/api\/mailing-list\/(join|leave) /,
  /^POST \/api\/me\/(authenticator-app\/confirm|passkeys passkey)/,
  // Checked or searched for, and not stored.
  /^POST \/api\/samples\/by-sound /,
  /^POST \/api\/creator\/packs\/\{id\}\/splits /,
  /^POST \/api\/promotions\/redeem /,
  /^POST \/api\/certificates\/(verify|\{id\}\/dispute-pack) /,
  /^POST \/api\/finance\/missing-facts\/certificates /,
  /^POST \/api\/crashes /,
  // The code of a gift, of which only the hash is stored.
  /^POST \/api\/gifts\/redeem code$/,
  // Ids and addresses of things under other names.
  /^PUT \/api\/admin\/featured-collections /,
  /^POST \/api\/credits\/purchase /,
  /^DELETE \/api\/packs /,
  /^POST \/api\/stripe\/(connect\/create-account userId|create-checkout-session userId)/,
  /^PUT \/api\/creator\/profile samples\.fileUrl$/,
  // Account names of finance's own software.
  /^PUT \/api\/finance\/account-map /,
  // Complaints have a test of their own: [COMP-21].
  /^\S+ \/api\/(admin\/)?complain/,
  // Books and limits of the staff.
  /^POST \/api\/admin\/limits /,
  /^POST \/api\/finance\/(adjusting-entries|open-items\/notes|periods|stripe-report)/,
  // The same command as for administrators.
  /^POST \/api\/finance\/approvals\/\{id\}\/decline /,
  // The same command as for roles. It stores the text about the creator outside the log.
  /^POST \/api\/finance\/sales-under-review\/\{purchaseId\}\/release /,
  // The same command as for roles. The table of issued certificates stores the certificate, and erasure clears both.
  /^POST \/api\/finance\/missing-facts\/purchases /,
];

let product: TestProduct;
let bodies: FilledBodies;
let texts: string[];
const reached = new Set<string>();

beforeAll(async () => {
  product = await startTestProduct({ AUTO_APPROVE_CREATORS: 'off' });
  const api = (await product.browser().get('/api/openapi.json')).body as ApiDescription;
  bodies = new FilledBodies(api, { text: NAME, email: EMAIL });
  texts = Object.entries(api.paths).flatMap(([route, methods]) =>
    Object.keys(methods).flatMap((method) =>
      bodies.textsOf(method, route).map((text) => `${method.toUpperCase()} ${route} ${text}`),
    ),
  );
});

afterAll(() => product?.stop());

/** Sends a body in which every text names Zora. The product must accept it. */
async function say(
  client: HttpClient,
  endpoint: string,
  ids: Record<string, string> = {},
  given: Record<string, unknown> = {},
): Promise<HttpAnswer> {
  const [method = '', route = ''] = endpoint.split(' ');
  const path = route.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? ''));
  const answer = await client.call(method, path, bodies.body(method, route, given), keyed());
  if (answer.status >= 300)
    throw new Error(`${endpoint}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 500)}`);
  for (const said of bodies.textsOf(method, route))
    if (!(said in given) || new RegExp(NAMED).test(String(given[said]))) reached.add(`${endpoint} ${said}`);
  return answer;
}

async function settled(): Promise<void> {
  const { eventStore, logSubscriptions } = product.resources;
  const { position } = await eventStore.head();
  await logSubscriptions.caughtUp(position, 20_000, ['copy-mails', 'carry-out-copies', 'certificates']);
}

async function approved(admin: HttpClient, client: HttpClient): Promise<void> {
  await client.becomeCreator();
  const path = `/api/admin/creator-applications/${client.userId}/approve`;
  expect((await admin.post(path, {})).status).toBe(200);
}

/** Creates an unpublished pack with one sound. */
async function packOf(client: HttpClient, bytes: Buffer): Promise<{ packId: string; sampleId: string }> {
  const face = { name: 'Tapes', genre: 'Soul', mood: 'Chill' };
  const packId = (await client.post('/api/creator/packs', face)).body.id as string;
  const meta = { name: 'Tape' };
  const added = await upload(client, `/api/creator/packs/${packId}/samples`, { bytes }, { meta });
  return { packId, sampleId: added.body.sample.id };
}

const publish = (client: HttpClient, packId: string) => client.post(`/api/creator/packs/${packId}/publish`);

/** Sends every text that Zora writes. */
async function zoraSpeaks(zora: HttpClient): Promise<void> {
  await say(zora, 'PATCH /api/me', {}, { email: 'zora.quint@example.com' });
  const socials = Object.fromEntries(
    ['twitter', 'instagram', 'tiktok', 'youtube'].map((site) => [site, 'zora_quint']),
  );
  await say(zora, 'PUT /api/creator/profile', {}, { samples: [], ...socials });
  await say(zora, 'POST /api/mailing-list');
  await say(zora, 'POST /api/withdrawals');
  await say(zora, 'POST /api/library/history');
  await say(zora, 'PUT /api/library/saved/{itemId}', { itemId: NAME });
  await say(zora, 'POST /api/library/saved/import');
  await say(zora, 'POST /api/library/downloads/import');
  await say(zora, 'PUT /api/library/file-names', {}, { template: '{title} zora_quint' });
  await say(zora, 'POST /api/collections/own', {}, { sampleIds: [] });
  const { id } = (await zora.get('/api/collections/own')).body.items[0];
  await say(zora, 'PATCH /api/collections/own/{id}', { id });
  await say(zora, 'POST /api/auth/password/forgot');
  await say(zora, 'POST /api/stripe/connect/create-account', {}, { userId: zora.userId, country: 'US' });
  await say(
    zora,
    'PUT /api/creator/tax-details',
    {},
    { kind: 'person', country: 'DE', birthDate: null, taxIds: [] },
  );
  const song = { tempo: 90, key: null, timeSignature: '4/4' };
  const project = (await say(zora, 'POST /api/projects', {}, { ...song, id: undefined })).body;
  await say(zora, 'PATCH /api/projects/{id}', { id: project.id }, song);
  const workbench = (await say(zora, 'POST /api/workbenches', {}, { ...song, id: undefined, lanes: [] }))
    .body;
  await say(zora, 'PUT /api/workbenches/{id}', { id: workbench.id }, { ...song, lanes: [] });
  const order = (await zora.post('/api/me/passkeys/options')).body;
  const passkey = new VirtualPasskey(product.url.replace('127.0.0.1', 'localhost'), order.user.id);
  const given = { passkey: passkey.made(order) };
  await say(zora, 'POST /api/me/passkeys', {}, given);
  await say(zora, 'PATCH /api/me/passkeys/{id}', { id: passkey.id });
  await say(zora, 'POST /api/tokens', {}, { scopes: ['library:read'], expiresAt: undefined });
}

/** Sends every text that others write about Zora. */
async function othersSpeak(admin: HttpClient, second: HttpClient, zora: HttpClient): Promise<void> {
  const about = { userId: zora.userId };
  const path = { ...about, role: 'finance' };
  await say(
    admin,
    'POST /api/admin/adjustments',
    {},
    { ...about, credits: 5, makesGood: undefined, valueUsdCents: 0 },
  );
  const asked = await say(admin, 'POST /api/admin/staff/{userId}/roles/{role}', path);
  await say(second, 'POST /api/admin/approvals/{id}/decline', { id: asked.body.id });
  await grantRoles(product.resources.database, zora.userId, 'finance');
  const revoke = await say(admin, 'POST /api/admin/staff/{userId}/roles/{role}/revoke', path);
  await say(second, 'POST /api/admin/approvals/{id}/approve', { id: revoke.body.id });
  for (const what of ['sample', 'defect', 'pack'] as const) {
    const { packId, sampleId } = await packOf(zora, wav());
    expect((await publish(zora, packId)).status).toBe(200);
    if (what === 'defect') await say(admin, 'POST /api/admin/defects', {}, { sampleId });
    else await say(admin, 'POST /api/admin/takedowns', {}, what === 'pack' ? { packId } : { sampleId });
  }
  await say(admin, 'POST /api/admin/creators/{userId}/suspend', about);
}

/** Zora pays for a plan, buys a sound, and gets the rest of the money back. */
async function zoraPays(admin: HttpClient, zora: HttpClient, sampleId: string): Promise<void> {
  // A gift to herself stands for gifts that others send to her address as well.
  await say(zora, 'POST /api/checkout', {}, { product: 'top-up-25', quantity: 1, giftTo: EMAIL });
  const checkout = await zora.post('/api/stripe/create-checkout-session', { plan: 'starter' });
  await fetch(checkout.body.url, { method: 'POST', body: new URLSearchParams({ outcome: 'paid' }) });
  const credits = async () => (await zora.get('/api/credits')).body.balance as number;
  while ((await credits()) === 0) await pause(20);
  await zora.post('/api/me/contracts/consent', { version: CURRENT_CONSENT });
  const bought = await zora.post('/api/downloads', { sampleId, expectedCredits: 1 }, keyed());
  expect(bought.status).toBe(201);
  await settled();
  expect((await zora.get(`/api/certificates/${bought.body.certificateId}`)).status).toBe(200);
  const { rows } = await product.resources.database.pool.query<{ invoice_id: string }>(
    'select invoice_id from stripe_invoice where user_id = $1',
    [zora.userId],
  );
  await say(admin, 'POST /api/admin/refunds', {}, { invoiceId: rows[0]?.invoice_id });
}

/** Returns the columns of the database that contain the name. */
async function tablesNaming(): Promise<string[]> {
  const { pool } = product.resources.database;
  const { rows: columns } = await pool.query<{ place: string; column: string; type: string }>(
    `select format('%I.%I', table_schema, table_name) as place, quote_ident(column_name) as column, data_type as type
       from information_schema.columns join information_schema.tables using (table_schema, table_name)
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  const found: string[] = [];
  for (const { place, column, type } of columns) {
    const text = type === 'bytea' ? `encode(${column}, 'escape')` : `${column}::text`;
    const { rowCount } = await pool.query(`select 1 from ${place} where ${text} ~* $1 limit 1`, [NAMED]);
    if (rowCount) found.push(`${place}.${column}`);
  }
  return found.sort();
}

/** Returns storage keys that contain the name, and documents of ours that do. */
async function objectsNaming(): Promise<string[]> {
  const { storage } = product.resources;
  const named = new RegExp(NAMED, 'i');
  const found: string[] = [];
  for (const { key } of (await storage.list({ prefix: '', limit: 10_000 })).objects) {
    if (named.test(key)) found.push(key);
    if (!key.endsWith('.json')) continue;
    if (named.test(await text((await storage.get(key)).body))) found.push(`${key} (inside)`);
  }
  return found;
}

/** As docs/stripe.md states. */
const STRIPE_KEEPS = new Set([
  'invoices',
  'charges',
  'checkoutSessions',
  'paymentMethods',
  'accounts',
  'events',
  'idempotency',
]);

function providerNaming(): string[] {
  const file = join(product.dataDir, 'stripe-simulator.json');
  const { objects, ...state } = JSON.parse(readFileSync(file, 'utf8')) as State;
  const open = Object.values(objects.checkoutSessions).filter(({ status }) => status === 'open');
  const kinds = Object.entries({ ...objects, ...state, open }).filter(([kind]) => !STRIPE_KEEPS.has(kind));
  return kinds.flatMap(([kind, all]) => (new RegExp(NAMED, 'i').test(JSON.stringify(all)) ? [kind] : []));
}

it('[GONE-12] of somebody who was erased, whatever was said about them and wherever, no name is left', async () => {
  // Two statements at once are one fact, so the second job retries.
  allowLog(/copy-mails about event \d+ failed .* is under way elsewhere$/);
  const admin = await signedUpAs(product, 'admin');
  const second = await signedUpAs(product, 'admin');
  const zora = product.browser();
  const made = await say(zora, 'POST /api/auth/sign-up', {}, { password: 'a fine pass phrase' });
  Object.assign(zora, { userId: made.body.user.id, email: made.body.user.email });
  const links = [`https://example.com/${NAME.replace(' ', '_')}`];
  await say(zora, 'POST /api/creator/application', {}, { links });
  reached.add('POST /api/creator/application links');
  await say(admin, 'POST /api/admin/creator-applications/{userId}/ask', { userId: zora.userId });
  await say(admin, 'POST /api/admin/creator-applications/{userId}/decline', { userId: zora.userId });
  await approved(admin, zora);
  await say(admin, 'POST /api/admin/creators/{userId}/verify', { userId: zora.userId });
  await zora.patch('/api/me', { displayName: `${NAME} II` });
  await say(admin, 'DELETE /api/admin/people/{userId}/sessions', { userId: zora.userId });
  await zora.post('/api/auth/sign-in', { email: EMAIL, password: 'a fine pass phrase' });
  const other = await product.signedUp('other@example.com');
  await approved(admin, other);

  let theirs = { packId: '', sampleId: '' };
  let hers = theirs;
  for (const decision of ['refused', 'take-down', 'swap', 'still open'] as const) {
    const bytes = wav();
    [theirs, hers] = [await packOf(other, bytes), await packOf(zora, bytes)];
    await publish(other, theirs.packId);
    expect((await publish(zora, hers.packId)).body.code).toBe('DuplicateAudio');
    const copy = (await say(zora, 'POST /api/creator/copies', {}, { sampleId: hers.sampleId })).body.id;
    await say(zora, 'POST /api/creator/copies/{id}/licence', { id: copy });
    await say(other, 'POST /api/creator/copies/{id}/answer', { id: copy });
    if (decision === 'refused')
      await say(admin, 'POST /api/admin/copies/{id}/decide', { id: copy }, { decision });
    if (decision === 'take-down' || decision === 'swap')
      await say(admin, `POST /api/admin/copies/{id}/${decision}`, { id: copy });
  }
  await zoraSpeaks(zora);
  for (const [client, about] of [
    [zora, theirs],
    [other, hers],
  ] as const)
    await say(client, 'POST /api/reports', {}, { kind: 'pack', id: about.packId });
  const place = { id: hers.packId, uploadId: randomUUID() };
  await say(zora, 'PUT /api/creator/packs/{id}/uploads/{uploadId}', place, { sampleId: undefined });
  await zoraPays(admin, zora, theirs.sampleId);
  const own = { sampleIds: [theirs.sampleId] };
  await say(zora, 'POST /api/library/archives', {}, own);
  await othersSpeak(admin, second, zora);
  await settled();
  expect((await tablesNaming()).length).toBeGreaterThan(20);
  const left = texts.filter((text) => !reached.has(text) && !(text in STAYS));
  expect(left.filter((text) => !ABOUT_NOBODY.some((pattern) => pattern.test(text)))).toEqual([]);

  expect((await zora.delete('/api/me')).status).toBe(204);
  await settled();
  await product.app.get(ForgetFolders, { strict: false }).run();
  await product.app.get(ForgetPayers, { strict: false }).run();
  // Mails to others belong to their recipients. The mailbox stands for their mail servers.
  expect(await tablesNaming()).toEqual(['public.mailbox.text']);
  const { pool } = product.resources.database;
  const { rows: mails } = await pool.query<{ recipient: string }>('select recipient from mailbox');
  expect(mails.filter(({ recipient }) => recipient.startsWith('zora'))).toEqual([]);
  expect(await objectsNaming()).toEqual([]);
  expect(providerNaming()).toEqual([]);
});
