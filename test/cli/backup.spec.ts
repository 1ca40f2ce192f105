import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import {
  createWriteStream,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import {
  createDatabase,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../adapters/platform/database/embedded/embedded.js';
import { S3ObjectStorage } from '../../adapters/vendors/s3/s3-object-storage.js';
import { BackupReader, BackupWriter } from '../../adapters/vendors/zip/backup-archive.js';
import { signManifest, type BackupManifest } from '../../application/operations/backup-manifest.js';
import { SystemClock } from '../../application/shared/clock.js';
import { SignedHeads } from '../../application/operations/signed-heads.js';
import { readConfig } from '../../bootstrap/config.js';
import { startProduct } from '../../bootstrap/product.js';
import { CommandLine, ROOT, type Ended } from '../support/command-line.js';
import { HttpClient } from '../support/http-client.js';
import { openShop, listenerWith, PASSWORD } from '../support/shop.js';

/** A PostgreSQL of another major version than the one of the tests, if one is installed. */
const [installed] = globSync('/usr/lib/postgresql/*/bin/postgres');
const programs = process.env.TEST_POSTGRES_BIN || !installed ? undefined : dirname(installed);

let cli: CommandLine;
let other: EmbeddedPostgres;
let listener: HttpClient;
let sampleId: string;
let bytes: Buffer;
/** A backup of the whole shop, without keys outside the database. */
let file: string;
/** A new folder and database for each test. */
let dataDir: string;
let databaseUrl: string;

const restore = (from: string, env: Record<string, string> = {}): Promise<Ended> =>
  cli.runWith({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl, ...env }, 'restore', from);

/** Buys the sample, or delivers it again. */
async function download(buyer: HttpClient, expectedCredits: number): Promise<Buffer> {
  const headers = { 'idempotency-key': randomUUID() };
  const { status, body } = await buyer.post('/api/downloads', { sampleId, expectedCredits }, { headers });
  expect([200, 201]).toContain(status);
  return Buffer.from(await (await fetch(body.download.url)).arrayBuffer());
}

async function asked(sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  return client
    .query(sql)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

/** Whether the database has no event and the folder no object. */
async function isUntouched(): Promise<boolean> {
  const [{ log }] = (await asked(`select to_regclass('event') as log`)) as [{ log: string | null }];
  const events = log ? await asked('select from event limit 1') : [];
  return events.length === 0 && !existsSync(join(dataDir, 'objects'));
}

async function manifestOf(path: string): Promise<BackupManifest> {
  const reader = await BackupReader.open(path);
  const { manifest } = await reader.manifest();
  reader.close();
  return JSON.parse(manifest.toString()) as BackupManifest;
}

beforeAll(async () => {
  cli = await CommandLine.open();
  other = await startEmbeddedPostgres(join(cli.scratch, 'other'), { settings: ['fsync=off'], programs });
  const { product } = cli;
  const [path = ''] = await openShop(product, [
    { name: 'Half light', genre: 'Soul', mood: 'Chill', sounds: [{ name: 'Rain\tat “Ω”', creditCost: 2 }] },
  ]);
  listener = await listenerWith(product, 40);
  const [, , slug, handle] = path.split('/');
  const { body } = await listener.get(`/api/packs/${handle}/${slug}`);
  sampleId = body.samples[0].id;
  bytes = await download(listener, 2);
  await product.app.get(SignedHeads, { strict: false }).signHour();
  file = join(cli.scratch, 'whole.backup');
  expect(await cli.run('backup', file)).toMatchObject({ code: 0 });
});

afterAll(async () => {
  await other?.stop();
  await cli?.close();
});

beforeEach(async () => {
  const name = `restored_${randomBytes(6).toString('hex')}`;
  await createDatabase(other.url, name);
  databaseUrl = other.url.replace(/offcut$/, name);
  dataDir = join(cli.scratch, name);
});

describe('offcut backup and offcut restore', () => {
  it('[BACK-700] bring a running shop to another PostgreSQL, checked, with every row and object', async () => {
    const restored = await restore(file);
    expect(restored).toMatchObject({ code: 0 });
    expect(restored.stdout).toMatch(/^Restored the backup of .*: \d+ events, \d+ rows and \d+ objects\.\n/);
    expect(restored.stdout).toContain('ok      signed heads: 1 agree with the log');
    expect(restored.stdout).toContain('the chain is unbroken');

    const again = join(cli.scratch, 'again.backup');
    await cli.runWith({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl }, 'backup', again);
    const before = await manifestOf(file);
    const after = await manifestOf(again);
    // The checks after the restore, and the start of the command, write their results.
    const byChecks = ['book_check', 'book_proof', 'checkpoint', 'file_check', 'secret'];
    const contents = ({ entries }: BackupManifest) =>
      entries
        .filter(({ name }) => !byChecks.includes(name.replace('tables/public.', '')))
        .map(({ name, sha256 }) => `${name} ${sha256}`);
    expect(contents(after)).toEqual(contents(before));
    expect(after).toMatchObject({
      position: before.position,
      hash: before.hash,
      sequences: before.sequences,
    });

    const env = { NODE_ENV: 'test', PORT: '0', DATA_DIR: dataDir, DATABASE_URL: databaseUrl };
    const product = await startProduct(readConfig(env));
    try {
      const buyer = new HttpClient(product.url);
      await buyer.post('/api/auth/sign-in', { email: listener.email, password: PASSWORD });
      expect(bytes.equals(await download(buyer, 0))).toBe(true);
    } finally {
      await product.stop();
    }
  });

  it('[BACK-701] take one snapshot while others buy', async () => {
    let isDone = false;
    const buying = (async () => {
      while (!isDone) await download(await listenerWith(cli.product, 2), 2);
    })();
    const live = join(cli.scratch, 'live.backup');
    expect(await cli.run('backup', live)).toMatchObject({ code: 0 });
    isDone = true;
    await buying;
    expect(await restore(live)).toMatchObject({ code: 0 });
  });

  it('[BACK-702] print their reports as JSON', async () => {
    const path = join(cli.scratch, 'json.backup');
    const made = await cli.run('backup', path, '--json');
    const report = JSON.parse(made.stdout);
    expect(report).toMatchObject({ file: path, tables: expect.any(Number), rows: expect.any(Number) });
    const { stdout } = await cli.runWith(
      { DATA_DIR: dataDir, DATABASE_URL: databaseUrl },
      'restore',
      path,
      '--json',
    );
    const { position, hash, rows, objects } = report;
    expect(JSON.parse(stdout)).toMatchObject({ position, hash, rows, objects, checks: expect.any(Array) });
  });
});

const endpoint = process.env.TEST_S3_ENDPOINT ?? '';
// Without a bucket, the test run itself lists what it skipped and why.
(endpoint ? describe : describe.skip)('offcut backup s3://…', () => {
  it('[BACK-710] writes to another bucket than the product uses', async () => {
    const own = `backup-${randomBytes(4).toString('hex')}`;
    const env = {
      S3_ENDPOINT: endpoint,
      S3_BUCKET: own,
      S3_ACCESS_KEY_ID: process.env.TEST_S3_ACCESS_KEY_ID ?? 'testkey',
      S3_SECRET_ACCESS_KEY: process.env.TEST_S3_SECRET_ACCESS_KEY ?? 'testsecret',
    };
    const { s3 } = readConfig({ NODE_ENV: 'test', DATABASE_URL: databaseUrl, ...env });
    const other = { ...(s3 as NonNullable<typeof s3>), bucket: `${own}-copies`, clock: new SystemClock() };
    const copies = new S3ObjectStorage(other);
    await copies.ping();
    const to = `s3://${own}-copies/daily/shop.backup`;
    expect(await cli.runWith(env, 'backup', to)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`The objects of the bucket ${own} are not in the backup.`),
    });
    const path = join(cli.scratch, 'from-bucket.backup');
    await pipeline((await copies.get('daily/shop.backup')).body, createWriteStream(path));
    copies.close();
    expect((await restore(path, env)).stdout).toMatch(/^Restored the backup of .* and 0 objects\./);
    const itself = await cli.runWith(env, 'backup', `s3://${own}/shop.backup`);
    expect(itself).toMatchObject({ code: 1, stderr: expect.stringContaining('Choose another one') });
    const again = await cli.runWith(env, 'backup', to);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('already exists') });
  });
});

describe('offcut restore refuses, before it writes anything,', () => {
  const damage = (change: (bytes: Buffer) => Buffer): string => {
    const path = join(cli.scratch, `${randomBytes(4).toString('hex')}.backup`);
    writeFileSync(path, change(readFileSync(file)));
    return path;
  };
  const flip = (at: (bytes: Buffer) => number) => (given: Buffer) => {
    const place = at(given);
    given.writeUInt8(given.readUInt8(place) ^ 1, place);
    return given;
  };
  /** Returns the place of a byte in the middle of a file of the archive. */
  const within = (name: string) => (given: Buffer) => given.indexOf(name) + name.length + 200;
  const refused = async (path: string, sentence: RegExp, env: Record<string, string> = {}) => {
    const tables = () => asked(`select from pg_tables where schemaname in ('public', 'jobs')`);
    const before = [await tables(), existsSync(dataDir)];
    const { code, stdout, stderr } = await restore(path, env);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(sentence)]);
    expect([await tables(), existsSync(dataDir)]).toEqual(before);
  };

  it('[BACK-703] a damaged or cut file, and one that is no backup', async () => {
    await refused(
      damage((given) => given.subarray(0, given.length - 1)),
      /not a whole backup/,
    );
    await refused(
      damage((given) => given.subarray(0, given.length / 2)),
      /not a whole backup/,
    );
    await refused(
      damage(flip(within('tables/public.event'))),
      /tables\/public\.event in the backup is damaged/,
    );
    await refused(damage(flip(within('objects/Users/'))), /objects\/Users\/.* in the backup is damaged/);
    await refused(
      damage(() => Buffer.from('not a ZIP archive, but longer than the end of one')),
      /not a whole/,
    );
    await refused(join(cli.scratch, 'none.backup'), /does not exist/);
    await refused(cli.scratch, /is a folder/);
  });

  it('[BACK-704] a wrong signature, and a key that is unknown here', async () => {
    const keys = async () => (await cli.run('keys', 'new')).stdout;
    const [mine, theirs] = [await keys(), await keys()];
    const signed = join(cli.scratch, 'signed.backup');
    expect(await cli.runWith({ KEYS: mine }, 'backup', signed)).toMatchObject({ code: 0 });
    await refused(signed, /signed with the key .*, which KEYS_FILE does not have/, { KEYS: theirs });
    await refused(signed, /signed with the key .*, which KEYS_FILE does not have/);
    await refused(file, /signed with the key of its own database/, { KEYS: mine });
    const [{ id }] = JSON.parse(mine)['log-heads'];
    const impostor = JSON.parse(theirs);
    impostor['log-heads'][0].id = id;
    await refused(signed, /signature of the backup is wrong/, { KEYS: JSON.stringify(impostor) });
    expect(await restore(signed, { KEYS: mine })).toMatchObject({
      stdout: expect.stringMatching(/^Restored/),
    });
  });

  it('[BACK-705] a changed list of files, other files than the list has, and a newer backup', async () => {
    const { resources } = cli.product;
    const ring = await resources.signingKeys.of('log-heads');
    const remade = async (
      change: (facts: BackupManifest) => object,
      tamper: (signed: ReturnType<typeof signManifest>) => void = () => {},
    ): Promise<string> => {
      const path = join(cli.scratch, `${randomBytes(4).toString('hex')}.backup`);
      const { format: _f, signedAt: _s, publicKey: _p, ...facts } = await manifestOf(file);
      const reader = await BackupReader.open(file);
      const writer = new BackupWriter(() => {});
      const chunks: Buffer[] = [];
      writer.body.on('data', (chunk: Buffer) => chunks.push(chunk));
      const ended = new Promise((resolve) => writer.body.once('end', resolve));
      for (const entry of facts.entries)
        await writer.add(entry.name, await reader.file(entry, () => {}), { compress: true });
      const signed = signManifest(
        { ...facts, ...change(facts as BackupManifest) } as BackupManifest,
        ring,
        new Date(),
      );
      tamper(signed);
      writer.finish(signed);
      await ended;
      reader.close();
      writeFileSync(path, Buffer.concat(chunks));
      return path;
    };
    const shifted = await remade(
      () => ({}),
      (signed) =>
        (signed.manifest = Buffer.from(signed.manifest.toString().replace('"position": ', '"position": 1'))),
    );
    await refused(shifted, /signature of the backup is wrong/);
    await refused(
      await remade(({ entries }) => ({ entries: entries.slice(1) })),
      /other files than its list/,
    );
    await refused(
      await remade(({ migrations }) => ({ product: '9.0.0', migrations: [...migrations, '9999-later'] })),
      /Version 9\.0\.0 made the backup, which is newer/,
    );
    // Everything is checked, but a table of the list has fewer rows than announced.
    const fewer = await remade(({ tables }) => ({
      tables: tables.map((table) => (table.name === 'public.event' ? { ...table, rows: 1 } : table)),
    }));
    expect((await restore(fewer)).stderr).toContain('public.event should have 1 rows');
    expect(await isUntouched()).toBe(true);
  });

  it('[BACK-706] a database or folder that is not empty', async () => {
    mkdirSync(join(dataDir, 'objects'), { recursive: true });
    const inFolder = await restore(file);
    expect(inFolder).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('restore into a new DATA_DIR'),
    });
    dataDir = `${dataDir}-new`;
    await asked('create table theirs (id int)');
    await refused(file, /the database is not empty \(public\.theirs\)/);
    await asked('drop table theirs');
    expect((await restore(file)).code).toBe(0);
    dataDir = `${dataDir}-er`;
    const twice = await restore(file);
    expect(twice).toMatchObject({ code: 1, stderr: expect.stringMatching(/the database is not empty \(/) });
    expect(existsSync(join(dataDir, 'objects'))).toBe(false);
  });
});

describe('an interruption', () => {
  it('[BACK-707] of a restore leaves the database empty, and a second run completes it', async () => {
    expect(await cli.runWith({ DATABASE_URL: databaseUrl }, 'migrate')).toMatchObject({ code: 0 });
    // The load stops in the middle as long as this session has the lock.
    const holder = new pg.Client({ connectionString: databaseUrl });
    await holder.connect();
    await holder.query(
      `select pg_advisory_lock(1);
       create function passes() returns boolean language sql as 'select true from (select pg_advisory_xact_lock_shared(1)) as got';
       alter table user_account add check (passes())`,
    );
    const env = {
      ...process.env,
      NODE_ENV: 'test',
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      NODE_OPTIONS: '',
    };
    const child = spawn(process.execPath, ['dist/server/cli/cli.js', 'restore', file], {
      cwd: ROOT,
      env,
      stdio: 'ignore',
    });
    const waits = `select from pg_stat_activity where wait_event = 'advisory' and query like 'copy public.user_account%'`;
    while ((await asked(waits)).length === 0) expect(child.exitCode).toBeNull();
    child.kill('SIGKILL');
    await holder.end();
    expect(await isUntouched()).toBe(true);
    expect((await restore(file)).code).toBe(0);
    expect(readdirSync(dataDir)).not.toContain('restore.unfinished');
  });

  it('[BACK-708] of a backup by a full disk gives one sentence and leaves no file', async () => {
    if (!existsSync('/dev/full')) return;
    const path = join(cli.scratch, 'full', 'shop.backup');
    mkdirSync(dirname(path));
    symlinkSync('/dev/full', `${path}.part`);
    const { code, stdout, stderr } = await cli.run('backup', path);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^offcut: The disk that holds .* is full: free some space and start again\.\n$/);
    expect(readdirSync(dirname(path))).toEqual([]);
  });
});

describe('the archive', () => {
  it('[BACK-709] is written no faster than it is read, whatever its size', async () => {
    const writer = new BackupWriter(() => {});
    const piece = randomBytes(64 * 1024);
    let given = 0;
    let ahead = 0;
    let taken = 0;
    const source = Readable.from(
      (function* () {
        for (let count = 0; count < 1_000; count += 1) {
          given += piece.length;
          yield piece;
        }
      })(),
    );
    const added = writer.add('tables/large', source, { compress: false });
    for await (const chunk of writer.body) {
      taken += (chunk as Buffer).length;
      ahead = Math.max(ahead, given - taken);
      if (taken > 32_000_000) break;
    }
    await expect(added).rejects.toThrow();
    expect(ahead).toBeLessThan(4_000_000);
  });
});
