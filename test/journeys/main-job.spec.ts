import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BufferSource, Input, MP3 } from 'mediabunny';
import { CURRENT_CONSENT } from '../../application/subscriptions/values.js';
import { keyed, type HttpClient } from '../support/http-client.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { wavOf } from '../support/wav.js';
import { until } from '../support/until.js';

const FIXTURES = join(process.cwd(), 'test/audio/fixtures');
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Real files: one of ours that is longer than a preview, and others from other encoders. */
const FILES: Record<string, Buffer> = {
  'Long_take_90bpm_Amin.wav': wavOf({ seconds: 75, hertz: 220 }),
  'loop.mp3': readFileSync(join(FIXTURES, 'cbr.mp3')),
  'phrase.m4a': readFileSync(join(FIXTURES, 'moov-last.m4a')),
  'keys.flac': readFileSync(join(FIXTURES, 'sound.flac')),
  'vinyl.ogg': readFileSync(join(FIXTURES, 'sound.ogg')),
  'voice.opus': readFileSync(join(FIXTURES, 'sound.opus')),
  'choir.aiff': readFileSync(join(FIXTURES, 'take.aiff')),
};
const COUNT = Object.keys(FILES).length;

/** Creator and listener over the same HTTP that browsers use. */
describe('a creator publishes, a listener buys', () => {
  let product: TestProduct;
  let creator: HttpClient;
  let listener: HttpClient;
  let packId: string;
  const samples: { id: string; filename: string; sha256: string }[] = [];

  beforeAll(async () => {
    product = await startTestProduct();
    creator = await product.signedUp('junie@example.com');
    await creator.patch('/api/me', { displayName: 'Junie Okafor' });
    listener = await product.signedUp();
  });
  afterAll(() => product.stop());

  const upload = async (filename: string, bytes: Buffer, meta: object = {}) => {
    const form = new FormData();
    form.append('meta', JSON.stringify(meta));
    form.append('audio', new Blob([new Uint8Array(bytes)]), filename);
    return creator.post(`/api/creator/packs/${packId}/samples`, undefined, { raw: form });
  };
  it('[ACC-03, ACC-04] asks for creator access before audio is taken', async () => {
    const drafted = await creator.post('/api/creator/packs', {
      name: 'Kitchen Table Soul',
      genre: 'Soul',
      mood: 'Nostalgic',
    });
    expect(drafted.status).toBe(201);
    packId = drafted.body.id;
    expect(await upload('loop.mp3', FILES['loop.mp3'] as Buffer)).toMatchObject({
      status: 403,
      body: { code: 'CreatorAccessRequired' },
    });
    expect((await creator.becomeCreator()).status).toBeLessThan(300);
    expect((await creator.get('/api/creator')).body.status).toBe('approved');
  });

  it('[SMOD-08] [FMT-700] takes real WAV, MP3, M4A, FLAC, AIFF, Ogg and Opus files, measures them and keeps their very bytes', async () => {
    for (const [filename, bytes] of Object.entries(FILES)) {
      const added = await upload(filename, bytes, { creditCost: 2 });
      expect(added.status).toBe(201);
      const { sample } = added.body;
      expect(sample).toMatchObject({
        filename,
        sha256: sha256(bytes),
        sizeBytes: bytes.length,
        creditCost: 2,
      });
      expect(sample.waveform).toHaveLength(50);
      expect(Math.max(...sample.waveform)).toBeGreaterThan(0);
      samples.push(sample);
    }
    expect(samples[0]).toMatchObject({ bpm: 90, key: 'A Minor', durationMs: 75_000 });
  });

  it('[PUB-05] shows nothing of a draft', async () => {
    const found = await product.browser().get('/api/samples?q=long%20take');
    expect(found.body).toMatchObject({ items: [], total: 0 });
    expect((await product.browser().get(`/api/samples/${samples[0]?.id}`)).status).toBe(404);
  });

  it('[PUB-02] publishes, and search finds the pack at once', async () => {
    const published = await creator.post(`/api/creator/packs/${packId}/publish`, {});
    expect(published.status).toBeLessThan(300);
    const found = await product.browser().get('/api/samples?q=long%20take');
    expect(found.body.items.map((sample: { id: string }) => sample.id)).toEqual([samples[0]?.id]);
    const suggested = await product.browser().get('/api/search/suggestions?q=kitchen');
    expect(suggested.body.items.map((item: { label: string }) => item.label)).toContain('Kitchen Table Soul');
    await until(async () =>
      (await product.resources.storage.list({ prefix: 'Users/' })).objects.some(({ key }) =>
        key.endsWith('/kitchen-table-soul/pack.json'),
      ),
    );
  });

  it('[PLAY-11] lets anybody hear a lossy preview of at most 60 s, and no more than that', async () => {
    const [found] = (await product.browser().get('/api/samples?q=long%20take')).body.items;
    const preview = await fetch(product.url + found.previewUrl);
    const bytes = Buffer.from(await preview.arrayBuffer());
    const track = await new Input({ source: new BufferSource(bytes), formats: [MP3] }).getPrimaryAudioTrack();
    expect(await track?.getCodec()).toBe('mp3');
    const duration = await track?.computeDuration();
    expect(duration).toBeGreaterThan(58);
    expect(duration).toBeLessThanOrEqual(60.1);
    expect(sha256(bytes)).not.toBe(samples[0]?.sha256);
  });

  it('[CRED-02, CRED-05, OPS-05] sells a plan on the practice checkout; credits come with the paid invoice', async () => {
    expect((await listener.get('/api/credits')).body.balance).toBe(0);
    const checkout = async (outcome: string) => {
      const { body } = await listener.post('/api/stripe/create-checkout-session', { plan: 'starter' });
      const form = new URLSearchParams({ outcome });
      return fetch(body.url, { method: 'POST', body: form, redirect: 'manual' });
    };
    expect((await checkout('cancelled')).status).toBeLessThan(400);
    await listener.get('/settings?checkout=success');
    expect((await listener.get('/api/credits')).body.balance).toBe(0);
    expect((await checkout('paid')).status).toBeLessThan(400);
    await until(async () => (await listener.get('/api/credits')).body.balance === 50);
    expect((await listener.get('/api/subscription')).body).toMatchObject({
      plan: 'starter',
      status: 'active',
    });
    const [line] = (await listener.get('/api/credits/ledger')).body.items;
    expect(line).toMatchObject({ reason: 'monthly_grant', delta: 50, balanceAfter: 50 });
  });

  it('[DL-17] delivers every original byte for byte, for its price', async () => {
    await listener.post('/api/me/contracts/consent', { version: CURRENT_CONSENT });
    for (const [index, bytes] of Object.values(FILES).entries()) {
      const sampleId = samples[index]?.id;
      const bought = await listener.post('/api/downloads', { sampleId, expectedCredits: 2 }, keyed());
      expect(bought.body).toMatchObject({ charged: 2, balance: 50 - 2 * (index + 1) });
      const answer = await fetch(bought.body.download.url);
      expect(sha256(Buffer.from(await answer.arrayBuffer()))).toBe(sha256(bytes));
      const name = Object.keys(FILES)[index] ?? '';
      expect(answer.headers.get('content-disposition')).toContain(name.slice(name.lastIndexOf('.')));
      expect(answer.headers.get('content-type')).toMatch(/^audio\//);
    }
  });

  it('[FMT-705] offers a WAV beside FLAC, AIFF and Ogg, whose hash its certificate then lists', async () => {
    for (const sample of samples.filter(({ filename }) => /flac|aiff|ogg|opus/.test(filename))) {
      const cookie = [...listener.cookies].map((pair) => pair.join('=')).join('; ');
      const answer = await fetch(`${product.url}/api/downloads/${sample.id}/tagged`, { headers: { cookie } });
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect(bytes.toString('latin1', 0, 12)).toMatch(/^RIFF[^]{4}WAVE$/);
      const { items } = (await listener.get('/api/library/downloads')).body;
      const row = items.find(({ sampleId }: { sampleId: string }) => sampleId === sample.id);
      expect(row.filename).toMatch(/\.(flac|aiff|ogg|opus)$/);
      const checked = await listener.get(`/api/certificates/${row.certificateId}/verification`);
      expect(checked.body.copies).toMatchObject([{ sha256: sha256(bytes) }]);
    }
  });

  it('[DL-04, LIB-04] keeps them in the library, free for ever', async () => {
    const { body } = await listener.get('/api/library/downloads');
    expect(body.items).toHaveLength(COUNT);
    const again = await listener.post(
      '/api/downloads',
      { sampleId: samples[0]?.id, expectedCredits: 2 },
      keyed(),
    );
    expect([again.status, again.body.charged, again.body.balance]).toEqual([200, 0, 50 - 2 * COUNT]);
  });

  it('[EDIT-11] keeps them after the pack is gone', async () => {
    const deleted = await creator.delete(`/api/creator/packs/${packId}`);
    expect(deleted.status).toBeLessThan(300);
    expect((await product.browser().get('/api/samples?q=long%20take')).body.total).toBe(0);
    const again = await listener.post(
      '/api/downloads',
      { sampleId: samples[1]?.id, expectedCredits: 2 },
      keyed(),
    );
    const arrived = Buffer.from(await (await fetch(again.body.download.url)).arrayBuffer());
    expect([again.body.charged, sha256(arrived)]).toEqual([0, samples[1]?.sha256]);
    const stranger = await product.signedUp();
    expect(
      (await stranger.post('/api/downloads', { sampleId: samples[1]?.id, expectedCredits: 2 }, keyed()))
        .status,
    ).toBe(404);
  });

  it('[DL-13] yields an original to no anonymous address, whatever the key', async () => {
    const { objects } = await product.resources.storage.list({ prefix: '' });
    const hashes = new Set(samples.map((sample) => sample.sha256));
    expect(objects.length).toBeGreaterThan(5);
    for (const { key } of objects) {
      const addresses = [
        `/${key}`,
        `/media/${key}`,
        `/media/signed/${key}`,
        `/media/previews/${key.split('/').at(-1)}`,
        `/media/covers/${key.split('/').at(-1)}`,
        `/api/storage/object?bucket=Sounds&path=${encodeURIComponent(key)}`,
      ];
      for (const address of addresses) {
        const answer = await fetch(product.url + address);
        const bytes = Buffer.from(await answer.arrayBuffer());
        expect(hashes.has(sha256(bytes))).toBe(false);
      }
    }
  });
});
