import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { HttpClient } from '../support/http-client.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { stock } from '../support/stock.js';

// Setting a page parses faces, which is slow on a busy machine.
jest.setTimeout(60_000);

let product: TestProduct;
let creator: HttpClient;
let ada: HttpClient;
let certificateId: string;
let round = 0;

beforeAll(async () => {
  product = await startTestProduct();
  creator = await product.signedUp();
}, 60_000);
afterAll(() => product?.stop());
beforeEach(async () => {
  const { database, storage, creditExecutor } = product.resources;
  const [id] = await stock(database, 1, { prefix: `c${(round += 1)}-`, creatorId: creator.userId });
  await storage.put(`Users/x/${id}`, Buffer.from('RIFF'), { contentType: 'audio/wav' });
  ada = await product.signedUp();
  await ada.patch('/api/me', { displayName: 'Ada Lovelace' });
  const grant = { userId: ada.userId, grantId: randomUUID(), credits: 1, grantedAt: new Date() };
  await creditExecutor.grantPromotion(grant, { correlationId: 'test' });
  const purchase = { sampleId: id, expectedCredits: 1 };
  const bought = await ada.post('/api/downloads', purchase, { headers: { 'idempotency-key': randomUUID() } });
  certificateId = bought.body.certificateId;
  await ada.get(`/api/certificates/${certificateId}`);
});

const verification = () => product.browser().get(`/api/certificates/${certificateId}/verification`);

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
});
