import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createPublicKey, randomUUID, sign, verify } from 'node:crypto';
import { PostgresCertificates } from '../../adapters/purchases/postgres-certificates.js';
import { Certificates, type CertificateFacts } from '../../application/purchases/certificates.js';
import type { Certificate } from '../../application/purchases/contract.js';
import { ed25519Keys } from '../../application/shared/proof/ed25519.js';
import { NO_KEYS, SigningKeys, type ConfiguredKey } from '../../application/shared/keys/signing-keys.js';
import type { HttpClient } from '../support/http-client.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { stock } from '../support/stock.js';

// Rendering a page parses fonts, which is slow on a busy machine.

let product: TestProduct;
let creator: HttpClient;
let ada: HttpClient;
let certificateId: string;
let round = 0;

beforeAll(async () => {
  product = await startTestProduct();
  creator = await product.signedUp();
});
afterAll(() => product?.stop());
beforeEach(async () => {
  ada = await product.signedUp();
  await ada.patch('/api/me', { displayName: 'Ada Lovelace' });
  certificateId = await boughtFrom(creator);
});

/** @returns the certificate of a sample that Ada bought from the creator */
async function boughtFrom({ userId: creatorId }: HttpClient): Promise<string> {
  const { database, storage, creditExecutor, eventStore, logSubscriptions } = product.resources;
  const [id] = await stock(database, 1, { prefix: `c${(round += 1)}-`, creatorId });
  await storage.put(`Users/x/${id}`, Buffer.from('RIFF'), { contentType: 'audio/wav' });
  const grant = { userId: ada.userId, grantId: randomUUID(), credits: 1, grantedAt: new Date() };
  await creditExecutor.grantPromotion(grant, { correlationId: 'test' });
  const purchase = { sampleId: id, expectedCredits: 1 };
  const bought = await ada.post('/api/downloads', purchase, { headers: { 'idempotency-key': randomUUID() } });
  // The projection writes the certificate. Waits, so that this does not happen in the middle of a test.
  const { position } = await eventStore.head();
  expect(await logSubscriptions.caughtUp(position, 10_000, ['certificates'])).toBe(true);
  return bought.body.certificateId;
}

const verification = () => product.browser().get(`/api/certificates/${certificateId}/verification`);

/** Returns the signed text as the documentation of certificates describes it. */
const textOf = ({
  id,
  sample,
  creator,
  licensee,
  licenceVersion,
  issuedAt,
  fileSha256,
  ...rest
}: CertificateFacts) =>
  Buffer.from(
    JSON.stringify([
      id,
      sample.id,
      sample.title,
      sample.pack,
      creator.id,
      creator.displayName,
      licensee.id,
      licensee.displayName,
      licenceVersion,
      issuedAt,
      fileSha256,
      ...(rest.aiTraining === undefined ? [] : [rest.aiTraining]),
      ...(rest.origin === undefined ? [] : [rest.origin]),
      ...(rest.keyId === undefined ? [] : [rest.keyId]),
    ]),
  );

describe('certificates', () => {
  it('[CERT-01] come as PDF, to their licensee only', async () => {
    const pdf = await ada.get(`/api/certificates/${certificateId}.pdf`);
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(pdf.headers.get('content-disposition')).toContain(`${certificateId}.pdf`);
    expect(pdf.body).toMatch(/^%PDF-/);
    expect(pdf.body).toContain(`${product.url}/certificates/${certificateId}`);
    expect((await ada.get(`/api/certificates/${certificateId}.json`)).body.id).toBe(certificateId);
    expect((await creator.get(`/api/certificates/${certificateId}.pdf`)).status).toBe(404);
    expect((await product.browser().get(`/api/certificates/${certificateId}.pdf`)).status).toBe(401);
  });

  it('[CERT-02] are found and verified by whoever was shown the id', async () => {
    const { status, body } = await verification();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      valid: true,
      reason: expect.any(String),
      certificate: { id: certificateId, licensee: { id: ada.userId, displayName: 'Ada Lovelace' } },
    });
    expect((await product.browser().get(`/api/certificates/${randomUUID()}/verification`)).status).toBe(404);
    const { certificate } = body;
    for (const padded of [
      { ...certificate, exclusive: true },
      { ...certificate, sample: { ...certificate.sample, exclusive: true } },
    ]) {
      const answer = await product.browser().post('/api/certificates/verify', padded);
      expect(answer).toMatchObject({ status: 400, body: { code: 'InvalidRequest' } });
    }
  });

  it('[CERT-02] tell when the record itself was tampered with', async () => {
    await product.resources.database.pool.query(
      `update certificate set document = jsonb_set(document::jsonb, '{fileSha256}', '"b"')::json where certificate_id = $1`,
      [certificateId],
    );
    expect((await verification()).body.valid).toBe(false);
  });

  it('[CERT-03] stay valid without the name when their licensee is erased, and copies stay valid with it', async () => {
    const copy = (await ada.get(`/api/certificates/${certificateId}`)).body;
    const erased = await ada.delete('/api/me');
    expect(erased.status).toBeLessThan(300);
    for (const time of ['first', 'second']) {
      const { body } = await verification();
      expect([time, body.valid, body.certificate.licensee]).toEqual([
        time,
        true,
        { id: ada.userId, displayName: 'Deleted user' },
      ]);
    }
    expect((await product.browser().post('/api/certificates/verify', copy)).body.valid).toBe(true);
  });

  it('[GONE-13] stay valid without the name when their creator is erased, for their licensee too', async () => {
    const otto = await product.signedUp();
    await otto.patch('/api/me', { displayName: 'Otto Kraus' });
    certificateId = await boughtFrom(otto);
    const copy = (await ada.get(`/api/certificates/${certificateId}`)).body;
    expect(copy.creator).toEqual({ id: otto.userId, displayName: 'Otto Kraus' });
    expect((await otto.delete('/api/me')).status).toBeLessThan(300);
    const { rows } = await product.resources.database.pool.query(
      `select certificate_id from certificate where document::text like '%Otto Kraus%'`,
    );
    expect(rows).toEqual([]);
    const now = (await ada.get(`/api/certificates/${certificateId}`)).body;
    expect(now).toMatchObject({
      creator: { id: otto.userId, displayName: 'Deleted user' },
      id: certificateId,
    });
    for (const certificate of [now, copy])
      expect((await product.browser().post('/api/certificates/verify', certificate)).body.valid).toBe(true);
    expect((await verification()).body).toMatchObject({ valid: true, certificate: now });
    const pdf = await ada.get(`/api/certificates/${certificateId}.pdf`);
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  });

  describe('[KEYS-02] with keys outside the database', () => {
    const [before, after] = [
      { id: 'before', secret: Buffer.alloc(32, 1), from: new Date('2026-01-01'), withdrawn: false },
      { id: 'after', secret: Buffer.alloc(32, 2), from: new Date('2026-06-01'), withdrawn: false },
    ] as const;
    const ringOf = (...certificates: ConfiguredKey[]) =>
      new SigningKeys(product.resources.secrets, { ...NO_KEYS, certificates });
    const signing = (at: string, ...certificates: ConfiguredKey[]) =>
      new Certificates(new PostgresCertificates(product.resources.database), ringOf(...certificates), {
        now: () => new Date(at),
      });
    /** Issues the certificate again on a node with these keys. */
    const issued = async (node: Certificates): Promise<Certificate> => {
      await product.resources.database.pool.query('delete from certificate where certificate_id = $1', [
        certificateId,
      ]);
      return (await node.read(ada.userId, certificateId)) as Certificate;
    };

    it('names the key of the time; every key verifies what it signed', async () => {
      const [old, young] = [signing('2026-03-01', before, after), signing('2026-07-01', before, after)];
      const [first, second] = [await issued(old), await issued(young)];
      expect([first.keyId, second.keyId]).toEqual(['before', 'after']);
      for (const certificate of [first, second])
        expect(await young.verify(certificate)).toMatchObject({ valid: true });
      // Another key does not fit the signature, and an unknown key is refused.
      expect(await young.verify({ ...first, keyId: 'after' })).toMatchObject({ valid: false });
      expect(await young.verify({ ...first, keyId: 'nobody' })).toEqual({
        valid: false,
        reason: 'Its key is unknown to this shop.',
      });
    });

    it('believes the key in the database about nothing that is dated later', async () => {
      const certificate = await issued(signing('2026-03-01'));
      expect(certificate.keyId).toBeUndefined();
      expect(await signing('2026-07-01', before).verify(certificate)).toEqual({
        valid: false,
        reason: 'Its date is after the last day of its key.',
      });
      const later = { ...before, from: new Date(Date.parse(certificate.issuedAt) + 1) };
      expect(await signing('2099-01-01', later).verify(certificate)).toMatchObject({ valid: true });
    });

    it('of a key that was withdrawn believes what the log has', async () => {
      const stolen = { ...before, withdrawn: true };
      const certificate = await issued(signing('2026-03-01', before));
      const today = signing('2026-07-01', stolen, after);
      expect(await today.verify(certificate)).toMatchObject({ valid: true });
      const thief = { ...certificate, id: randomUUID() };
      const { signature: _signature, ...facts } = thief;
      const { privateKey } = ed25519Keys(stolen.secret);
      const signature = sign(null, textOf(facts), privateKey).toString('base64url');
      expect(await today.verify({ ...facts, signature })).toEqual({
        valid: false,
        reason: 'Its key was withdrawn, and there is no record of this purchase.',
      });
      expect((await issued(today)).keyId).toBe('after');
    });

    it('[KEYS-03] tells everybody the public keys, with which they verify by themselves', async () => {
      const { body } = await product.browser().get('/.well-known/offcut-keys.json');
      const certificate = (await ada.get(`/api/certificates/${certificateId}`)).body;
      expect(body).toEqual({ certificates: [expect.any(Object)], logHeads: [expect.any(Object)] });
      const [{ id, x }] = body.certificates;
      expect([id, certificate.keyId]).toEqual([null, undefined]);
      const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
      const { signature, ...facts } = certificate;
      expect(verify(null, textOf(facts), key, Buffer.from(signature, 'base64url'))).toBe(true);
      expect(JSON.stringify(body)).not.toContain('secret');
    });
  });
});
