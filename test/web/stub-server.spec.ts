import { expect, it } from '@jest/globals';
import { api } from '../../web/src/api/api.js';
import { exampleWith, refused, StubServer, takeFaults } from './support/server.js';

const credits = () => api('GET /api/credits');
const buy = (body: object, headers: Record<string, string> = {}) =>
  fetch('/api/downloads', { method: 'POST', body: JSON.stringify(body), headers });

it('[API-60] an empty stub answers what the contract gives as an example', async () => {
  new StubServer({ 'GET /api/credits': {} });
  expect(typeof (await credits()).balance).toBe('number');
  expect(takeFaults()).toEqual([]);
});

it('[API-60] a test fails by an answer, a refusal or a request that its contract does not know', async () => {
  const server = new StubServer({ 'GET /api/credits': { json: { balance: 'many' } } });
  await credits();
  expect(takeFaults().join()).toContain('GET /api/credits 200 balance: ');
  server.on('GET /api/credits', refused('SampleNotOwned'));
  await credits().catch(() => undefined);
  expect(takeFaults()).toEqual(['GET /api/credits 403 has the code SampleNotOwned, which is not declared']);
  server.on('GET /api/credits', { status: 201, json: {} });
  await credits();
  expect(takeFaults()).toEqual(['GET /api/credits 201 is not declared']);
  server.on('POST /api/downloads', exampleWith('POST /api/downloads', { charged: 1 }));
  await buy({ sampleId: 'a', expectedCredits: 1 }, { 'idempotency-key': 'one' });
  expect(takeFaults()).toEqual([]);
  await buy({ sampleId: 'a', expectedCredits: 'one' });
  const [body, key] = takeFaults();
  expect(body).toContain('POST /api/downloads body expectedCredits: ');
  expect(key).toBe('POST /api/downloads has no Idempotency-Key');
  server.on('POST /api/downloads', refused('PriceChanged', { priceCredits: 'two' }));
  await buy({ sampleId: 'a', expectedCredits: 1 }, { 'idempotency-key': 'one' });
  expect(takeFaults().join()).toContain('PriceChanged priceCredits: ');
  await fetch('/api/nowhere');
  expect(takeFaults()).toEqual(['GET /api/nowhere has no contract']);
});
