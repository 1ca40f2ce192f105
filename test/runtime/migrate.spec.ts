import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../adapters/platform/database/database.js';
import { createDatabase } from '../../adapters/platform/database/embedded/embedded.js';
import { migrator, readSchema } from '../../adapters/platform/database/migrate.js';
import { readConfig } from '../../bootstrap/config.js';
import { explainFailure } from '../../bootstrap/explain-failure.js';
import { openDatabase, type Place } from '../../bootstrap/open-database.js';
import { runMigrate } from '../../cli/migrate.command.js';
import { migrations } from '../../migrations/index.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';

const NAMES = Object.keys(migrations);
const NEWEST = NAMES.at(-1) as string;
const LATER = '9999-of-a-later-version';

describe('[OPS-104] the schema of a database', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'offcut-migrate-'));
  let server: TestDatabase;
  let url: string;
  let database: Database;

  beforeAll(async () => void (server = await startTestDatabase()), 60_000);
  afterAll(async () => {
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
    const former = Object.fromEntries(Object.entries(migrations).filter(([each]) => each !== name));
    expect((await migrator(database, former).migrateToLatest()).error).toBeUndefined();
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
    await migratedWithout('0032-archive-tickets');
    expect(await migrateBy({ check: false })).toMatchObject({ code: 0 });
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
