import { existsSync, readdirSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import {
  BackupRefused,
  readManifest,
  type BackupEntry,
  type BackupManifest,
} from '../../application/operations/backup-manifest.js';
import { SystemClock } from '../../application/shared/clock.js';
import type { Database } from '../../adapters/platform/database/database.js';
import { grantServing } from '../../adapters/platform/database/grants.js';
import { migrate, readSchema } from '../../adapters/platform/database/migrate.js';
import { loadTables, LoadRefused, occupiedTable } from '../../adapters/platform/database/table-copies.js';
import { DiskObjectStorage } from '../../adapters/vendors/disk/disk-object-storage.js';
import { BackupReader } from '../../adapters/vendors/zip/backup-archive.js';
import type { Config } from '../../bootstrap/config.js';
import { connectDatabase } from '../../bootstrap/open-database.js';
import { migrations } from '../../migrations/index.js';
import { simulatorState } from '../../simulators/stripe/state.js';
import { examine } from '../doctor.command.js';
import { finance } from '../finance/finance.command.js';
import { progressOf, type Progress } from '../progress.js';
import { CommandRefused } from '../refused.js';
import { openTools, type Print } from '../tools.js';
import { bytesOf, OBJECTS, REPORTED_BYTES, SIMULATOR, tableEntry } from './backup.command.js';

interface Source {
  reader: BackupReader;
  manifest: BackupManifest;
  progress: Progress;
}

/**
 * Restores a backup into an empty database, and its objects into an empty data folder. Checks all of the backup
 * before it writes. An interrupted restore leaves no data of the backup in the database.
 * @returns 1 if the restored shop fails a check
 * @throws CommandRefused, BackupRefused
 */
export async function restoreBackup(
  config: Config,
  { from, isJson }: { from: string; isJson: boolean },
  print: Print,
): Promise<number> {
  const reader = await BackupReader.open(from);
  const progress = progressOf('MB', REPORTED_BYTES);
  try {
    const known = Object.keys(migrations);
    const manifest = readManifest(await reader.manifest(), config.signingKeys['log-heads'], known);
    requireRoomForFiles(config, manifest.entries);
    progress.start(2 * bytesOf(manifest.entries));
    await reader.check(manifest.entries, progress.advance);
    await withDatabase(config, (database) => restore(config, database, { reader, manifest, progress }));
    progress.stop();
    return await report(config, manifest, { isJson, print });
  } finally {
    progress.stop();
    reader.close();
  }
}

async function restore(config: Config, database: Database, source: Source): Promise<void> {
  const { migrations: names } = source.manifest;
  await requireEmpty(database, names);
  await migrate(
    database,
    Object.fromEntries(Object.entries(migrations).filter(([name]) => names.includes(name))),
  );
  // Servers never read this folder, so an interrupted restore leaves no usable files.
  const staged = join(config.dataDir, 'restore.unfinished');
  await rm(staged, { recursive: true, force: true });
  await mkdir(staged, { recursive: true });
  await unpackFiles(config, staged, source);
  const { reader, manifest, progress } = source;
  const entries = new Map(manifest.entries.map((entry) => [entry.name, entry]));
  await loadTables(
    database,
    manifest,
    async (table) => {
      const entry = entries.get(tableEntry(table));
      if (!entry) throw new BackupRefused(`The backup lacks the table ${table}.`);
      return reader.file(entry, progress.advance);
    },
    async () => {
      for (const name of readdirSync(staged)) await rename(join(staged, name), join(config.dataDir, name));
    },
  ).catch((error: Error) => {
    throw error instanceof LoadRefused ? new CommandRefused(error.message) : error;
  });
  await rm(staged, { recursive: true, force: true });
  await migrate(database);
  if (config.databaseAppRole) await grantServing(database, config.databaseAppRole);
}

/**
 * @throws CommandRefused unless the database is new, or has empty tables and no newer schema than the backup, as
 * after an interrupted restore
 */
async function requireEmpty(database: Database, migrationsOfBackup: readonly string[]): Promise<void> {
  const { isNew, missing, unknown } = await readSchema(database);
  const occupied = await database.connected((client) => occupiedTable(client, !isNew));
  if (occupied)
    throw new CommandRefused(
      `the database is not empty (${occupied}): restore into a new database or, without DATABASE_URL, into a new DATA_DIR`,
    );
  const done = Object.keys(migrations).filter((name) => !missing.includes(name));
  if (!isNew && (unknown.length > 0 || done.some((name) => !migrationsOfBackup.includes(name))))
    throw new CommandRefused('the database has a newer schema than the backup: restore into a new database');
}

/** @throws CommandRefused if files of the backup would mix with present ones */
function requireRoomForFiles({ dataDir, s3, stripe }: Config, entries: readonly BackupEntry[]): void {
  const hasObjects = entries.some(({ name }) => name.startsWith(OBJECTS));
  if (hasObjects && s3)
    throw new CommandRefused(
      'the backup contains objects of a folder: unset S3_BUCKET, or restore without it',
    );
  const taken = [
    ...(hasObjects ? [join(dataDir, 'objects')] : []),
    ...(stripe ? [] : [simulatorState(dataDir)]),
  ].find((path) => existsSync(path));
  if (taken) throw new CommandRefused(`${taken} exists already: restore into a new DATA_DIR`);
}

async function unpackFiles(
  config: Config,
  staged: string,
  { reader, manifest, progress }: Source,
): Promise<void> {
  // This code signs no URLs, so the key does not matter.
  const storage = new DiskObjectStorage({
    root: join(staged, 'objects'),
    publicUrl: config.publicUrl,
    signingKey: Buffer.alloc(32),
    otherKeys: [],
    clock: new SystemClock(),
  });
  for (const entry of manifest.entries) {
    if (entry.name.startsWith(OBJECTS))
      await storage.put(entry.name.slice(OBJECTS.length), await reader.file(entry, progress.advance), {
        contentType: entry.contentType ?? 'application/octet-stream',
      });
    else if (entry.name === SIMULATOR && !config.stripe)
      await writeFile(simulatorState(staged), await buffer(await reader.file(entry, progress.advance)), {
        mode: 0o600,
      });
  }
}

async function withDatabase(config: Config, work: (database: Database) => Promise<void>): Promise<void> {
  const closers: (() => Promise<unknown>)[] = [];
  try {
    await work(await connectDatabase(config, 'beside', (closer) => closers.push(closer)));
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

/** Checks the restored shop as `doctor` and `finance verify` do. @returns 1 if a check fails */
async function report(
  config: Config,
  { position, hash, product, signedAt, tables, entries }: BackupManifest,
  { isJson, print }: { isJson: boolean; print: Print },
): Promise<number> {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const objects = entries.filter(({ name }) => name.startsWith(OBJECTS)).length;
  if (!isJson)
    print(`Restored the backup of ${signedAt}: ${position} events, ${rows} rows and ${objects} objects.`);
  const tools = await openTools(config);
  try {
    const books: string[] = [];
    const { ok, checks } = await examine(tools, isJson ? () => {} : print);
    const verified = await finance(tools, { command: 'verify', all: true }, (line) => {
      books.push(line);
      if (!isJson) print(line);
    });
    const isWhole = ok && verified;
    if (isJson)
      print(
        JSON.stringify(
          { product, signedAt, position, hash, rows, objects, ok: isWhole, checks, books },
          null,
          2,
        ),
      );
    else if (!isWhole)
      print('The backup is restored as it was, but a check failed. docs/backup.md names the next steps.');
    return isWhole ? 0 : 1;
  } finally {
    await tools.close();
  }
}
