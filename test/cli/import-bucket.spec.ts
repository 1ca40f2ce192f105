import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { S3ObjectStorage } from '../../adapters/vendors/s3/s3-object-storage.js';
import { SystemClock } from '../../application/shared/clock.js';
import type { BucketReport } from '../../application/publishing/imports/bucket-source.js';
import type { OwnPack } from '../../application/publishing/contract.js';
import { sine, wavFile } from '../audio/synthesis.js';
import { CommandLine, ended } from '../support/command-line.js';
import type { HttpClient } from '../support/http-client.js';
import { makeStems } from '../support/zip.js';

type Files = Record<string, Buffer>;

let frequencyHz = 120;
const sound = (): Buffer => wavFile([sine((frequencyHz += 17), 0.4, 0.5)]);
const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

/** Returns a bucket as former clients left it. */
async function formerBucket(): Promise<Files> {
  const cover = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#a33' } })
    .png()
    .toBuffer();
  const night = 'Users/Ada_Loft/Packs/night-tapes';
  const picture = (background: string) =>
    sharp({ create: { width: 80, height: 80, channels: 3, background } })
      .png()
      .toBuffer();
  return {
    [`${night}/pack.json`]: json({
      name: 'Night Tapes',
      creator: 'Ada Loft',
      genre: 'Expermental',
      mood: 'dreamy',
      description: 'Kept.',
      status: 'published',
      publishedAt: '2024-05-01T00:00:00Z',
      created: '2024-04-02T10:00:00Z',
      defaultCreditCost: 2,
      coverImage: 'https://old.example/storage/covers/front.png?token=1',
      samples: [
        'Kick One',
        {
          title: 'Deep Bass',
          file: 'samples/1700000000_ab12.wav',
          keySignature: 'C# Minor',
          bpm: '90',
          instruments: ['bass', 'Kazoo'],
        },
        {
          displayName: 'Glass',
          src: 'https://old.example/x/1700000001_cd34.WAV?token=2',
          creditCost: 9,
          stems: 'stems/glass-parts.zip',
        },
        { name: 'Rain', url: '/public/rain.wav', isRoyaltyFree: false },
        { title: 'Lost One', url: '/gone.wav' },
      ],
    }),
    [`${night}/samples/1700000001_cd34.wav`]: sound(),
    [`${night}/samples/1700000000_ab12.wav`]: sound(),
    [`${night}/samples/kick one.wav`]: sound(),
    [`${night}/samples/rain.wav`]: sound(),
    [`${night}/samples/extra_take.wav`]: sound(),
    [`${night}/samples/broken.wav`]: Buffer.from('RIFF, or so it says'),
    [`${night}/samples/notes.txt`]: Buffer.from('not audio'),
    [`${night}/samples/.hidden.wav`]: sound(),
    [`${night}/stems/glass-parts.zip`]: await makeStems(Buffer.from('glass')),
    [`${night}/midi/rain.mid`]: Buffer.from('MThd\0\0\0\x06\0\0\0\x01\0\x60', 'latin1'),
    [`${night}/midi/kick one.mid`]: Buffer.from('not MIDI'),
    'Users/Ada_Loft/Profile/profile.json': json({
      user_id: 'old-ada',
      display_name: 'Ada of the Loft',
      bio: 'Tapes, mostly.',
      twitter: '@adaloft',
      youtube: 'javascript:alert(1)',
      samples: [
        {
          title: 'Rain',
          pack: 'Night Tapes',
          packSlug: 'night-tapes',
          fileUrl: 'https://old.example/Users/Ada_Loft/Packs/night-tapes/samples/rain.wav',
          artwork: null,
        },
        { title: 'Deep Bass', packSlug: 'night-tapes', fileUrl: 'https://old.example/moved/away.wav' },
        { title: 'one', packSlug: 'night-tapes-old' },
        { title: 'Lost One', packSlug: 'night-tapes' },
        'Rain',
      ],
    }),
    'Users/Ada_Loft/Profile/avatar-2.png': await picture('#123456'),
    'Users/Ada_Loft/Profile/avatar-10.png': await picture('#00aa33'),
    'Users/Brook/Profile/profile.json': Buffer.from('{"bio": '),
    'avatars/old-brook.png': await picture('#aa0033'),
    'avatars/somebody.svg': Buffer.from('<svg/>'),
    [`${night}/covers/front.png`]: cover,
    [`${night}/covers/other.png`]: Buffer.from('no image'),
    // The same name a second time, without status and cover.
    'Users/Ada_Loft/Packs/night-tapes-old/pack.json': json({
      name: 'Night Tapes',
      coverImage: 'gone.png',
      samples: ['one'],
    }),
    'Users/Ada_Loft/Packs/night-tapes-old/samples/one.wav': sound(),
    // The folder above has already taken the handle of this name.
    'Users/Ada Loft/Packs/broken/pack.json': Buffer.from('{"name": "Half a'),
    'Users/Ada Loft/Packs/broken/samples/left_over.wav': sound(),
    'Users/Brook/Packs/was-out/pack.json': json({
      name: 'Was Out',
      creatorId: 'old-brook',
      genre: 'Soul',
      status: 'unpublished',
      publishedAt: '2024-05-01',
      samples: ['a'],
    }),
    'Users/Brook/Packs/was-out/samples/a.wav': sound(),
    'Users/Brook/Packs/never-out/pack.json': json({
      name: 'Never Out',
      status: 'unpublished',
      samples: ['b'],
    }),
    'Users/Brook/Packs/never-out/samples/b.wav': sound(),
    'Users/peaks/Packs/x/pack.json': json({ name: 'Peaks' }),
    'Users/.emptyFolderPlaceholder/Packs/x/pack.json': json({ name: 'Nothing' }),
    'Users/empty/Profile/profile.json': json({}),
    'other/file.txt': Buffer.from('x'),
  };
}

interface Place {
  name: string;
  /** @returns arguments that name the filled bucket or folder */
  fill(files: Files): Promise<string[]>;
  env: Record<string, string>;
}

const scratch = mkdtempSync(join(tmpdir(), 'offcut-bucket-'));

function fillFolder(folder: string, files: Files): void {
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
}

const places: Place[] = [
  {
    name: 'a folder',
    env: {},
    fill: async (files) => {
      fillFolder(join(scratch, 'bucket'), files);
      return [join(scratch, 'bucket')];
    },
  },
];

const endpoint = process.env.TEST_S3_ENDPOINT;
const credentials = { accessKeyId: 'testkey', secretAccessKey: 'testsecret' };
if (endpoint)
  places.push({
    name: `S3 at ${endpoint}`,
    env: {
      IMPORT_S3_ACCESS_KEY_ID: credentials.accessKeyId,
      IMPORT_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
    fill: async (files) => {
      const bucket = `former-${Date.now()}`;
      const storage = new S3ObjectStorage({
        endpoint,
        region: 'us-east-1',
        bucket,
        clock: new SystemClock(),
        credentials,
      });
      for (const [key, bytes] of Object.entries(files))
        await storage.put(key, bytes, { contentType: 'application/octet-stream' });
      return [`s3://${bucket}`, '--endpoint', endpoint];
    },
  });

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Gives the placeholder account an address, sets a password through its mail, and signs in. */
async function claimed(cli: CommandLine, handle: string, email: string): Promise<HttpClient> {
  expect(await cli.run('hand-over', handle, '--email', email)).toMatchObject({ code: 0 });
  const client = cli.product.browser();
  await client.post('/api/auth/password/forgot', { email });
  const mails = (await client.get('/dev/mailbox?format=json')).body as Array<{ to: string; links: string[] }>;
  const link = mails.find(({ to }) => to === email)?.links[0] ?? '';
  const token = new URL(link).searchParams.get('reset');
  const password = 'a fine pass phrase';
  expect((await client.post('/api/auth/password/reset', { token, password })).status).toBeLessThan(300);
  expect((await client.post('/api/auth/sign-in', { email, password })).status).toBe(200);
  return client;
}

const ownPack = async (client: HttpClient, slug: string): Promise<OwnPack> =>
  (await client.get(`/api/creator/packs/${slug}`)).body;

describe.each(places)('offcut import-bucket from $name', ({ fill, env }) => {
  let cli: CommandLine;
  let from: string[];
  let ada: HttpClient;
  let first: BucketReport;
  let output: { code: number | null; stdout: string };

  const run = async () => {
    const file = join(scratch, 'report.json');
    const ran = await cli.run('import-bucket', ...from, '--creator', `Brook=${cli.handle}`, '--report', file);
    if (ran.code === 2) throw new Error(ran.stderr);
    return { ...ran, report: JSON.parse(readFileSync(file, 'utf8')) as BucketReport };
  };

  beforeAll(async () => {
    Object.assign(process.env, env);
    cli = await CommandLine.open();
    from = await fill(await formerBucket());
    const { report, ...rest } = await run();
    [first, output] = [report, rest];
    ada = await claimed(cli, 'Ada_Loft', 'ada@example.com');
  });
  afterAll(async () => {
    for (const name of Object.keys(env)) delete process.env[name];
    await cli?.close();
  });

  it('[MIG-04] reports what came and, one by one, what did not', () => {
    expect(output.code).toBe(1);
    expect(first).toMatchObject({
      creators: [
        { folder: 'Ada Loft', placeholder: true },
        { folder: 'Ada_Loft', placeholder: true },
        { folder: 'Brook', handle: cli.handle, placeholder: false },
      ],
      packs: { added: 5, known: 0 },
      samples: { added: 9, known: 0 },
      covers: 1,
      profiles: 1,
      avatars: 2,
      attachments: 2,
    });
    expect(first.creators.map(({ handle }) => handle).slice(0, 2)).toEqual(['Ada_Loft-2', 'Ada_Loft']);
    expect(first.problems.map(({ path, reason }) => `${path} ${reason}`)).toEqual([
      'Users/Ada Loft/Packs/broken/pack.json cannot be read as JSON; names come from the files',
      'Users/Ada_Loft/Packs/night-tapes has no file for the sample Lost One',
      'Users/Ada_Loft/Packs/night-tapes-old names the cover gone.png, which is missing; one is drawn',
      'Users/Ada_Loft/Packs/night-tapes/midi/kick one.mid cannot be attached: UnsupportedAttachment',
      'Users/Ada_Loft/Packs/night-tapes/samples/broken.wav is not a WAV, AIFF, FLAC, MP3, Ogg, Opus, M4A or AAC file, despite its name',
      'Users/Ada_Loft/Packs/night-tapes/samples/notes.txt is not a WAV, AIFF, FLAC, MP3, Ogg, Opus, M4A or AAC file',
      'Users/Ada_Loft/Profile/profile.json names no address on youtube: javascript:alert(1)',
      'Users/Ada_Loft/Profile/profile.json features one, which listeners cannot find here',
      'Users/Ada_Loft/Profile/profile.json features Lost One, which listeners cannot find here',
      'Users/Ada_Loft/Profile/profile.json features without a name, which listeners cannot find here',
      'Users/Brook/Profile/profile.json cannot be read as a profile',
    ]);
    expect(output.stdout).toContain('Samples       9 added, 0 already there\n');
    expect(readdirSync(join(cli.product.dataDir, 'uploads'))).toEqual([]);
  });

  it('[MIG-02] [FLT-09] [STOR-12] reads every spelling, in the order of pack.json, and keeps the bytes', async () => {
    const pack = await ownPack(ada, 'night-tapes');
    expect(pack).toMatchObject({
      title: 'Night Tapes',
      genre: 'Experimental',
      mood: 'Dreamy',
      description: 'Kept.',
      status: 'published',
      defaultCreditCost: 2,
      samples: [
        { name: 'Kick One', creditCost: 2 },
        { name: 'Deep Bass', key: 'C# Minor', bpm: 90, instruments: ['Bass'], creditCost: 2 },
        { name: 'Glass', creditCost: 5 },
        { name: 'Rain', isRoyaltyFree: false },
        { name: 'extra take' },
      ],
    });
    const page = await cli.product.browser().get('/api/packs/Ada_Loft/night-tapes');
    expect(page).toMatchObject({
      status: 200,
      body: { sampleCount: 5, creator: { displayName: 'Ada of the Loft', verified: false } },
    });
    expect((await cli.product.browser().get(page.body.artworkUrl)).status).toBe(200);
  });

  it('brings bio, links and picture of creators, stems and MIDI, and the dates of their packs', async () => {
    const profile = (await ada.get('/api/creator/profile')).body;
    expect(profile).toMatchObject({
      displayName: 'Ada of the Loft',
      bio: 'Tapes, mostly.',
      twitter: 'adaloft',
      youtube: '',
    });
    expect(profile.samples.map(({ title }: { title: string }) => title)).toEqual(['Rain', 'Deep Bass']);
    const colourOf = async (address: string) => {
      const bytes = Buffer.from(await (await fetch(cli.product.url + address)).arrayBuffer());
      return (await sharp(bytes).stats()).channels.map(({ mean }) => Math.round(mean / 16));
    };
    expect(await colourOf(profile.avatarUrl)).toEqual([0, 11, 3]);
    expect(await colourOf((await cli.creator.get('/api/creator/profile')).body.avatarUrl)).toEqual([
      11, 0, 3,
    ]);
    const pack = await ownPack(ada, 'night-tapes');
    expect(pack).toMatchObject({
      createdAt: '2024-04-02T10:00:00.000Z',
      publishedAt: '2024-05-01T00:00:00.000Z',
    });
    expect(pack.samples.map(({ name, hasStems, hasMidi }) => [name, hasStems, hasMidi])).toEqual([
      ['Kick One', false, false],
      ['Deep Bass', false, false],
      ['Glass', true, false],
      ['Rain', false, true],
      ['extra take', false, false],
    ]);
  });

  it('[TOLD-701] tells creators that an import into a pack has finished', async () => {
    const { items } = (await cli.creator.get('/api/inbox')).body;
    const texts = items.map(({ text }: { text: string }) => text);
    expect(texts.filter((text: string) => text.startsWith('The import into')).toSorted()).toEqual([
      expect.stringMatching(/^The import into “Never out” has finished: \d+ new sounds?$/i),
      expect.stringMatching(/^The import into “Was out” has finished: \d+ new sounds?$/i),
    ]);
  });

  it('[MIG-03] leaves what has no status, or was never out, a draft; two of one name get addresses of their own', async () => {
    expect(await ownPack(ada, 'night-tapes-2')).toMatchObject({
      title: 'Night Tapes',
      status: 'draft',
      samples: [{ name: 'one' }],
    });
    expect(await ownPack(cli.creator, 'never-out')).toMatchObject({ status: 'draft' });
    expect(await ownPack(cli.creator, 'was-out')).toMatchObject({ status: 'unpublished', genre: 'Soul' });
    const other = await claimed(
      cli,
      first.creators.find(({ folder }) => folder === 'Ada Loft')?.handle as string,
      'ada2@example.com',
    );
    expect(await ownPack(other, 'broken')).toMatchObject({
      status: 'draft',
      samples: [{ name: 'left over' }],
    });
  });

  it('[MIG-04] adds nothing when run again, and leaves alone what creators changed since', async () => {
    const pack = await ownPack(ada, 'night-tapes');
    const [kick, bass] = pack.samples;
    await ada.patch(`/api/creator/packs/${pack.id}`, { name: 'Night Tapes, cut anew' });
    await ada.delete(`/api/creator/packs/${pack.id}/samples/${kick?.id}`);
    await ada.patch(`/api/creator/packs/${pack.id}/samples/${bass?.id}`, { creditCost: 4 });
    await ada.post(`/api/creator/packs/${pack.id}/unpublish`);
    await ada.put('/api/creator/profile', { bio: 'Other words.' });
    const gone = await ownPack(cli.creator, 'never-out');
    await cli.creator.delete(`/api/creator/packs/${gone.id}`);
    const before = await ada.get(`/api/creator/packs/${pack.id}`);
    const { report } = await run();
    expect(report).toMatchObject({
      samples: { added: 0, known: 7 },
      covers: 0,
      profiles: 0,
      avatars: 0,
      attachments: 0,
    });
    expect(report.problems.map(({ path, reason }) => `${path} ${reason}`)).toEqual(
      expect.arrayContaining([
        'Users/Ada_Loft/Packs/night-tapes/samples/kick one.wav was removed here by its creator',
        'Users/Brook/Packs/never-out was deleted here by its creator',
      ]),
    );
    expect((await ada.get(`/api/creator/packs/${pack.id}`)).body).toEqual(before.body);
    expect((await ada.get('/api/creator/profile')).body.bio).toBe('Other words.');
    expect((await cli.creator.get('/api/creator/packs')).body.items).toHaveLength(1);
  });

  it('hands over only what nobody can sign in to, and to nobody who has an account', async () => {
    const taken = await cli.run('hand-over', 'Ada_Loft', '--email', 'thief@example.com');
    expect(taken).toMatchObject({ code: 1 });
    expect(taken.stderr).toContain('belongs to a person who can already sign in');
    expect((await cli.run('hand-over', 'Nobody_Here', '--email', 'a@example.com')).code).toBe(1);
    expect((await cli.run('hand-over', 'Ada_Loft')).code).toBe(2);
  });
});

describe('offcut import-bucket', () => {
  it('[MIG-04] goes on where a killed run stopped', async () => {
    const cli = await CommandLine.open();
    try {
      const folder = join(scratch, 'many');
      const files: Files = {};
      for (let pack = 0; pack < 6; pack++) {
        files[`Users/Cleo/Packs/p${pack}/pack.json`] = json({ name: `P${pack}`, samples: [] });
        for (let n = 0; n < 3; n++) files[`Users/Cleo/Packs/p${pack}/samples/s${n}.wav`] = sound();
      }
      fillFolder(folder, files);
      const child = cli.start('import-bucket', folder);
      const killed = ended(child);
      await new Promise<void>((resolve) => {
        child.stderr?.on('data', (chunk) => String(chunk).includes('2 Users/') && resolve());
        void killed.then(() => resolve());
      });
      child.kill('SIGKILL');
      await killed;
      const again = await cli.run('import-bucket', folder);
      expect(again.code).toBe(0);
      const cleo = await claimed(cli, 'Cleo', 'cleo@example.com');
      const { items } = (await cleo.get('/api/creator/packs')).body;
      expect(items.map(({ sampleCount }: { sampleCount: number }) => sampleCount)).toEqual([
        3, 3, 3, 3, 3, 3,
      ]);
      expect((await cli.run('import-bucket', folder)).stdout).toContain('0 added, 18 already there');
    } finally {
      await cli.close();
    }
  });

  it('refuses what is no bucket in one line', async () => {
    const cli = await CommandLine.open();
    try {
      for (const args of [
        [join(scratch, 'nowhere')],
        [scratch],
        ['s3://'],
        ['s3://a/b'],
        ['s3://without-keys'],
      ]) {
        const { code, stderr } = await cli.run('import-bucket', ...args);
        expect([code, stderr.trim().split('\n')]).toEqual([1, [expect.stringMatching(/^offcut: /)]]);
      }
      if (!endpoint) return;
      Object.assign(process.env, places[1]?.env);
      const absent = await cli.run('import-bucket', 's3://nobody-made-this', '--endpoint', endpoint);
      // The SDK may first print a warning about this version of Node.js.
      expect(absent.stderr.trim()).toMatch(/^offcut: s3:.*NoSuchBucket$/m);
      expect(absent.code).toBe(1);
    } finally {
      await cli.close();
    }
  });
});
