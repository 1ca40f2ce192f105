import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PartSuggestions } from '../../application/library/workbenches/contract.js';
import { COMPARED, DESCRIPTORS, SOUND_FACTS, SOUND_VERSION } from '../../domain/catalogue/sound/facts.js';
import { recordPack, type SampleFacts } from '../support/catalogue.js';
import type { HttpClient } from '../support/http-client.js';
import { startTestProduct, type TestProduct } from '../support/product.js';

let product: TestProduct;
let visitor: HttpClient;
let mira: HttpClient;

/** Brightness, punch, decay, noisiness and warmth of each sound, by the title of its sample. */
const SOUNDS = {
  'Beat loop': [40, 80, 60, 70, 40],
  'Keys loop': [60, 40, 60, 20, 30],
  'Low loop': [15, 40, 60, 20, 95],
  'Near the keys loop': [61, 42, 60, 22, 31],
  'Trap low loop': [12, 40, 60, 20, 90],
  'Fast loop': [12, 40, 60, 20, 85],
  'Low hit': [10, 40, 60, 20, 95],
  'Shifted loop': [14, 40, 60, 20, 99],
} as const;

async function publish(
  packId: string,
  samples: (SampleFacts & { title: keyof typeof SOUNDS })[],
  options = {},
) {
  const { database, eventStore } = product.resources;
  const genre = packId === 'trap' ? 'Trap' : 'Soul';
  await recordPack(eventStore, { packId, creatorId: mira.userId, genre }, samples, options);
  for (const [at, { title }] of samples.entries()) {
    const descriptors = Buffer.alloc(DESCRIPTORS);
    for (const place of SOUND_FACTS.keys()) descriptors[COMPARED + place] = SOUNDS[title][place] as number;
    await database.pool.query(
      'insert into sound_descriptor (sample_id, audio_version, version, descriptors) values ($1, 1, $2, $3)',
      [`${packId}-${at}`, SOUND_VERSION, descriptors],
    );
  }
}

beforeAll(async () => {
  product = await startTestProduct();
  visitor = product.browser();
  mira = await product.signedUp('mira@example.com');
  const bass = { instruments: ['Bass'], bpm: 90, key: 'C Minor' };
  await publish('lanes', [
    { title: 'Beat loop', instruments: ['Drums'], bpm: 92, key: null },
    { title: 'Keys loop', instruments: ['Piano'], bpm: 90, key: 'C Minor' },
  ]);
  await publish('soul', [
    { title: 'Shifted loop', ...bass, key: 'D Minor' },
    { title: 'Low loop', ...bass },
    { title: 'Near the keys loop', ...bass },
    { title: 'Fast loop', ...bass, bpm: 120 },
    { title: 'Low hit', ...bass, bpm: 0 },
  ]);
  await publish('trap', [{ title: 'Trap low loop', ...bass }]);
  await publish('draft', [{ title: 'Beat loop', instruments: ['Drums'] }], { draft: true });
  const { position } = await product.resources.eventStore.head();
  await product.resources.logSubscriptions.caughtUp(position, 20_000, ['catalogue-search']);
});
afterAll(async () => product?.stop());

const ask = (client: HttpClient, body: object) =>
  client.post('/api/workbenches/suggestions', { tempo: 90, key: 'C Minor', lanes: [], ...body });
const suggested = async (client: HttpClient, body: object): Promise<PartSuggestions> =>
  PartSuggestions.parse((await ask(client, body)).body);
const titlesIn = ({ items }: PartSuggestions) => items.map(({ sample }) => sample.title);

describe('the missing part of a workbench', () => {
  it('[WORK-706] is answered with samples that the project changes least', async () => {
    const lanes = ['lanes-0', 'lanes-1'];
    const part = await suggested(visitor, { lanes });
    expect(part).toMatchObject({ missing: 'bass', because: 'No bass plays yet.' });
    // Two of one creator at most: the third one is shifted.
    expect(titlesIn(part).sort()).toEqual(['Low loop', 'Trap low loop']);
    expect(titlesIn(await suggested(visitor, { lanes, genre: 'Trap' }))).toEqual([
      'Trap low loop',
      'Low loop',
    ]);
    const { items } = await suggested(mira, { lanes });
    expect(items[0]).toMatchObject({ sample: { owned: false }, reason: 'Darker than the rest' });
    expect(new Set(items.map(({ reason }) => reason)).size).toBe(2);
  });

  it('[WORK-706] does not count what the viewer may not hear', async () => {
    expect((await suggested(visitor, { lanes: ['draft-0', 'nothing'] })).missing).toBe('drums');
    expect((await suggested(mira, { lanes: ['draft-0'] })).missing).toBe('bass');
    expect(titlesIn(await suggested(visitor, {}))).toEqual(['Beat loop']);
    expect(await suggested(visitor, { lanes: ['lanes-0', 'lanes-1', 'soul-1'] })).toEqual({
      missing: 'texture',
      because: 'No texture plays yet.',
      items: [],
    });
  });

  it('[WORK-706] refuses what is not valid', async () => {
    for (const wrong of [
      { tempo: 39 },
      { key: 'H Minor' },
      { lanes: undefined },
      { lanes: Array.from({ length: 9 }, () => 'lanes-0') },
      { genre: 'Polka' },
      { other: 1 },
    ])
      expect((await ask(visitor, wrong)).body.code).toBe('InvalidRequest');
  });
});
