import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createHash, createPublicKey, randomUUID, verify } from 'node:crypto';
import { CommandBus } from '@nestjs/cqrs';
import { SignedHeads } from '../../application/operations/signed-heads.js';
import { ReturnPurchase } from '../../application/purchases/return-purchases.js';
import type { HttpClient } from '../support/http-client.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { stock } from '../support/stock.js';
import { readZip } from '../support/zip.js';

let product: TestProduct;
let ada: HttpClient;
let sampleId: string;
let certificateId: string;

const BARS = Array.from({ length: 400 }, (_, at) => at % 101);
const compared = { name: 'My song (final).wav', durationMs: 184_000, bars: BARS.slice(0, 60) };

beforeAll(async () => {
  product = await startTestProduct();
  const { database, storage, creditExecutor, eventStore, logSubscriptions } = product.resources;
  ada = await product.signedUp();
  [sampleId = ''] = await stock(database, 1, { prefix: 'dispute-' });
  await storage.put(`Users/x/${sampleId}`, Buffer.from('RIFF'), { contentType: 'audio/wav' });
  await database.pool.query(`update sample set waveform_fine = $1 where sample_id = $2`, [BARS, sampleId]);
  const grant = { userId: ada.userId, grantId: randomUUID(), credits: 1, grantedAt: new Date() };
  await creditExecutor.grantPromotion(grant, { correlationId: 'test' });
  const purchase = { sampleId, expectedCredits: 1 };
  const bought = await ada.post('/api/downloads', purchase, { headers: { 'idempotency-key': randomUUID() } });
  certificateId = bought.body.certificateId;
  const { position } = await eventStore.head();
  expect(await logSubscriptions.caughtUp(position, 10_000, ['certificates'])).toBe(true);
});
afterAll(() => product?.stop());

const path = () => `/api/certificates/${certificateId}/dispute-pack`;

/** Returns the files of the pack, and its JSON. */
async function packWith(body: object) {
  const cookie = [...ada.cookies].map((pair) => pair.join('=')).join('; ');
  const headers = { cookie, origin: product.url, 'content-type': 'application/json' };
  const answer = await fetch(product.url + path(), { method: 'POST', headers, body: JSON.stringify(body) });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
  const files = readZip(Buffer.from(await answer.arrayBuffer()));
  const facts = JSON.parse(String(files.get('dispute pack.json')));
  return { answer, files, facts };
}

const pagesIn = (pdf: Buffer | undefined) =>
  String(pdf?.toString('latin1')).match(/\/Type \/Page\b/g)?.length;

it('[CERT-710] a dispute pack has the certificate, licence text, hashes and waveforms as PDF and JSON', async () => {
  const madeAt = '2026-11-21T12:00:00.000Z';
  await product.resources.database.pool.query(
    `insert into certified_copy (certificate_id, sha256, size_bytes, made_at) values ($1, repeat('b', 64), 9, $2)`,
    [certificateId, madeAt],
  );
  const { answer, files, facts } = await packWith({ compared });
  expect(answer.headers.get('content-disposition')).toContain('Offcut dispute pack');
  expect([...files.keys()]).toEqual(['dispute pack.pdf', 'dispute pack.json', 'how to check.txt']);
  expect(pagesIn(files.get('dispute pack.pdf'))).toBe(2);
  expect(facts).toMatchObject({
    verifyUrl: `${product.url}/certificates/${certificateId}`,
    keysUrl: `${product.url}/.well-known/offcut-keys.json`,
    certificate: (await ada.get(`/api/certificates/${certificateId}`)).body,
    licence: { version: '1.1', text: expect.arrayContaining([expect.stringContaining('your own music')]) },
    copies: [{ sha256: 'b'.repeat(64), sizeBytes: 9, madeAt }],
    returnedAt: null,
    waveforms: { original: BARS, compared },
  });
  expect((await packWith({})).facts.waveforms.compared).toBeNull();
});

it('[CERT-711] the licensed waveform is left out once the sample has other audio', async () => {
  const { database } = product.resources;
  const replace = (sha256: string) =>
    database.pool.query('update sample set original_sha256 = $1 where sample_id = $2', [sha256, sampleId]);
  await replace('d'.repeat(64));
  expect((await packWith({})).facts.waveforms.original).toBeNull();
  await replace('a'.repeat(64));
});

it('[CERT-712] only its licensee gets it, and bars and names have limits', async () => {
  expect(await (await product.signedUp()).post(path(), {})).toMatchObject({
    status: 404,
    body: { code: 'NotFound' },
  });
  expect((await product.browser().post(path(), {})).status).toBe(401);
  for (const wrong of [
    { bars: BARS.slice(0, 49) },
    { bars: Array.from({ length: 601 }, () => 1) },
    { bars: [...BARS.slice(1), 101] },
    { bars: [...BARS.slice(1), 0.5] },
    { name: '' },
    { name: 'x'.repeat(201) },
    { durationMs: 0 },
    { sha256: 'a'.repeat(64) },
  ])
    expect(await ada.post(path(), { compared: { ...compared, ...wrong } })).toMatchObject({
      status: 400,
      body: { code: 'InvalidRequest' },
    });
});

it('[CERT-713] a stranger verifies it with the public keys alone, and any change is found', async () => {
  const unsigned = (await packWith({})).facts;
  expect(unsigned.log.head).toBeNull();
  await product.app.get(SignedHeads).signHour();
  const { body: keys } = await product.browser().get('/.well-known/offcut-keys.json');
  const { facts } = await packWith({});
  for (const pack of [unsigned, facts]) expect(faultsIn(pack, keys)).toEqual([]);
  const { event, head } = facts.log;
  expect(head.position).toBeGreaterThanOrEqual(event.position);
  expect([event.type, JSON.parse(event.data)]).toEqual([
    'SamplePurchased',
    expect.objectContaining({ certificateId, buyerId: ada.userId, sampleId, fileSha256: 'a'.repeat(64) }),
  ]);
  const { log } = facts;
  const changes: [string, object][] = [
    ['certificate', { certificate: { ...facts.certificate, fileSha256: 'b'.repeat(64) } }],
    ['event', { log: { ...log, event: { ...event, data: event.data.replace(ada.userId, 'someone') } } }],
    ['event', { log: { ...log, event: { ...event, recordedAt: '2020-01-01T00:00:00.000Z' } } }],
    ['head', { log: { ...log, head: { ...head, signedAt: '2020-01-01T00:00:00.000Z' } } }],
  ];
  for (const [fault, change] of changes) expect(faultsIn({ ...facts, ...change }, keys)).toContain(fault);
  const elsewhere = { ...log, head: null };
  expect(faultsIn({ ...facts, log: elsewhere }, keys)).toEqual(['statement']);
});

it('[CERT-714] says when the purchase was undone', async () => {
  const purchase = { buyerId: ada.userId, sampleId };
  const why = { reason: 'defect', explanation: 'Only silence' } as const;
  const metadata = { actor: 'system:test', correlationId: 'c' };
  await product.app.get(CommandBus).execute(new ReturnPurchase(purchase, why, metadata));
  const { eventStore } = product.resources;
  const returned = (await eventStore.readStream(`purchase-${ada.userId}.${sampleId}`)).at(-1);
  expect(returned?.type).toBe('PurchaseReturned');
  expect((await packWith({})).facts.returnedAt).toBe(returned?.recordedAt.toISOString());
});

interface Keys {
  certificates: { id: string | null; x: string }[];
  logHeads: { id: string | null; x: string }[];
}

/** Checks a pack as `how to check.txt` says. Uses nothing of the product. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- The file as a stranger reads it.
function faultsIn({ certificate: c, log }: any, keys: Keys): string[] {
  const signed = (parts: unknown[], by: { keyId?: string; signature: string }, ring: Keys['logHeads']) => {
    const x = ring.find(({ id }) => id === (by.keyId ?? null))?.x ?? '';
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return verify(null, Buffer.from(JSON.stringify(parts)), key, Buffer.from(by.signature, 'base64url'));
  };
  const present = (...values: unknown[]) => values.filter((value) => value !== undefined);
  const faults: string[] = [];
  const said = [c.id, c.sample.id, c.sample.title, c.sample.pack, c.creator.id, c.creator.displayName];
  const licensed = [c.licensee.id, c.licensee.displayName, c.licenceVersion, c.issuedAt, c.fileSha256];
  if (!signed([...said, ...licensed, ...present(c.aiTraining, c.origin, c.keyId)], c, keys.certificates))
    faults.push('certificate');
  const { event, head, statement } = log;
  const { position, stream, version, type, recordedAt, data, metadata } = event;
  const first = JSON.stringify([position, stream, version, type, Date.parse(recordedAt)]);
  const hash = createHash('sha256')
    .update(Buffer.from(log.previousHash, 'hex'))
    .update(`${first}\n${data}\n${metadata}`)
    .digest('hex');
  if (hash !== log.hash) faults.push('event');
  if (head) {
    const parts = [head.hour, head.position, head.hash, head.previous, head.signedAt];
    if (!signed([...parts, ...present(head.keyId)], head, keys.logHeads)) faults.push('head');
  }
  const place = head ? [head.hour, head.position, head.hash] : [null, null, null];
  const parts = ['placed', position, log.hash, ...place, statement.signedAt, statement.keyId ?? null];
  if (!signed(parts, statement, keys.logHeads)) faults.push('statement');
  return faults;
}
