import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HttpClient } from '../support/http-client.js';
import { draftPack, startPublishingApp, upload, wav, type PublishingApp } from '../support/publishing.js';

let test: PublishingApp;
let ada: HttpClient;
let path: string;
let ids: string[];
let version: number;

beforeAll(async () => {
  test = await startPublishingApp();
  ada = await test.creator('ada@example.com');
  const pack = await draftPack(ada);
  path = `/api/creator/packs/${pack.id}`;
  for (const hz of [220, 330, 440]) await upload(ada, `${path}/samples`, { bytes: wav(hz, 0.3) });
  const { body } = await ada.get(path);
  ids = body.samples.map(({ id }: { id: string }) => id);
  version = body.version;
});
afterAll(async () => test?.close());

const change = (changes: object[], ifMatch?: number) =>
  ada.patch(
    `${path}/samples`,
    { changes },
    ifMatch === undefined ? {} : { headers: { 'if-match': `"${ifMatch}"` } },
  );
const facts = async () => (await ada.get(path)).body.samples;

describe('the facts of many samples at once', () => {
  it('are saved in one step under one version', async () => {
    const answer = await change(
      ids.map((sampleId, index) => ({ sampleId, name: `Take ${index + 1}`, bpm: 90, creditCost: 2 })),
      version,
    );
    expect(answer).toMatchObject({ status: 200, body: { savedIds: ids, refused: [] } });
    expect(
      (await facts()).map(({ name, bpm, creditCost }: Record<string, unknown>) => [name, bpm, creditCost]),
    ).toEqual([
      ['Take 1', 90, 2],
      ['Take 2', 90, 2],
      ['Take 3', 90, 2],
    ]);
    expect(answer.headers.get('etag')).toBe(`"${answer.body.pack.version}"`);
  });

  it('fit in one call for as many as a pack may hold, with their longest names', async () => {
    const rows = Array.from({ length: 1_000 }, (_, n) => ({
      sampleId: `nobody-${n}`,
      name: '音'.repeat(120),
      bpm: 120,
      key: 'C# minor',
      instruments: ['Piano', 'Guitar', 'Bass', 'Drums', 'Synth', 'Choir'],
      creditCost: 2,
      isRoyaltyFree: true,
    }));
    const { status, body } = await change(rows);
    expect([status, body.refused?.length]).toEqual([200, 1_000]);
  });

  it('[API-13] of a stale version change nothing', async () => {
    const before = await facts();
    expect(await change([{ sampleId: ids[0], name: 'Mine' }], version)).toMatchObject({
      status: 409,
      body: { code: 'StaleVersion' },
    });
    expect(await facts()).toEqual(before);
  });

  it('are refused row by row: the others are saved', async () => {
    const answer = await change([
      { sampleId: ids[0], bpm: 401 },
      { sampleId: ids[1], bpm: 101 },
      { sampleId: 'nobody', bpm: 102 },
      { sampleId: ids[2], instruments: ['Kazoo'], name: 'Not saved' },
    ]);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        savedIds: [ids[1]],
        refused: [
          { sampleId: ids[0], code: 'InvalidRequest', errors: [{ path: 'bpm' }] },
          { sampleId: ids[2], code: 'InvalidRequest', errors: [{ path: 'instruments.0' }] },
          { sampleId: 'nobody', code: 'NotFound', errors: [] },
        ],
      },
    });
    expect((await facts()).map(({ name, bpm }: Record<string, unknown>) => [name, bpm])).toEqual([
      ['Take 1', 90],
      ['Take 2', 101],
      ['Take 3', 90],
    ]);
  });

  it('are nobody else’s business, and no other field of a sample can be set', async () => {
    const grace = await test.creator('grace@example.com');
    expect(
      await grace.patch(`${path}/samples`, { changes: [{ sampleId: ids[0], name: 'x' }] }),
    ).toMatchObject({
      status: 404,
      body: { code: 'NotFound' },
    });
    expect((await change([{ sampleId: ids[0], creatorId: 'grace' }])).body.refused).toHaveLength(1);
    for (const changes of [[], [{}], Array.from({ length: 1_001 }, () => ({ sampleId: 'a' }))])
      expect((await change(changes)).status).toBe(400);
  });

  it('saved twice at once with one version are saved once', async () => {
    const now = (await ada.get(path)).body.version;
    const answers = await Promise.all([
      change([{ sampleId: ids[0], name: 'First' }], now),
      change([{ sampleId: ids[0], name: 'Second' }], now),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});
