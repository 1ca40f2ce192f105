import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
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
