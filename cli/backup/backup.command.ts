import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import described from '../../package.json' with { type: 'json' };
import {
  signManifest,
  type BackupEntry,
  type BackupFacts,
} from '../../application/operations/backup-manifest.js';
import { KEY_PURPOSES } from '../../application/shared/keys/signing-keys.js';
import { ObjectMissing, pagesOf, type ObjectStorage } from '../../application/storage/object-storage.js';
import { readSchema } from '../../adapters/platform/database/migrate.js';
import { copyTables } from '../../adapters/platform/database/table-copies.js';
import { S3ObjectStorage } from '../../adapters/vendors/s3/s3-object-storage.js';
import { BackupWriter } from '../../adapters/vendors/zip/backup-archive.js';
import { migrations } from '../../migrations/index.js';
import { simulatorState } from '../../simulators/stripe/state.js';
import { progressOf, type Progress } from '../progress.js';
import { CommandRefused } from '../refused.js';
import type { Print, Tools } from '../tools.js';

/** The names of the files in a backup. */
export const tableEntry = (table: string): string => `tables/${table}`;
export const OBJECTS = 'objects/';
export const SIMULATOR = 'stripe-simulator.json';

/** Without a terminal, progress is reported after this many bytes. */
export const REPORTED_BYTES = 100_000_000;

/** Storage keys of signed log heads, and of the signed notes that these heads agreed with the log (`Agreement`). */
const ABOUT_THE_LOG = /^log-(heads|agreed)\//;

/**
 * Writes one snapshot of the database, and of the stored files if they are in a folder, to a file or a bucket.
 * An interrupted backup leaves no file of that name.
 * @throws CommandRefused
 */
export async function backup(
  tools: Tools,
  { to, isJson }: { to: string; isJson: boolean },
  print: Print,
): Promise<void> {
  const progress = progressOf('MB', REPORTED_BYTES);
  const writer = new BackupWriter(progress.advance);
  const written = destination(tools, to)(writer.body);
  const made = write(tools, writer, progress).catch((error: Error) => {
    writer.fail(error);
    throw error;
  });
  const [ending, result] = await Promise.allSettled([written, made]);
  progress.stop();
  if (ending.status === 'rejected') throw ending.reason;
  if (result.status === 'rejected') throw result.reason;
  const { position, hash, tables, entries } = result.value;
  const report = {
    file: to,
    product: described.version,
    position,
    hash,
    tables: tables.length,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    objects: entries.filter(({ name }) => name.startsWith(OBJECTS)).length,
  };
  if (isJson) return print(JSON.stringify(report, null, 2));
  print(
    `${position} events, ${report.rows} rows of ${report.tables} tables and ${report.objects} objects are in ${to}.`,
  );
  if (tools.config.s3) print(`The objects of the bucket ${tools.config.s3.bucket} are not in the backup.`);
  const isKeyed = tools.config.signingKeys['log-heads'].length > 0;
  print(
    isKeyed
      ? 'The backup does not contain KEYS_FILE. Keep a copy elsewhere.'
      : 'The backup contains the keys. Keep it secret.',
  );
}

async function write(tools: Tools, writer: BackupWriter, progress: Progress): Promise<BackupFacts> {
  const { database, config, diskStorage, signingKeys, wallClock } = tools;
  const { missing, unknown } = await readSchema(database);
  // Keys in the database are created on first use. They must exist before the snapshot, which would otherwise
  // lack the key that signs the manifest.
  for (const purpose of KEY_PURPOSES) await signingKeys.of(purpose);
  const startedAt = wallClock.now();
  let objectBytes = 0;
  for await (const { objects } of diskStorage ? pagesOf(diskStorage, { prefix: '' }) : [])
    for (const { sizeBytes } of objects) objectBytes += sizeBytes;
  const snapshot = await copyTables(
    database,
    (bytes) => progress.start(bytes + objectBytes),
    (name, rows) => writer.add(tableEntry(name), rows, { compress: true }),
  );
  const state = simulatorState(config.dataDir);
  if (!config.stripe && existsSync(state))
    await writer.add(SIMULATOR, createReadStream(state), { compress: true });
  if (diskStorage) await writeObjects(diskStorage, writer, startedAt);
  const facts: BackupFacts = {
    product: described.version,
    migrations: [...Object.keys(migrations).filter((name) => !missing.includes(name)), ...unknown],
    ...snapshot,
    tables: snapshot.tables.map((table) => ({ ...table, columns: [...table.columns] })),
    entries: writer.entries,
  };
  writer.finish(signManifest(facts, await signingKeys.of('log-heads'), wallClock.now()));
  return facts;
}

/** Runs after the database snapshot, so that the backup has the objects that the snapshot names. */
async function writeObjects(storage: ObjectStorage, writer: BackupWriter, startedAt: Date): Promise<void> {
  for await (const { objects } of pagesOf(storage, { prefix: '' })) {
    for (const { key, lastModified } of objects) {
      // A head that was signed since the snapshot may name events that the snapshot lacks.
      if (ABOUT_THE_LOG.test(key) && lastModified >= startedAt) continue;
      const object = await storage.get(key).catch((error: unknown) => {
        if (error instanceof ObjectMissing) return undefined;
        throw error;
      });
      if (!object) continue;
      const { body, contentType } = object;
      await writer.add(OBJECTS + key, body, { compress: false, contentType });
    }
  }
}

/** Returns a writer of the archive. @throws CommandRefused if `to` is unusable */
function destination(tools: Tools, to: string): (body: Readable) => Promise<void> {
  if (to.startsWith('s3:')) return toBucket(tools, to);
  const path = resolve(to);
  if (existsSync(path)) throw new CommandRefused(`${to} exists already`);
  return async (body) => {
    const unfinished = `${path}.part`;
    try {
      await pipeline(body, createWriteStream(unfinished, { mode: 0o600, flush: true }));
      await rename(unfinished, path);
      await flush(dirname(path));
    } catch (error) {
      await rm(unfinished, { force: true });
      throw Object.assign(error as Error, { path: (error as NodeJS.ErrnoException).path ?? dirname(path) });
    }
  };
}

function toBucket({ config, wallClock }: Tools, to: string): (body: Readable) => Promise<void> {
  const [, bucket, key] = /^s3:\/\/([^/]+)\/(.+)$/.exec(to) ?? [];
  if (bucket === undefined || key === undefined)
    throw new CommandRefused(`${to} does not name an object. Write s3://bucket/name`);
  if (!config.s3)
    throw new CommandRefused('set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY to write to a bucket');
  if (config.s3.bucket === bucket)
    throw new CommandRefused('Offcut keeps its own files in this bucket. Choose another one');
  const storage = new S3ObjectStorage({ ...config.s3, bucket, clock: wallClock, isForeign: true });
  return async (body) => {
    try {
      await storage.put(key, body, { contentType: 'application/zip', ifAbsent: true });
    } finally {
      storage.close();
    }
  };
}

async function flush(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

/** Returns how many bytes a restore reads. */
export const bytesOf = (entries: readonly BackupEntry[]): number =>
  entries.reduce((sum, { bytes }) => sum + bytes, 0);
