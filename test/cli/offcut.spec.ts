import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { HttpClient } from '../support/http-client.js';
import { startTestProduct, type TestProduct } from '../support/product.js';

const ROOT = resolve(import.meta.dirname, '../..');
const ENTRY = ['--import', './test/support/typescript.mjs', 'adapters/nest/cli.ts'];

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

let product: TestProduct;
let creator: HttpClient;
let handle: string;
let scratch: string;

function start(args: string[]): ChildProcess {
  const env = {
    ...process.env,
    NODE_ENV: 'test',
    DATA_DIR: product.dataDir,
    DATABASE_URL: product.resources.config.databaseUrl,
    NODE_OPTIONS: '',
  };
  return spawn(process.execPath, [...ENTRY, ...args], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
}

function ended(child: ChildProcess): Promise<Ended> {
  const result: Ended = { code: null, stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => (result.stdout += chunk));
  child.stderr?.on('data', (chunk) => (result.stderr += chunk));
  return new Promise((done) => child.once('close', (code) => done({ ...result, code })));
}

const offcut = (...args: string[]): Promise<Ended> => ended(start(args));

/** A second of a tone: a real, if dull, WAV. */
function tone(path: string, hertz: number): void {
  const frames = 44_100;
  const bytes = Buffer.alloc(44 + frames * 2);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(36 + frames * 2, 4);
  bytes.write('WAVEfmt ', 8);
  [
    [16, 16, 4],
    [20, 1, 2],
    [22, 1, 2],
    [24, 44_100, 4],
    [28, 88_200, 4],
    [32, 2, 2],
    [34, 16, 2],
    [40, frames * 2, 4],
  ].forEach(([at, value, size]) => bytes.writeUIntLE(value as number, at as number, size as number));
  bytes.write('data', 36);
  for (let i = 0; i < frames; i++)
    bytes.writeInt16LE(Math.round(12_000 * Math.sin((2 * Math.PI * hertz * i) / 44_100)), 44 + i * 2);
  writeFileSync(path, bytes);
}

interface PackSeen {
  title: string;
  genre: string;
  status: string;
  samples: Array<{
    name: string;
    filename: string;
    bpm: number;
    key: string | null;
    creditCost: number;
    instruments: string[];
  }>;
}
const ownPack = async (slug: string): Promise<PackSeen> =>
  (await creator.get(`/api/creator/packs/${slug}`)).body as PackSeen;

beforeAll(async () => {
  product = await startTestProduct();
  scratch = mkdtempSync(join(tmpdir(), 'offcut-cli-'));
  creator = await product.signedUp();
  await creator.post('/api/creator/application', {});
  handle = ((await creator.get('/api/creator')).body as { handle: string }).handle;
}, 60_000);

afterAll(async () => {
  await product?.stop();
  if (scratch) rmSync(scratch, { recursive: true, force: true });
});

describe('offcut, called wrongly', () => {
  it.each([
    ['without a command', []], ['with an unknown command', ['improt']], ['with an unknown flag', ['doctor', '--loud']],
    ['importing for nobody', ['import', '.']], ['importing two folders', ['import', 'a', 'b', '--creator', 'x']],
  ])('%s prints its usage on stderr and exits with 2', async (_, args) => {
    const { code, stdout, stderr } = await offcut(...args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain('Usage: offcut <command>');
  }); // prettier-ignore

  it('names an unknown creator and a missing folder in one line and exits with 1', async () => {
    const nobody = await offcut('import', scratch, '--creator', 'Nobody_At_All');
    expect(nobody.code).toBe(1);
    const missing = await offcut('import', join(scratch, 'not-there'), '--creator', handle);
    expect(missing.code).toBe(1);
    expect(missing.stderr.trim().split('\n')).toHaveLength(1);
  });
});

describe('offcut import', () => {
  it('reads names, skips nothing silently, goes on after a broken file and exits with 1', async () => {
    const folder = join(scratch, 'Cellar Tapes');
    mkdirSync(join(folder, 'takes'), { recursive: true });
    tone(join(folder, 'Felt_Bass_120bpm_Cmin.wav'), 110);
    tone(join(folder, 'takes', 'Snare Roll 90 BPM F#m.wav'), 220);
    tone(join(folder, '.hidden.wav'), 330);
    writeFileSync(join(folder, 'broken.wav'), 'RIFF but nothing of the kind');
    writeFileSync(join(folder, 'other.flac'), 'fLaC');
    writeFileSync(join(folder, 'notes.txt'), 'not audio');
    const { code, stdout } = await offcut('import', folder, '--creator', handle);
    expect(code).toBe(1);
    expect(stdout).toMatch(/Added +2\n/);
    expect(stdout).toMatch(/Failed +2\n/);
    expect(stdout).toContain('broken.wav: ');
    expect(stdout).toContain('other.flac: ');
    const pack = await ownPack('cellar-tapes');
    expect(pack.status).toBe('draft');
    expect(pack.samples).toMatchObject([
      { name: 'Felt Bass', bpm: 120, key: 'C Minor', instruments: ['Bass'] },
      { name: 'Snare Roll', bpm: 90, key: 'F# Minor', instruments: ['Snare'] },
    ]);
    // Nothing received for the import is left lying about.
    expect(readdirSync(join(product.dataDir, 'uploads'))).toEqual([]);
  }, 60_000);

  it('[MIG-02] reads plain names and title, displayName, file, src, url and keySignature of a pack.json', async () => {
    const folder = join(scratch, 'from-json');
    mkdirSync(folder);
    ['one', 'Two', 'three', 'four', 'five'].forEach((name, i) =>
      tone(join(folder, `${name}.wav`), 200 + i * 30),
    );
    const samples = [
      'one',
      { title: 'The second', file: 'samples/two.wav', keySignature: 'Bb Major', bpm: '91', creditCost: 3 },
      { displayName: 'The third', src: 'https://elsewhere.example/three.wav?version=2', key: 'C#m' },
      { name: 'The fourth', url: '/x/FOUR.wav', instruments: ['Piano', 'Kazoo'] },
    ];
    writeFileSync(
      join(folder, 'pack.json'),
      JSON.stringify({
        name: 'Old Paper',
        genre: 'Expermental',
        mood: 'dreamy',
        description: 'Kept.',
        defaultCreditCost: 2,
        samples,
      }),
    );
    expect(await offcut('import', folder, '--creator', handle)).toMatchObject({ code: 0 });
    const pack = await ownPack('old-paper');
    expect(pack).toMatchObject({
      title: 'Old Paper',
      genre: 'Experimental',
      mood: 'Dreamy',
      description: 'Kept.',
    });
    const byFile = Object.fromEntries(pack.samples.map((sample) => [sample.filename, sample]));
    expect(byFile).toMatchObject({
      'one.wav': { name: 'one', creditCost: 2 },
      'Two.wav': { name: 'The second', key: 'Bb Major', bpm: 91, creditCost: 3 },
      'three.wav': { name: 'The third', key: 'C# Minor' },
      'four.wav': { name: 'The fourth', instruments: ['Piano'] },
      'five.wav': { name: 'five' },
    });
  }, 60_000);

  it('[MIG-03] leaves a pack without status, or unpublished without a date, a draft; follows published', async () => {
    const cases = [
      ['no-status', {}, 'draft'], ['no-date', { status: 'unpublished' }, 'draft'], ['was-out', { status: 'unpublished', publishedAt: '2024-05-01' }, 'unpublished'],
      ['is-out', { status: 'published', publishedAt: '2024-05-01' }, 'published'],
    ] as const; // prettier-ignore
    for (const [name, json, status] of cases) {
      const folder = join(scratch, name);
      mkdirSync(folder);
      tone(join(folder, 'a.wav'), 300);
      writeFileSync(join(folder, 'pack.json'), JSON.stringify({ name, ...json, samples: ['a'] }));
      await offcut('import', folder, '--creator', handle);
      expect(await ownPack(name)).toMatchObject({ status });
    }
  }, 90_000);

  it('adds nothing when run twice, and only what is new afterwards', async () => {
    const folder = join(scratch, 'twice');
    mkdirSync(folder);
    tone(join(folder, 'a.wav'), 150);
    copyFileSync(join(folder, 'a.wav'), join(folder, 'the same again.wav'));
    expect((await offcut('import', folder, '--creator', handle)).stdout).toMatch(
      /Added +1\nAlready there +1\n/,
    );
    expect((await offcut('import', folder, '--creator', handle)).stdout).toMatch(
      /Added +0\nAlready there +2\n/,
    );
    tone(join(folder, 'b.wav'), 160);
    expect((await offcut('import', folder, '--creator', handle)).stdout).toMatch(
      /Added +1\nAlready there +2\n/,
    );
    expect((await ownPack('twice')).samples).toHaveLength(2);
  }, 90_000);
});

describe('offcut import, on recordings of others', () => {
  const recordings = join(tmpdir(), 'offcut-real-audio');
  const collected = spawnSync(join(ROOT, 'test/support/real-audio.sh'), [recordings], {
    encoding: 'utf8',
    timeout: 240_000,
  });
  const here = collected.status === 0;
  // The reason stands in the report where the test could not run.
  const run = here ? it : it.skip;

  run(
    `takes in 150 files of mixed formats, killed half-way and started again${here ? '' : ` (${collected.stderr?.trim() || 'not collected'})`}`,
    async () => {
      const folder = join(scratch, 'Recordings');
      cpSync(recordings, folder, { recursive: true });
      const names = readdirSync(folder).filter((name) => !name.startsWith('.'));
      expect(names.length).toBeGreaterThanOrEqual(150);
      expect(new Set(names.map((name) => name.split('.').pop()))).toEqual(new Set(['wav', 'mp3', 'm4a']));

      const first = start(['import', folder, '--creator', handle, '--publish']);
      first.stderr?.on('data', (chunk: Buffer) => {
        if (String(chunk).includes('50 of')) first.kill('SIGKILL');
      });
      expect((await ended(first)).code).toBeNull();
      const half = (await ownPack('recordings')).samples.length;
      expect(half).toBeGreaterThanOrEqual(50);
      expect(half).toBeLessThan(names.length);

      const second = await offcut('import', folder, '--creator', handle, '--publish');
      expect(second).toMatchObject({
        stdout: expect.stringMatching(/Failed +0\n$/),
        code: 0,
        stderr: expect.stringContaining(`${names.length} of ${names.length} files`),
      });
      const pack = await ownPack('recordings');
      expect(pack.status).toBe('published');
      expect(pack.samples.map((sample) => sample.filename)).toEqual(
        [...names].sort((a, b) => a.localeCompare(b, 'en', { numeric: true })),
      );
      const found = (await product.browser().get(`/api/packs/${handle}/recordings`)).body as {
        samples: unknown[];
      };
      expect(found.samples).toHaveLength(names.length);
    },
    300_000,
  );
});

describe('offcut events and doctor', () => {
  it('prints a stream for people and as JSON, and says when there is none', async () => {
    const { id } = (await creator.get('/api/creator/packs/twice')).body as { id: string };
    const plain = await offcut('events', `pack-${id}`);
    expect(plain.stdout).toContain('PackDrafted');
    expect(plain.stdout).toMatch(/ v1 /);
    const json = await offcut('events', `pack-${id}`, '--json');
    const events = json.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events[0]).toMatchObject({ stream: `pack-${id}`, version: 1, type: 'PackDrafted' });
    expect(events[0].position).toBeGreaterThan(0);
    expect(await offcut('events', 'pack-none')).toMatchObject({ code: 1, stdout: '' });
  }, 60_000);

  it('finds everything well, then names the place where an event was changed', async () => {
    const well = await offcut('doctor');
    expect(well).toMatchObject({ code: 0 });
    expect(
      well.stdout
        .trim()
        .split('\n')
        .map((line) => line.slice(0, 8).trim()),
    ).toEqual(['ok', 'ok', 'ok', 'ok']);
    const { pool } = product.resources.database;
    const { rows } = await pool.query(
      `select position from event where type = 'SampleAdded' order by position offset 2 limit 1`,
    );
    await product.resources.database.transaction(async (client) => {
      // As somebody would who owns the database and means it: the triggers are switched off first.
      await client.query(`alter table event disable trigger user`);
      await client.query(`update event set data = '{"packId":"x"}' where position = $1`, [rows[0].position]);
      await client.query(`alter table event enable trigger user`);
    });
    const broken = await offcut('doctor');
    expect(broken.code).toBe(1);
    expect(broken.stdout).toContain(`FAILED  log chain: broken at position ${rows[0].position}`);
  }, 90_000);
});
