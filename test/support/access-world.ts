import { randomUUID } from 'node:crypto';
import { CommandBus } from '@nestjs/cqrs';
import { ApproveCreator, SuspendCreator } from '../../application/publishing/creators/decide-on-creator.js';
import { HttpClient } from './http-client.js';
import type { TestProduct } from './product.js';
import { upload, wav } from './publishing.js';
import { grantRoles } from './staff.js';
import { stock } from './stock.js';

/** A recording that another person published first. */
const COPIED = wav(777, 0.3);

export const CALLERS = [
  'visitor',
  'ended session',
  'listener',
  'other creator',
  'suspended creator',
  'owner',
  'admin',
  'finance',
  'staff without second factor',
] as const;
export type Caller = (typeof CALLERS)[number];

/** The things of one person, which the calls name. */
export interface Things {
  userId: string;
  handle: string;
  packId: string;
  slug: string;
  /** The slug of a second draft, which is addressed by slug. */
  otherSlug: string;
  sampleId: string;
  /** A preview in the draft. */
  preview: string;
  uploadId: string;
  statementId: string;
  copyId: string;
  complaintId: string;
  boughtId: string;
  certificateId: string;
  archiveId: string;
  passkeyId: string;
  sessionId: string;
  tokenId: string;
  projectId: string;
  workbenchId: string;
  collectionId: string;
  exportId: string;
}

/** Ids that are well formed but name nothing. */
export function absentThings(): Things {
  const sampleId = randomUUID();
  return {
    userId: randomUUID(),
    handle: 'nobody-at-all',
    packId: randomUUID(),
    slug: 'no-such-pack',
    otherSlug: 'no-such-pack-either',
    sampleId,
    preview: `${randomUUID()}.mp3`,
    uploadId: randomUUID(),
    statementId: randomUUID(),
    copyId: `${sampleId}-1`,
    complaintId: randomUUID(),
    boughtId: randomUUID(),
    certificateId: randomUUID(),
    archiveId: randomUUID(),
    passkeyId: randomUUID(),
    sessionId: randomUUID(),
    tokenId: randomUUID(),
    projectId: randomUUID(),
    workbenchId: randomUUID(),
    collectionId: randomUUID(),
    exportId: randomUUID(),
  };
}

export interface AccessWorld {
  callers: Record<Caller, HttpClient>;
  owned: Things;
  /** The suspended creator's own things. */
  atHome: Things;
}

export async function buildAccessWorld(product: TestProduct): Promise<AccessWorld> {
  const { database } = product.resources;
  const commands = product.app.get(CommandBus, { strict: false });
  const creator = async () => {
    const client = await product.signedUp();
    await client.becomeCreator();
    await commands.execute(new ApproveCreator(client.userId, 'root'));
    return client;
  };
  const staff = async (...roles: ('admin' | 'finance')[]) => {
    const client = await product.signedUp();
    await grantRoles(database, client.userId, ...roles);
    return client;
  };
  const callers: Record<Caller, HttpClient> = {
    visitor: product.browser(),
    'ended session': await endedSession(product),
    listener: await product.signedUp(),
    'other creator': await creator(),
    'suspended creator': await creator(),
    owner: await creator(),
    admin: await staff('admin'),
    finance: await staff('finance'),
    'staff without second factor': await staff('admin', 'finance'),
  };
  await database.pool.query('update session set second_factor_at = now() where user_id = any($1)', [
    [callers.admin.userId, callers.finance.userId],
  ]);
  const first = await creator();
  const pack = (await first.post('/api/creator/packs', { name: 'First', genre: 'Lofi', mood: 'Chill' })).body;
  await upload(first, `/api/creator/packs/${pack.id}/samples`, { bytes: COPIED });
  await first.post(`/api/creator/packs/${pack.id}/publish`);
  const owned = await thingsOf(product, callers.owner, pack.id);
  const suspended = callers['suspended creator'];
  const atHome = await thingsOf(product, suspended, pack.id);
  await commands.execute(new SuspendCreator(suspended.userId, 'root', 'theft'));
  return { callers, owned, atHome };
}

/** Returns a client with the token of a session that its owner has ended. */
async function endedSession(product: TestProduct): Promise<HttpClient> {
  const leaver = await product.signedUp();
  const [token = ''] = leaver.cookies.values();
  await leaver.post('/api/auth/sign-out', {});
  return new HttpClient(product.url, token);
}

/** Creates a draft with two samples, and one of everything else that a person can have. */
async function thingsOf(product: TestProduct, client: HttpClient, othersPackId: string): Promise<Things> {
  const { userId } = client;
  const face = { name: `Pack ${randomUUID()}`, genre: 'Lofi', mood: 'Chill' };
  const { id: packId, slug, creatorHandle: handle } = (await client.post('/api/creator/packs', face)).body;
  const second = await client.post('/api/creator/packs', { ...face, name: `Pack ${randomUUID()}` });
  const uploadId = randomUUID();
  const add = (bytes: Buffer, query = '') =>
    upload(client, `/api/creator/packs/${packId}/samples${query}`, { bytes });
  const sample = (await add(COPIED, `?uploadId=${uploadId}`)).body.sample;
  // Uses a new recording: the preview of a recording that another creator sells is public.
  const preview = (await add(wav(undefined, 0.3))).body.sample.previewUrl.split('/').at(-1);
  const claim = { sampleId: sample.id, kind: 'own work', text: 'Mine' };
  const copy = await client.post('/api/creator/copies', claim);
  const complaint = await client.post('/api/complaints', {
    subject: { kind: 'pack', id: othersPackId },
    kind: 'other',
    statement: 'This is not what its description says it is.',
    inGoodFaith: true,
    isTrue: true,
  });
  return {
    userId,
    handle,
    packId,
    slug,
    otherSlug: second.body.slug,
    sampleId: sample.id,
    preview,
    uploadId,
    copyId: copy.body.id,
    complaintId: complaint.body.id,
    ...(await purchaseOf(product, client)),
    sessionId: await otherSession(client),
    projectId: (await client.post('/api/projects', { name: 'Last bus', tempo: 90 })).body.id as string,
    workbenchId: (await client.post('/api/workbenches', { name: 'Last bus', tempo: 90 })).body.id as string,
    tokenId: (await client.post('/api/tokens', { name: 'Sync', scopes: ['library:read'] })).body.id as string,
    collectionId: (await client.post('/api/collections/own', { name: 'Finds' })).body.id as string,
    // Comes last: after the passkey is inserted, a password alone starts no session.
    ...(await insertedThings(product, userId)),
  };
}

async function purchaseOf(product: TestProduct, client: HttpClient) {
  const { database, storage, creditExecutor, eventStore, logSubscriptions } = product.resources;
  const [boughtId = ''] = await stock(database, 1, { prefix: `bought-${client.userId}-` });
  await storage.put(`Users/x/${boughtId}`, Buffer.from('RIFF'), { contentType: 'audio/wav' });
  const grant = { userId: client.userId, grantId: randomUUID(), credits: 1, grantedAt: new Date() };
  await creditExecutor.grantPromotion(grant, { correlationId: 'test' });
  const headers = { 'idempotency-key': randomUUID() };
  const bought = await client.post('/api/downloads', { sampleId: boughtId, expectedCredits: 1 }, { headers });
  const archive = await client.post('/api/library/archives', { sampleIds: [boughtId] });
  const { position } = await eventStore.head();
  await logSubscriptions.caughtUp(position, 20_000, ['certificates']);
  return { boughtId, certificateId: bought.body.certificateId, archiveId: archive.body.id };
}

/** Inserts things that would otherwise need a bank, a device or a worker. */
async function insertedThings({ resources: { database } }: TestProduct, userId: string) {
  const [statementId, passkeyId, exportId] = [randomUUID(), randomUUID(), randomUUID()];
  await database.pool.query(
    `insert into payout (withdrawal_id, creator_id, version, account_id, amount_usd_cents, spans, deducted_micro_usd, status, requested_at)
     values ($1, $2, 1, 'acct_x', 1000, '[]', 0, 'paid', now())`,
    [statementId, userId],
  );
  await database.pool.query(
    `insert into passkey (credential_id, user_id, public_key, counter, transports, backed_up, name, created_at)
     values ($1, $2, '', 0, '{}', false, 'Key', now())`,
    [passkeyId, userId],
  );
  await database.pool.query(
    `insert into prepared_export (export_id, user_id, kind, parameters, filename, content_type, state, size_bytes, ordered_at, expires_at)
     values ($1, $2, 'personal-data', '{}', 'copy.json', 'application/json', 'ready', 2, now(), now() + interval '7 days')`,
    [exportId, userId],
  );
  return { statementId, passkeyId, exportId };
}

async function otherSession(client: HttpClient): Promise<string> {
  const elsewhere = new HttpClient(client.url);
  await elsewhere.post('/api/auth/sign-in', { email: client.email, password: 'a fine pass phrase' });
  const { items } = (await client.get('/api/me/sessions')).body;
  return items.find(({ current }: { current: boolean }) => !current)?.id ?? '';
}
