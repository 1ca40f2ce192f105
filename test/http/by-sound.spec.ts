import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DescribeSounds } from '../../application/publishing/sounds/describe-sounds.js';
import { SimilarSamples, SoundHistograms } from '../../application/catalogue/contract.js';
import { DESCRIPTORS, SOUND_VERSION } from '../../domain/catalogue/sound/facts.js';
import { drumLoop, rustle, sine, wavFile } from '../audio/synthesis.js';
import type { HttpClient } from '../support/http-client.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { draftPack, upload } from '../support/publishing.js';
import { until } from '../support/until.js';

let product: TestProduct;
let visitor: HttpClient;
let ids: Record<string, string>;

const descriptorsOf = async (id: string | undefined): Promise<number[]> => {
  const { rows } = await product.resources.database.pool.query<{ descriptors: Buffer | null }>(
    'select descriptors from sound_descriptor where sample_id = $1',
    [id],
  );
  return rows.flatMap(({ descriptors }) => Array.from(descriptors ?? [], (byte) => (byte << 24) >> 24));
};
const similar = async (id: string | undefined, query = '') => {
  const answer = await visitor.get(`/api/samples/${id}/similar?by=sound${query}`);
  expect(answer.status).toBe(200);
  return SimilarSamples.parse(answer.body).items;
};

async function publish(email: string, sounds: Record<string, Float32Array>): Promise<Record<string, string>> {
  const client = await product.signedUp(email);
  await client.becomeCreator();
  const { id } = await draftPack(client);
  const published: Record<string, string> = {};
  for (const [title, pcm] of Object.entries(sounds)) {
    const answer = await upload(client, `/api/creator/packs/${id}/samples`, {
      bytes: wavFile([pcm]),
      name: `${title}.wav`,
    });
    expect(answer.status).toBe(201);
    published[title] = answer.body.sample.id;
  }
  expect((await client.post(`/api/creator/packs/${id}/publish`)).status).toBe(200);
  return published;
}

beforeAll(async () => {
  product = await startTestProduct({ WORK_KINDS: 'mail,sound', COPY_CHECK_WAIT_MS: '0' });
  visitor = product.browser();
  ids = {
    ...(await publish('ada@example.com', {
      Low: sine(70, 1, 0.5),
      Rustle: rustle(1, 1),
      Drums: drumLoop(120, 1),
    })),
    ...(await publish('ben@example.com', {
      Hum: sine(78, 1, 0.3),
      Hiss: rustle(1, 2),
      Beat: drumLoop(120, 1, 2),
    })),
    ...(await publish('cy@example.com', { Whistle: sine(2_000, 1, 0.4), Tone: sine(75, 1, 0.4) })),
  };
});
afterAll(async () => product?.stop());

describe('a search by sound', () => {
  it('[EAR-703, EAR-706] finds what sounds alike, with reasons and two of one creator at most', async () => {
    expect(await descriptorsOf(ids.Low)).toHaveLength(DESCRIPTORS);
    const items = await similar(ids.Low);
    expect(
      items
        .slice(0, 2)
        .map(({ title }) => title)
        .sort(),
    ).toEqual(['Hum', 'Tone']);
    expect(items.map(({ id }) => id)).not.toContain(ids.Low);
    const distances = items.map(({ distance = NaN }) => distance);
    expect(distances).toEqual([...distances].sort((a, b) => a - b));
    for (const { reasons, creator } of items) {
      expect(reasons.length).toBeGreaterThan(0);
      expect(items.filter((other) => other.creator.id === creator.id).length).toBeLessThan(3);
    }
    expect((await similar(ids.Rustle))[0]?.title).toBe('Hiss');
    expect((await similar(ids.Low, '&limit=1')).map(({ title }) => title)).toEqual([items[0]?.title]);
    expect(items.find(({ title }) => title === 'Whistle')?.reasons).toContain('Brighter');
  });

  it('[EAR-706] takes the filters of the catalogue and refuses what is not valid', async () => {
    const bright = await similar(ids.Low, '&brightness=50..100');
    expect(bright.map(({ title }) => title)).toContain('Whistle');
    expect(bright.map(({ title }) => title)).not.toContain('Hum');
    expect(await similar(ids.Low, '&genre=Trap')).toEqual([]);
    expect((await visitor.get('/api/samples/nope/similar?by=sound')).status).toBe(404);
    for (const wrong of [
      'by=smell',
      'by=sound&limit=0',
      'by=sound&limit=51',
      'by=sound&punch=9..1',
      'by=sound&punch=1',
    ])
      expect((await visitor.get(`/api/samples/${ids.Low}/similar?${wrong}`)).body.code).toBe(
        'InvalidRequest',
      );
    expect((await visitor.get(`/api/samples/${ids.Low}/similar?by=sound&owned=true`)).status).toBe(401);
  });

  it('[EAR-707] takes the descriptors of a sound that stays with its owner', async () => {
    expect((await visitor.get('/api/samples/by-sound/versions')).body).toEqual({ versions: [SOUND_VERSION] });
    const descriptors = await descriptorsOf(ids.Low);
    const search = (body: object) => visitor.post('/api/samples/by-sound', body);
    const { items } = SimilarSamples.parse((await search({ version: SOUND_VERSION, descriptors })).body);
    expect(items[0]).toMatchObject({ title: 'Low', distance: 0 });
    const some = await search({ version: SOUND_VERSION, descriptors, limit: 1, brightness: '50..100' });
    expect(some.body.items).toHaveLength(1);
    expect((await search({ version: 99, descriptors })).body.code).toBe('UnknownSoundVersion');
    for (const wrong of [descriptors.slice(1), [], ['a'], descriptors.map(() => 1_000), undefined])
      expect((await search({ version: SOUND_VERSION, descriptors: wrong })).body.code).toBe('InvalidRequest');
  });

  it('[EAR-706, EAR-710] a text restricts the sounds, and rhythm or pitch may count most', async () => {
    expect((await similar(ids.Low, '&q=hum')).map(({ title }) => title)).toEqual(['Hum']);
    expect(await similar(ids.Low, '&q=nothing+like+this')).toEqual([]);
    const [byPitch] = await similar(ids.Low, '&balance=pitch');
    expect(['Tone', 'Hum']).toContain(byPitch?.title);
    expect((await visitor.get(`/api/samples/${ids.Low}/similar?by=sound&balance=loudness`)).status).toBe(400);
  });

  it('[EAR-711] histograms show how the facts are spread among the samples of a search', async () => {
    const histograms = async (query = '') => {
      const answer = await visitor.get(`/api/samples/by-sound/histograms${query}`);
      expect(answer.status).toBe(200);
      return SoundHistograms.parse(answer.body);
    };
    const sum = (bars: number[]): number => bars.reduce((all, each) => all + each, 0);
    const all = await histograms();
    for (const bars of Object.values(all)) expect(sum(bars)).toBe(8);
    const bright = await histograms('?brightness=50..100');
    expect(bright.brightness).toEqual(all.brightness);
    expect(sum(bright.warmth)).toBeLessThan(8);
    expect(sum((await histograms('?q=whistle')).punch)).toBe(1);
    expect((await visitor.get('/api/samples/by-sound/histograms?owned=true')).status).toBe(401);
  });

  it('[EAR-708] the catalogue is filtered by facts of the sound, in every order', async () => {
    for (const sort of ['relevance', 'new']) {
      const { items, total } = (
        await visitor.get(`/api/samples?brightness=50..100&warmth=0..20&sort=${sort}`)
      ).body;
      expect(items.map(({ title }: { title: string }) => title)).toContain('Whistle');
      expect(items.map(({ title }: { title: string }) => title)).not.toContain('Low');
      expect(total).toBe(items.length);
    }
    expect((await visitor.get('/api/samples?decay=0..101')).body.code).toBe('InvalidRequest');
  });

  it('[EAR-709] sounds without descriptors are described by workers, and are found then', async () => {
    const { pool } = product.resources.database;
    const before = await descriptorsOf(ids.Hum);
    await pool.query('update sound_descriptor set version = 0, descriptors = null where sample_id = $1', [
      ids.Hum,
    ]);
    await product.app.get(DescribeSounds, { strict: false }).sweep();
    await until(async () => (await descriptorsOf(ids.Hum)).length > 0);
    expect(await descriptorsOf(ids.Hum)).toEqual(before);
    expect((await similar(ids.Low)).map(({ title }) => title)).toContain('Hum');
  });
});
