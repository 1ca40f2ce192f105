import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { BusinessClock, SystemClock, type Clock, type WallClock } from '../application/shared/clock.js';
import type { ObjectStorage } from '../application/storage/object-storage.js';
import type { Secrets } from '../application/shared/secrets.js';
import { DiskObjectStorage } from '../adapters/vendors/disk/disk-object-storage.js';
import { Database } from '../adapters/platform/database/database.js';
import { startEmbeddedPostgres } from '../adapters/platform/database/embedded/embedded.js';
import { PostgresEventStore } from '../adapters/platform/event-log/postgres-event-store.js';
import { migrate } from '../adapters/platform/database/migrate.js';
import { PostgresSecrets } from '../adapters/platform/database/postgres-secrets.js';
import { S3ObjectStorage } from '../adapters/vendors/s3/s3-object-storage.js';
import { offsetOf } from '../adapters/vendors/stripe/simulated-calendar.js';
import { loadState, simulatorState } from '../simulators/stripe/state.js';
import type { Config } from '../bootstrap/config.js';
import { PROJECTIONS } from '../bootstrap/projections.js';

/** What the command line works with: the product's data, beside a running server or without one. */
export interface Tools {
  config: Config;
  /** The business's calendar. */
  clock: Clock;
  wallClock: WallClock;
  database: Database;
  eventStore: PostgresEventStore;
  secrets: Secrets;
  storage: ObjectStorage;
  close(): Promise<void>;
}

/** Joins the database of a running Offcut, or starts it. @throws whatever cannot be opened */
export async function openTools(config: Config): Promise<Tools> {
  mkdirSync(config.dataDir, { recursive: true });
  const wallClock = new SystemClock();
  const server = config.databaseUrl
    ? undefined
    : await startEmbeddedPostgres(join(config.dataDir, 'postgres'), { join: true });
  const database = new Database(config.databaseUrl ?? (server?.url as string));
  const close = async (): Promise<void> => {
    await database.close();
    await server?.stop();
  };
  try {
    await migrate(database);
    const offsetMs = await calendarOffset(config);
    const clock = new BusinessClock(wallClock, () => offsetMs);
    const eventStore = new PostgresEventStore(database, clock, PROJECTIONS.appendedInline);
    const secrets = new PostgresSecrets(database);
    const storage = config.s3
      ? new S3ObjectStorage({ ...config.s3, clock: wallClock })
      : new DiskObjectStorage({
          root: join(config.dataDir, 'objects'),
          publicUrl: config.publicUrl,
          signingKey: await secrets.get('download-links'),
          clock: wallClock,
        });
    return { config, clock, wallClock, database, eventStore, secrets, storage, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** By how much the payment provider's calendar is ahead: that of a running simulator, or of the one kept here. */
async function calendarOffset({ stripe, dataDir }: Config): Promise<number> {
  if (!stripe) return loadState(simulatorState(dataDir)).clockOffsetSeconds * 1000;
  return stripe.apiBase ? offsetOf(stripe.apiBase) : 0;
}
