import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import type { OwnPack, OwnSample } from '../../application/publishing/contract.js';
import { CommandLine } from '../support/command-line.js';
import type { HttpClient } from '../support/http-client.js';
import { upload, wav } from '../support/publishing.js';
import { makeStems, readZip } from '../support/zip.js';

let cli: CommandLine;
let original: OwnPack;
let grace: HttpClient;
let graceHandle: string;

const packOf = async (client: HttpClient, slug: string): Promise<OwnPack> =>
  (await client.get(`/api/creator/packs/${slug}`)).body;

/** The content of a pack, without its location and owner. */
const essence = ({
  title,
  genre,
  mood,
  description,
  status,
  defaultCreditCost,
  priceCredits,
  createdAt,
  publishedAt,
  samples,
}: OwnPack) => ({
  title,
  genre,
  mood,
  description,
  status,
  defaultCreditCost,
  priceCredits,
  createdAt,
  publishedAt,
  samples: samples.map(
    ({
      name,
      filename,
      sha256,
      bpm,
      key,
      instruments,
      creditCost,
      isRoyaltyFree,
      kind,
      origin,
      hasStems,
      hasMidi,
      durationMs,
    }: OwnSample) => ({
      name,
      filename,
      sha256,
      bpm,
      key,
      instruments,
      creditCost,
      isRoyaltyFree,
      kind,
      origin,
      hasStems,
      hasMidi,
      durationMs,
    }),
  ),
});

const STEMS = await makeStems(Buffer.from('drums'));
const MIDI = Buffer.from('MThd\0\0\0\x06\0\0\0\x01\0\x60', 'latin1');

/** Creates a pack with difficult names, keys and orders. */
async function makePack(): Promise<OwnPack> {
  const { creator } = cli;
  const { body } = await creator.post('/api/creator/packs', {
    name: 'Cellar: Tapes',
    genre: 'R&B',
    mood: 'Dark',
    description: 'Two\nlines.',
  });
  const path = `/api/creator/packs/${body.id}`;
  const cover = await sharp({ create: { width: 60, height: 60, channels: 3, background: '#a33' } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.set('image', new Blob([new Uint8Array(cover)], { type: 'image/png' }), 'c.png');
  await creator.put(`${path}/cover`, undefined, { raw: form });
  await creator.post(`${path}/default-cost`, { creditCost: 3 });
  const add = async (hz: number, name: string, meta: object) =>
    (await upload(creator, `${path}/samples`, { bytes: wav(hz, 0.3), name }, { meta })).body.sample
      .id as string;
  const ids = [
    await add(220, 'Loop F#m 90bpm.wav', {
      name: 'No key at all',
      key: null,
      bpm: 0,
      instruments: ['Upright Bass', 'Bass'],
    }),
    await add(230, 'Loop F# 90bpm.wav', {
      name: 'Kick',
      key: 'Gb Major',
      bpm: 91,
      creditCost: 5,
      isRoyaltyFree: false,
      kind: 'take',
      origin: 'recorded',
    }),
    await add(240, 'kick.wav', { name: 'Loop.wav', kind: 'one-shot', instruments: [] }),
    await add(250, 'KICK.wav', { name: 'Fourth', instruments: ['Drums'] }),
    await add(230, 'Loop F# again.wav', { name: 'The second recording once more', creditCost: 1 }),
  ];
  await upload(
    creator,
    `${path}/samples/${ids[1]}/stems`,
    { part: 'file', name: 's.zip', bytes: STEMS },
    { method: 'put' },
  );
  await upload(
    creator,
    `${path}/samples/${ids[3]}/midi`,
    { part: 'file', name: 'm.mid', bytes: MIDI },
    { method: 'put' },
  );
  await creator.put(`${path}/order`, { sampleIds: [ids[4], ids[2], ids[0], ids[3], ids[1]] });
  await creator.put(`${path}/price`, { credits: 11 });
  await creator.post(`${path}/publish`);
  return packOf(creator, body.id);
}

beforeAll(async () => {
  cli = await CommandLine.open();
  original = await makePack();
  grace = await cli.product.signedUp();
  graceHandle = (await grace.becomeCreator()).body.handle;
});

afterAll(async () => {
  await cli?.close();
});

/**
 * Imports packs as another installation would. In this one, no other creator may publish what is already
 * published.
 */
async function elsewhere(...command: string[]) {
  const { pool } = cli.product.resources.database;
  const { rows } = await pool.query('select pack_id, published_at from pack');
  await pool.query('update pack set published_at = null; delete from recording_claim');
  const ran = await cli.run(...command);
  await pool.query(
    `update pack p set published_at = e.published_at
       from json_to_recordset($1) as e(pack_id text, published_at timestamptz) where e.pack_id = p.pack_id and e.published_at is not null`,
    [JSON.stringify(rows)],
  );
  return ran;
}

describe('a pack taken away as a folder', () => {
  it('[STOR-04] [STOR-06] [STOR-07] lies in the specified layout', async () => {
    const to = join(cli.scratch, 'out');
    const ran = await cli.run('export-pack', original.slug, '--creator', cli.handle, '--to', to);
    expect(ran).toMatchObject({ code: 0, stdout: `9 files in ${join(to, 'cellar-tapes')}\n` });
    const files = (readdirSync(join(to, 'cellar-tapes'), { recursive: true }) as string[]).filter((name) =>
      /\./.test(name),
    );
    expect(files.sort()).toEqual([
      'covers/cover.webp',
      'midi/KICK (2).mid',
      'pack.json',
      'samples/KICK (2).wav',
      'samples/Loop F# 90bpm.wav',
      'samples/Loop F# again.wav',
      'samples/Loop F#m 90bpm.wav',
      'samples/kick.wav',
      'stems/Loop F# 90bpm.zip',
    ]);
    const document = JSON.parse(readFileSync(join(to, 'cellar-tapes/pack.json'), 'utf8'));
    expect(document).toMatchObject({
      name: 'Cellar: Tapes',
      slug: 'cellar-tapes',
      genre: 'R&B',
      creatorHandle: cli.handle,
      coverImage: 'covers/cover.webp',
      defaultCreditCost: 3,
      status: 'published',
    });
    expect(document.samples[1]).toMatchObject({
      name: 'Loop.wav',
      duration: '0:01',
      fileUrl: 'samples/kick.wav',
      creditCost: 3,
      hasStems: false,
    });
    expect(
      (await cli.run('export-pack', original.slug, '--creator', cli.handle, '--to', to)).stderr,
    ).toContain('is not empty');
  });

  it('[MIG-440, PRICE-708] is the same pack again when it is imported, and on sale only with --publish', async () => {
    const folder = join(cli.scratch, 'out/cellar-tapes');
    expect(await elsewhere('import', folder, '--creator', graceHandle)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\(cellar-tapes, draft\)[^]*Add --publish to put this one on sale/),
    });
    expect(await packOf(grace, 'cellar-tapes')).toMatchObject({ status: 'draft', publishedAt: null });
    expect(await elsewhere('import', folder, '--creator', graceHandle, '--publish')).toMatchObject({
      code: 0,
    });
    const again = await packOf(grace, 'cellar-tapes');
    const renamed = (pack: ReturnType<typeof essence>) => ({
      ...pack,
      samples: pack.samples.map((sample) => ({
        ...sample,
        filename: sample.filename.replace('KICK.', 'KICK (2).'),
      })),
    });
    expect(essence(again)).toEqual(renamed(essence(original)));
    const picture = async ({ artworkUrl }: OwnPack) =>
      (await sharp(Buffer.from(await (await fetch(`${cli.product.url}${artworkUrl}`)).arrayBuffer())).stats())
        .dominant;
    expect(await picture(again)).toEqual(await picture(original));
    expect(await cli.run('import', folder, '--creator', graceHandle)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Added +0\n/),
    });
    expect(essence(await packOf(grace, 'cellar-tapes'))).toEqual(essence(again));
  });

  it('comes as one archive to its owner, and to nobody else', async () => {
    const path = `/api/creator/packs/${original.id}/export.zip`;
    const cookie = [...cli.creator.cookies].map((pair) => pair.join('=')).join('; ');
    const answer = await fetch(cli.product.url + path, { headers: { cookie } });
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(answer.headers.get('content-disposition')).toContain('cellar-tapes.zip');
    expect(answer.headers.get('content-length')).toBe(String(bytes.length));
    const entries = readZip(bytes);
    expect([...entries.keys()]).toHaveLength(9);
    const onDisk = (name: string) => readFileSync(join(cli.scratch, 'out', name));
    for (const [name, content] of entries) expect(content.equals(onDisk(name))).toBe(true);
    expect((await grace.get(path)).status).toBe(404);
    expect((await cli.product.browser().get(path)).status).toBe(401);
  });

  it('is refused for a pack that nobody has, and for one that was taken down', async () => {
    expect((await cli.run('export-pack', 'nothing', '--creator', cli.handle, '--to', cli.scratch)).code).toBe(
      1,
    );
    expect((await cli.run('export-pack', 'nothing', '--to', cli.scratch)).code).toBe(2);
    const { body } = await cli.creator.post('/api/creator/packs', {
      name: 'Stolen',
      genre: 'Lofi',
      mood: 'Chill',
    });
    const now = new Date().toISOString();
    const takenDown = { type: 'PackTakenDown', data: { packId: body.id, at: now, reason: 'A claim' } };
    await cli.product.resources.eventStore.append(
      [{ stream: `pack-${body.id}`, expectedVersion: body.version, events: [takenDown] }],
      { actor: 'system:test', correlationId: 'x' },
    );
    expect(await cli.creator.get(`/api/creator/packs/${body.id}/export.zip`)).toMatchObject({
      status: 409,
      body: { code: 'PackTakenDown', reason: 'A claim' },
    });
  });

  it('[MIG-02] is the same pack again from a copy of our own bucket', async () => {
    const bucket = join(cli.scratch, 'bucket');
    const copy = async (prefix: string) => {
      const { storage } = cli.product.resources;
      for (const { key } of (await storage.list({ prefix, limit: 1_000 })).objects) {
        mkdirSync(dirname(join(bucket, key)), { recursive: true });
        writeFileSync(join(bucket, key), Buffer.concat(await (await storage.get(key)).body.toArray()));
      }
    };
    const { rows } = await cli.product.resources.database.pool.query(
      'select folder from creator_folder join creator_profile using (user_id) where handle = $1',
      [cli.handle],
    );
    const folder = rows[0].folder as string;
    const place = `Users/${folder}/Packs/${original.slug}/`;
    const mirrored = async () => {
      await copy(place);
      return JSON.parse(readFileSync(join(bucket, place, 'pack.json'), 'utf8'));
    };
    for (let json = await mirrored(); ; json = await mirrored()) {
      if (json.status === 'published' && json.samples.length === original.samples.length) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const other = await cli.product.signedUp();
    const { handle } = (await other.becomeCreator()).body;
    const ran = await elsewhere('import-bucket', bucket, '--creator', `${folder}=${handle}`);
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('Problems      0\n') });
    const names = (pack: OwnPack) => ({
      ...essence(pack),
      samples: essence(pack).samples.map(({ filename: _, ...sample }) => sample),
    });
    expect(names(await packOf(other, 'cellar-tapes'))).toEqual(names(original));
  });
});
