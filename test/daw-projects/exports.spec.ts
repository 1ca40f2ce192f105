import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { HttpClient } from '../support/http-client.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { stock } from '../support/stock.js';
import { wavOf } from '../support/wav.js';
import { readZip } from '../support/zip.js';
import { placedInDawProject, placedInReaper } from './readers.js';

let product: TestProduct;
let creator: HttpClient;
let ada: HttpClient;
let samples: string[];
let round = 0;

/** Two bars at 120 BPM. */
const LOOP = wavOf({ seconds: 4, hertz: 220, rateHz: 8_000 });

beforeAll(async () => {
  product = await startTestProduct();
  creator = await product.signedUp();
});
afterAll(() => product?.stop());
beforeEach(async () => {
  round += 1;
  const { database, storage, creditExecutor } = product.resources;
  samples = await stock(database, 3, { prefix: `d${round}-`, creatorId: creator.userId });
  for (const id of samples) await storage.put(`Users/x/${id}`, LOOP, { contentType: 'audio/wav' });
  const change = `update sample set title = $2, bpm = $3, key = $4, duration_ms = 4000, channels = 1 where sample_id = $1`;
  for (const [n, facts] of [
    ['Break "A" & loop', 120, null],
    ['Bass loop', 100, 'A Minor'],
    ['Rain', 0, null],
  ].entries())
    await sql(change, [sample(n), ...facts]);
  ada = await product.signedUp();
  const grant = { userId: ada.userId, grantId: randomUUID(), credits: 10, grantedAt: new Date() };
  await creditExecutor.grantPromotion(grant, { correlationId: 'test' });
});

const sql = (text: string, values: unknown[]) => product.resources.database.pool.query(text, values);
const sample = (n: number) => samples[n] as string;
const buy = (...ids: string[]) =>
  ada.post(
    '/api/samples/downloads',
    { sampleIds: ids, expectedCredits: ids.length },
    { headers: { 'idempotency-key': randomUUID() } },
  );
function fetchOf(path: string, who = ada) {
  const cookie = [...who.cookies].map((pair) => pair.join('=')).join('; ');
  return fetch(product.url + path, { headers: { cookie } });
}
async function filesAt(path: string) {
  const answer = await fetchOf(path);
  const files = readZip(Buffer.from(await answer.arrayBuffer()));
  const text = (name: string) => String(files.get(name));
  return { answer, files, text, names: [...files.keys()] };
}

describe('a selection or pack', () => {
  const archives = '/api/library/archives';
  const asked = (project: object) => ({ sampleIds: samples, name: 'Last bus: verse', project });

  it('[WORK-770] is a DAWproject with one track per sample, in the project’s tempo and key', async () => {
    await buy(...samples);
    const project = { format: 'dawproject', tempo: 90, key: 'C Minor', timeSignature: '3/4' };
    const { status, body } = await ada.post(archives, asked(project));
    expect([status, body.filename, body.sampleCount]).toEqual([201, 'Last bus verse.dawproject', 3]);
    const { answer, files, text, names } = await filesAt(body.url);
    expect(answer.headers.get('content-type')).toBe('application/octet-stream');
    expect(answer.headers.get('content-disposition')).toContain('Last bus verse.dawproject');
    expect(text('metadata.xml')).toContain('<Title>Last bus verse</Title>');
    const song = placedInDawProject(text('project.xml'));
    expect([song.tempo, song.timeSignature]).toEqual([90, '3/4']);
    expect(song.tracks.map(({ name, semitones }) => [name, semitones])).toEqual([
      ['Break "A" & loop', 0],
      ['Bass loop', 3],
      ['Rain', 0],
    ]);
    expect(song.tracks.map(({ items }) => items.map(({ at, rate }) => [at, rate]))).toEqual([
      [[0, expect.closeTo(0.75, 6)]],
      [[0, expect.closeTo(0.9, 6)]],
      [[0, 1]],
    ]);
    for (const { file } of song.tracks) expect(files.get(file)?.equals(LOOP)).toBe(true);
    expect(names.filter((name) => name.startsWith('certificates/'))).toHaveLength(6);
    expect((await ada.get('/api/credits')).body.balance).toBe(7);
    expect((await ada.get(`${archives}/${body.id}`)).status).toBe(200);
  });

  it('[WORK-770] is a REAPER project beside its files, by default in the tempo of its first sample', async () => {
    await buy(...samples);
    const { body } = await ada.post(archives, asked({ format: 'rpp' }));
    expect(body.filename).toBe('Last bus verse (REAPER).zip');
    const { answer, files, text } = await filesAt(body.url);
    expect(answer.headers.get('content-type')).toBe('application/zip');
    const song = placedInReaper(text('Last bus verse.rpp'));
    expect([song.tempo, song.timeSignature]).toEqual([120, '4/4']);
    for (const { file } of song.tracks) expect(files.get(file)?.equals(LOOP)).toBe(true);
    // Stretched to 120 BPM, the bass plays for 3.33 seconds.
    expect(song.tracks[1]?.items).toEqual([
      { at: 0, length: expect.closeTo(10 / 3, 6), rate: expect.closeTo(1.2, 6) },
    ]);
    await sql('update sample set bpm = 300 where sample_id = $1', [sample(0)]);
    expect(placedInReaper((await filesAt(body.url)).text('Last bus verse.rpp')).tempo).toBe(240);
  });

  it('[WORK-770] leaves out what cannot be downloaded, and refuses invalid projects and samples not owned', async () => {
    await buy(sample(0), sample(1));
    await product.resources.storage.delete(`Users/x/${sample(0)}`);
    const sampleIds = [sample(0), sample(1)];
    const { body } = await ada.post(archives, { sampleIds, project: { format: 'dawproject' } });
    const { tracks } = placedInDawProject((await filesAt(body.url)).text('project.xml'));
    expect(tracks.map(({ name }) => name)).toEqual(['Bass loop']);
    for (const project of [{}, { format: 'als' }, { format: 'rpp', tempo: 39 }, { format: 'rpp', key: 'H' }])
      expect((await ada.post(archives, asked(project))).status).toBe(400);
    for (const query of ['format=als', 'format=rpp&tempo=x', 'format=rpp&timeSignature=4', 'format=rpp&key='])
      expect((await ada.get(`${archives}/${body.id}.zip?${query}`)).status).toBe(400);
    const refused = await ada.post(archives, asked({ format: 'rpp' }));
    expect([refused.status, refused.body.code]).toEqual([403, 'SampleNotOwned']);
  });
});

describe('a workbench', () => {
  const lane = (n: number, changes = {}) => ({ sampleId: sample(n), ...changes });
  async function workbench(...lanes: object[]): Promise<string> {
    const song = { name: 'Last bus: verse', tempo: 90, key: 'C Minor', lanes };
    return (await ada.post('/api/workbenches', song)).body.id;
  }
  const exportOf = (id: string, query: string) => `/api/workbenches/${id}/export?${query}`;

  it.each([
    ['dawproject', 'Last bus verse.dawproject', 'project.xml', placedInDawProject],
    ['rpp', 'Last bus verse (REAPER).zip', 'Last bus verse.rpp', placedInReaper],
  ])('[WORK-773] is exported as %s with its lanes', async (format, filename, project, read) => {
    await buy(...samples);
    const id = await workbench(
      lane(0, { gainDb: -6, pan: 0.5 }),
      lane(1, { semitones: -1, offsetBeats: 8, loopBeats: 4 }),
      lane(1, { mute: true, loopBeats: 16 }),
      lane(2, { offsetBeats: 0.25 }),
    );
    const { answer, files, text } = await filesAt(exportOf(id, `format=${format}`));
    expect(answer.headers.get('content-disposition')).toContain(filename);
    const { tempo, tracks } = read(text(project));
    expect(tempo).toBe(90);
    const beat = 60 / 90;
    const facts = tracks.map(({ semitones, pan, isMuted, items }) => [semitones, pan, isMuted, items.length]);
    // A loop without a length of its own repeats every eight beats, its length in the song.
    expect(facts).toEqual([
      [0, 0.5, false, 4],
      [2, 0, false, 6],
      [3, 0, true, 2],
      [0, 0, false, 1],
    ]);
    expect(tracks[0]?.gain).toBeCloseTo(0.501, 3);
    expect(tracks[0]?.items[1]?.at).toBeCloseTo(8 * beat, 6);
    expect(tracks[1]?.items[0]).toMatchObject({
      at: expect.closeTo(8 * beat, 6),
      length: expect.closeTo(4 * beat, 6),
    });
    expect(tracks[3]?.items).toEqual([
      { at: expect.closeTo(0.25 * beat, 6), length: expect.closeTo(4, 6), rate: 1 },
    ]);
    for (const { file } of tracks) expect(files.get(file)?.equals(LOOP)).toBe(true);
    expect((await ada.get('/api/credits')).body.balance).toBe(7);
  });

  it('[WORK-774] is exported as files, on request with tagged copies, which its certificates cover', async () => {
    await buy(...samples);
    await sql(
      `update sample set title = 'Felt loop', format = case sample_id when $1 then 'mp3' else format end`,
      [sample(2)],
    );
    const id = await workbench(lane(0), lane(1), lane(2));
    const { answer, names } = await filesAt(exportOf(id, 'format=zip'));
    expect(answer.headers.get('content-disposition')).toContain('Last bus verse.zip');
    expect(names.filter((name) => !name.startsWith('certificates/'))).toEqual([
      'manifest.json',
      ...['.wav', ' (2).wav', ' (3).mp3'].map((end) =>
        expect.stringMatching(`^samples/.* - Felt loop${end.replace(/[().]/g, '\\$&')}$`),
      ),
    ]);
    const tagged = await filesAt(exportOf(id, 'tagged=true'));
    const copies = tagged.names.filter((name) => name.startsWith('tagged/'));
    expect(copies.map((name) => name.split(' - ')[1])).toEqual([
      'Felt loop (tagged).wav',
      'Felt loop (2) (tagged).wav',
    ]);
    const [row] = JSON.parse(tagged.text('manifest.json')).samples;
    const { body } = await ada.get(`/api/certificates/${row.certificateId}/verification`);
    const copy = tagged.files.get(copies[0] as string) as Buffer;
    expect(copy.length).toBeGreaterThan(LOOP.length);
    expect(body.copies).toMatchObject([
      { sha256: createHash('sha256').update(copy).digest('hex'), sizeBytes: copy.length },
    ]);
  });

  it('[WORK-773] is refused whole with what is missing and its price, and exported when that is bought', async () => {
    await buy(sample(0));
    await sql('update sample set price_credits = 3 where sample_id = $1', [sample(2)]);
    const id = await workbench(lane(0), lane(1), lane(1), lane(2));
    const refusal = (creditCost: number | null, missingCredits: number) => ({
      status: 403,
      body: {
        code: 'SampleNotOwned',
        sampleIds: [sample(1), sample(2)],
        missingSamples: [
          { sampleId: sample(1), title: 'Bass loop', creditCost },
          { sampleId: sample(2), title: 'Rain', creditCost: 3 },
        ],
        missingCredits,
      },
    });
    for (const format of ['dawproject', 'rpp', 'zip'])
      expect(await ada.get(exportOf(id, `format=${format}`))).toMatchObject(refusal(1, 4));
    // A sample that left sale has no price.
    await sql('update sample set available = false where sample_id = $1', [sample(1)]);
    expect(await ada.get(exportOf(id, 'format=zip'))).toMatchObject(refusal(null, 3));
    expect((await ada.get('/api/credits')).body.balance).toBe(9);
    await sql('update sample set available = true where sample_id = $1', [sample(1)]);
    expect((await buy(sample(1))).status).toBe(201);
    await ada.post(
      '/api/downloads',
      { sampleId: sample(2), expectedCredits: 3 },
      { headers: { 'idempotency-key': randomUUID() } },
    );
    const { tracks } = placedInReaper((await filesAt(exportOf(id, 'format=rpp'))).text('Last bus verse.rpp'));
    expect(tracks).toHaveLength(4);
  });

  it('[WORK-773] is exported with what left sale, and refused with what was taken down or is missing', async () => {
    await buy(...samples);
    const id = await workbench(lane(0), lane(1));
    const status = async () => {
      const { status, body } = await ada.get(exportOf(id, 'format=dawproject'));
      return [status, body.code, body.sampleIds];
    };
    await sql('update sample set removed = true, available = false where sample_id = $1', [sample(0)]);
    const { tracks } = placedInDawProject(
      (await filesAt(exportOf(id, 'format=dawproject'))).text('project.xml'),
    );
    expect(tracks).toHaveLength(2);
    await product.resources.storage.delete(`Users/x/${sample(1)}`);
    expect(await status()).toEqual([404, 'DownloadUnavailable', [sample(1)]]);
    await sql('update sample set taken_down = true where sample_id = $1', [sample(0)]);
    expect(await status()).toEqual([410, 'Gone', [sample(0), sample(1)]]);
  });

  it('[WORK-773] is exported for its owner only, and breaks off when its reader goes away', async () => {
    await buy(sample(0));
    const id = await workbench(lane(0));
    const path = exportOf(id, 'format=zip');
    for (const who of [creator, await product.signedUp()]) expect((await who.get(path)).status).toBe(404);
    expect((await product.browser().get(path)).status).toBe(401);
    expect((await ada.get(exportOf(id, 'format=als'))).status).toBe(400);
    expect((await ada.get(exportOf(randomUUID(), 'format=zip'))).status).toBe(404);
    expect((await ada.get(exportOf(await workbench(), 'format=zip'))).body.code).toBe('DownloadUnavailable');

    const { storage } = product.resources;
    await storage.put(`Users/x/${sample(0)}`, Buffer.alloc(32 * 1024 * 1024), { contentType: 'audio/wav' });
    const opened = jest.spyOn(storage, 'get');
    const reader = (await fetchOf(path)).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    const [file] = await Promise.all(
      opened.mock.results.map(({ value }) => value as Promise<{ body: Readable }>),
    );
    opened.mockRestore();
    if (file && !file.body.closed) await once(file.body, 'close');
    expect(file?.body.destroyed).toBe(true);
  });
});
