import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../adapters/platform/database/database.js';
import { createDatabase } from '../../adapters/platform/database/embedded/embedded.js';
import { freePort } from '../../adapters/platform/database/embedded/launch.js';
import { migrate, readSchema } from '../../adapters/platform/database/migrate.js';
import { readConfig } from '../../bootstrap/config.js';
import { explainFailure } from '../../bootstrap/explain-failure.js';
import { openDatabase, type Place } from '../../bootstrap/open-database.js';
import { runMigrate } from '../../cli/migrate.command.js';
import type { Migration } from 'kysely/migration';
import { migrations } from '../../migrations/index.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';

/** A migration that exists only in this file. */
const NEWEST = '9000-of-this-test';
const LATER = '9999-of-a-later-version';

describe('[OPS-104] the schema of a database', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'offcut-migrate-'));
  let server: TestDatabase;
  let url: string;
  let database: Database;

  beforeAll(async () => {
    server = await startTestDatabase();
    migrations[NEWEST] = {
      up: async (db) =>
        void (await db.schema.createTable('of_this_test').addColumn('n', 'integer').execute()),
    };
  });
  afterAll(async () => {
    delete migrations[NEWEST];
    await server?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  beforeEach(async () => {
    const name = `migrate_${randomBytes(4).toString('hex')}`;
    await createDatabase(server.url, name);
    url = Object.assign(new URL(server.url), { pathname: `/${name}` }).href;
    database = new Database(url);
  });
  afterEach(() => database.close());

  const config = (env: Record<string, string> = {}) =>
    readConfig({ NODE_ENV: 'test', DATA_DIR: dataDir, DATABASE_URL: url, MIGRATE: 'never', ...env });
  /** Opens the database as a node or a command does. @returns the text of a refusal */
  const open = async (place: Place, env: Record<string, string> = {}): Promise<string | undefined> => {
    const closers: (() => Promise<unknown>)[] = [];
    try {
      await openDatabase(config(env), place, (closer) => closers.push(closer));
      return undefined;
    } catch (error) {
      return explainFailure(error) ?? String(error);
    } finally {
      for (const close of closers) await close();
    }
  };
  const migrateBy = async (options: { check: boolean }) => {
    const printed: string[] = [];
    return { code: await runMigrate(config(), options, (line) => printed.push(line)), printed };
  };
  const migratedWithout = async (name: string) => {
    await migrate(database, Object.fromEntries(Object.entries(migrations).filter(([each]) => each !== name)));
  };
  const ofALaterVersion = async (floor: string) => {
    await migrateBy({ check: false });
    await database.pool.query(`insert into kysely_migration (name, timestamp) values ($1, '')`, [LATER]);
    await database.pool.query(`update schema_floor set migration = $1`, [floor]);
  };

  it('is brought up by the command, which first only tells what is missing', async () => {
    await migratedWithout(NEWEST);
    expect(await migrateBy({ check: true })).toEqual({ code: 1, printed: [`missing  ${NEWEST}`] });
    expect((await readSchema(database)).missing).toEqual([NEWEST]);
    expect(await migrateBy({ check: false })).toEqual({ code: 0, printed: [`done  ${NEWEST}`] });
    const well = { code: 0, printed: ['The database has the schema of this version.'] };
    expect(await migrateBy({ check: true })).toEqual(well);
    expect(await migrateBy({ check: false })).toEqual(well);
  });

  it('[OPEN-700] is waited for by the command when its server starts late, and for a limited time', async () => {
    const port = await freePort();
    const late = Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href;
    const printed: string[] = [];
    let code: Promise<number> | undefined;
    await new Promise<void>((waits, ended) => {
      code = runMigrate(config({ DATABASE_URL: late }), { check: false }, (line) => {
        printed.push(line);
        waits();
      });
      code.catch(ended);
    });
    expect(printed).toEqual(['The database does not answer yet. Waiting up to 60 s for it.']);
    const { hostname, port: real } = new URL(url);
    const server = createServer((near) => {
      const far = createConnection({ host: hostname, port: Number(real) });
      near.pipe(far).pipe(near);
      for (const one of [near, far]) one.on('error', () => [near, far].forEach((each) => each.destroy()));
    });
    await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
    expect(await code).toBe(0);
    expect(printed).toHaveLength(1 + Object.keys(migrations).length);
    await new Promise((closed) => server.close(closed));
    const gone = runMigrate(config({ DATABASE_URL: late }), { check: false, patienceMs: 0 }, () => {});
    await expect(gone).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    const wrong = Object.assign(new URL(url), { pathname: '/no_such_database' }).href;
    await expect(
      runMigrate(config({ DATABASE_URL: wrong }), { check: true }, () => {}),
    ).rejects.toMatchObject({ code: '3D000' });
  });

  it('that is older keeps nodes and commands out, and they leave it as it is', async () => {
    await migratedWithout(NEWEST);
    for (const place of ['serving', 'beside'] as const)
      expect(await open(place)).toBe(
        `The database is older than this version of Offcut, it lacks ${NEWEST}: run "offcut migrate" first.`,
      );
    // A command never migrates, whatever the setting of nodes.
    expect(await open('beside', { MIGRATE: 'start' })).toContain('run "offcut migrate" first');
    expect((await readSchema(database)).missing).toEqual([NEWEST]);
    expect(await open('serving', { MIGRATE: 'start' })).toBeUndefined();
    expect(await open('beside')).toBeUndefined();
  });

  it('takes a migration that landed after one with a higher number', async () => {
    await migrate(database, { ...migrations, [LATER]: { up: async () => {} } });
    await migrate(database, {
      '8000-landed-late': { up: async () => {} },
      ...migrations,
      [LATER]: { up: async () => {} },
    });
    expect((await readSchema(database)).unknown).toEqual(['8000-landed-late', LATER]);
  });

  it('is created once by nodes that start at the same time', async () => {
    const ran = await Promise.all([1, 2, 3].map(() => migrate(database)));
    expect(ran.filter((names) => names.length > 0)).toEqual([Object.keys(migrations)]);
  });

  it('that is newer serves this version as long as it says so', async () => {
    await ofALaterVersion(NEWEST);
    expect(await open('serving')).toBeUndefined();
    expect(await open('serving', { MIGRATE: 'start' })).toBeUndefined();
    expect(await open('beside')).toBeUndefined();
  });

  it('that is newer and has taken away what this version uses keeps it out', async () => {
    await ofALaterVersion(LATER);
    for (const env of [{}, { MIGRATE: 'start' }])
      expect(await open('serving', env as Record<string, string>)).toBe(
        `The database is newer than this version of Offcut, which can no longer work with it: start one that knows ${LATER}.`,
      );
  });

  it('is not migrated by a version that does not know all that was done to it', async () => {
    await migratedWithout(NEWEST);
    await database.pool.query(`insert into kysely_migration (name, timestamp) values ($1, '')`, [LATER]);
    await expect(migrateBy({ check: false })).rejects.toThrow(`it has ${LATER}, yet it lacks ${NEWEST}`);
  });

  describe('[OPS-640] that version 0.1 made', () => {
    /** Records `count` migrations of version 0.1 instead of the baseline. */
    const baseline = { '0147-baseline': migrations['0147-baseline'] as Migration };
    const later = Object.keys(migrations).filter((name) => !(name in baseline));
    const madeByVersion01 = async (count: number): Promise<void> => {
      await migrate(database, baseline);
      await database.pool.query(`delete from kysely_migration`);
      await database.pool.query(
        `insert into kysely_migration (name, timestamp) select to_char(n, 'FM0000') || '-old', '2026-11-01T00:00:00Z' from generate_series(1, $1::int) n`,
        [count],
      );
      await database.pool.query(`update schema_floor set migration = '0041-schema-floor'`);
    };
    const recorded = async (): Promise<string[]> =>
      (await database.pool.query(`select name from kysely_migration order by name`)).rows.map(
        ({ name }) => name,
      );

    it('with all its migrations, has the baseline and gets only later migrations', async () => {
      await madeByVersion01(68);
      const before = await recorded();
      expect(await migrate(database, baseline)).toEqual([]);
      expect(await recorded()).toEqual(before);
      const printed = [...later, NEWEST].map((name) => `done  ${name}`);
      expect(await migrateBy({ check: false })).toEqual({ code: 0, printed });
      expect(await recorded()).toEqual([...before, ...later, NEWEST]);
      expect(await open('serving')).toBeUndefined();
    });

    it('with a part of its migrations, is refused and left alone', async () => {
      await madeByVersion01(67);
      const text =
        'The database is older than this version of Offcut can upgrade: run "offcut migrate" of version 0.1 first, the last one that can.';
      for (const env of [{}, { MIGRATE: 'start' }])
        expect(await open('serving', env as Record<string, string>)).toBe(text);
      await expect(migrateBy({ check: true })).rejects.toThrow(text);
      await expect(migrateBy({ check: false })).rejects.toThrow(text);
      expect(await recorded()).toHaveLength(67);
    });
  });

  it('is changed by nodes that start, except in production', () => {
    expect(readConfig({}).migrate).toBe('start');
    const production = {
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://sounds.example',
      S3_ACCESS_KEY_ID: 'a',
      S3_SECRET_ACCESS_KEY: 'b',
      STRIPE_SECRET_KEY: 'c',
      STRIPE_WEBHOOK_SECRET: 'd',
      SMTP_URL: 'smtp://mail.example',
    };
    expect(config({ ...production, MIGRATE: '' }).migrate).toBe('never');
  });
});
