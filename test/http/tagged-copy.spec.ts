import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { aiffFile, sine, wavFile } from '../audio/synthesis.js';
import type { HttpClient } from '../support/http-client.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { stock } from '../support/stock.js';
import { wavOf } from '../support/wav.js';

let product: TestProduct;
let ada: HttpClient;
let samples: string[];
let certificateId: string;

const BPM = 120;
/** Two bars at 120 BPM. */
const loop = wavOf({ seconds: 4, hertz: 220 });
/** The creator has written slices and an odd chunk. */
const marked = (() => {
  const chunk = (id: string, body: Buffer) =>
    Buffer.concat([
      Buffer.from(id),
      Buffer.from(Uint32Array.of(body.length).buffer),
      body,
      Buffer.alloc(body.length % 2),
    ]);
  const bytes = Buffer.concat([loop, chunk('note', Buffer.from('abc')), chunk('cue ', Buffer.alloc(4))]);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  return bytes;
})();
const flac = readFileSync(new URL('../audio/fixtures/sound.flac', import.meta.url));
/** Two bars at 120 BPM, of values that 24 bits hold exactly. */
const tone = Float32Array.from(sine(220, 4, 0.5, 22_050), (value) => Math.round(value * 2 ** 23) / 2 ** 23);
const aiff = aiffFile([tone, tone], { bitDepth: 24 });
const broken = loop.subarray(0, 1_000);

beforeAll(async () => {
  product = await startTestProduct();
  const { database, storage, creditExecutor } = product.resources;
  ada = await product.signedUp();
  samples = await stock(database, 6, { prefix: 't-' });
  for (const [n, bytes] of [loop, marked, broken].entries())
    await storage.put(`Users/x/${samples[n]}`, bytes, { contentType: 'audio/wav' });
  await storage.put(`Users/x/${samples[3]}`, loop, { contentType: 'audio/wav' });
  for (const [n, bytes] of [flac, aiff].entries())
    await storage.put(`Users/x/${samples[4 + n]}`, bytes, { contentType: 'audio/x' });
  await database.pool.query(
    `update sample set title = 'Dusty loop', bpm = $1, key = 'A Minor', duration_ms = 4000, original_sha256 = repeat('c', 64),
            format = case sample_id when $2 then 'mp3' when $3 then 'flac' when $4 then 'aiff' else format end`,
    [BPM, ...samples.slice(3)],
  );
  const grant = { userId: ada.userId, grantId: randomUUID(), credits: 10, grantedAt: new Date() };
  await creditExecutor.grantPromotion(grant, { correlationId: 'test' });
  for (const sampleId of samples) {
    const headers = { 'idempotency-key': randomUUID() };
    const { body } = await ada.post('/api/downloads', { sampleId, expectedCredits: 1 }, { headers });
    certificateId ??= body.certificateId;
  }
});
afterAll(() => product?.stop());

async function tagged(n: number, who = ada) {
  const cookie = [...who.cookies].map((pair) => pair.join('=')).join('; ');
  const answer = await fetch(`${product.url}/api/downloads/${samples[n]}/tagged`, { headers: { cookie } });
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
}

/** Returns the chunks of a RIFF file, whose header and padding must be right. */
function chunksOf(bytes: Buffer): [id: string, body: Buffer][] {
  expect(bytes.toString('latin1', 0, 12)).toMatch(/^RIFF[^]{4}WAVE$/);
  expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8);
  const chunks: [string, Buffer][] = [];
  for (let at = 12; at < bytes.length;) {
    const length = bytes.readUInt32LE(at + 4);
    chunks.push([bytes.toString('latin1', at, at + 4), bytes.subarray(at + 8, at + 8 + length)]);
    at += 8 + length + (length % 2);
  }
  return chunks;
}

it('[DL-710] adds tempo, root, slices, licence and ID3 to the same audio', async () => {
  const { answer, bytes } = await tagged(0);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'audio/wav']);
  expect(answer.headers.get('content-disposition')).toContain('Dusty loop (tagged).wav');
  expect(answer.headers.get('content-length')).toBe(String(bytes.length));
  const chunks = chunksOf(bytes);
  expect(chunks.map(([id]) => id)).toEqual(['fmt ', 'data', 'bext', 'acid', 'smpl', 'cue ', 'id3 ']);
  const body = Object.fromEntries(chunks) as Record<string, Buffer>;
  expect(bytes.subarray(12, loop.length).equals(loop.subarray(12))).toBe(true);
  const acid = body.acid!;
  // A root note and stretching, A above middle C, 8 beats in 4/4.
  expect([acid.readUInt32LE(0), acid.readUInt16LE(4), acid.readUInt32LE(12)]).toEqual([6, 69, 8]);
  expect([acid.readUInt16LE(16), acid.readUInt16LE(18), acid.readFloatLE(20)]).toEqual([4, 4, BPM]);
  const cue = body['cue ']!;
  const rate = body['fmt ']!.readUInt32LE(4);
  const starts = Array.from(
    { length: cue.readUInt32LE(0) },
    (_, n) => cue.readUInt32LE(4 + n * 24 + 20) / rate,
  );
  expect(starts).toEqual([0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5]);
  const frames = body.data!.length / body['fmt ']!.readUInt16LE(12);
  expect([body.smpl!.readUInt32LE(28), body.smpl!.readUInt32LE(48)]).toEqual([1, frames - 1]);
  expect(body.bext!.toString('latin1', 288, 320)).toBe(certificateId.slice(0, 32));
  const id3 = body['id3 ']!;
  for (const text of ['Dusty loop', '120', 'Am', certificateId, 'c'.repeat(64)])
    expect(id3.includes(Buffer.from(text, 'utf16le'))).toBe(true);
});

it('[DL-710] keeps the chunks of the creator, and refuses what is no whole WAV or not owned', async () => {
  const { bytes } = await tagged(1);
  const ids = chunksOf(bytes).map(([id]) => id);
  expect(ids).toEqual(['fmt ', 'data', 'note', 'cue ', 'bext', 'acid', 'smpl', 'id3 ']);
  expect(bytes.subarray(12, marked.length).equals(marked.subarray(12))).toBe(true);
  for (const n of [2, 3])
    expect(await ada.get(`/api/downloads/${samples[n]}/tagged`)).toMatchObject({
      status: 422,
      body: { code: 'NoTaggedCopy' },
    });
  const { answer } = await tagged(0, await product.signedUp());
  expect(answer.status).toBe(403);
});

it('[FMT-705] makes a WAV of an AIFF or FLAC, with its very samples and the same tags, and leaves no file behind', async () => {
  const { answer, bytes } = await tagged(5);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'audio/wav']);
  expect(answer.headers.get('content-disposition')).toContain('Dusty loop (tagged).wav');
  const chunks = chunksOf(bytes);
  expect(chunks.map(([id]) => id)).toEqual(['fmt ', 'data', 'bext', 'acid', 'smpl', 'cue ', 'id3 ']);
  const wanted = wavFile([tone, tone], { bitDepth: 24, rateHz: 22_050 });
  expect(bytes.subarray(12, wanted.length).equals(wanted.subarray(12))).toBe(true);
  const fromFlac = Object.fromEntries(chunksOf((await tagged(4)).bytes));
  expect(fromFlac.data).toHaveLength(16_000 * 2);
  expect(fromFlac['fmt ']?.readUInt32LE(4)).toBe(16_000);
  expect(fromFlac['id3 ']?.includes(Buffer.from('Dusty loop', 'utf16le'))).toBe(true);
  expect(readdirSync(join(product.resources.config.dataDir, 'uploads'))).toEqual([]);
});

it('[DL-711] lists the hash of each copy with the certificate, once', async () => {
  const [{ bytes }] = [await tagged(0), await tagged(0)];
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const { body } = await product.browser().get(`/api/certificates/${certificateId}/verification`);
  expect(body).toMatchObject({
    valid: true,
    certificate: { fileSha256: 'c'.repeat(64) },
    copies: [{ sha256, sizeBytes: bytes.length, madeAt: expect.any(String) }],
  });
});
