import { afterAll, beforeAll } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { createHash } from 'node:crypto';
import { readdirSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { WorkerAudioStudio } from '../../adapters/vendors/audio/worker-audio-studio.js';
import { CatalogueModule } from '../../adapters/catalogue/catalogue.module.js';
import { LibraryModule } from '../../adapters/library/library.module.js';
import type { Config } from '../../bootstrap/config.js';
import { PROJECTIONS } from '../../bootstrap/projections.js';
import { PublishingModule } from '../../adapters/publishing/publishing.module.js';
import { PostgresEventStore } from '../../adapters/platform/event-log/postgres-event-store.js';
import { LogSubscriptions } from '../../adapters/platform/event-log/subscriptions.js';
import type { Projector } from '../../adapters/platform/projections/projector.js';
import { AudioStudio } from '../../application/publishing/samples/audio-studio.js';
import { EventStore } from '../../application/shared/event-store.js';
import { ObjectStorage } from '../../application/storage/object-storage.js';
import { ReadModelProgress } from '../../application/shared/read-model-progress.js';
import { MirrorPackJson } from '../../application/publishing/mirror-pack-json.js';
import { sine, wavFile } from '../audio/synthesis.js';
import { TestClock, startTestApp, type TestApp } from './app.js';
import type { HttpAnswer, HttpClient } from './http-client.js';
import { startTestDatabase, type TestDatabase } from './postgres.js';

export interface PublishingApp extends TestApp {
  database: TestDatabase['database'];
  eventStore: PostgresEventStore;
  projector: Projector;
  storage: ObjectStorage;
  commands: CommandBus;
  /**
   * Returns all stored keys in order. The creator's handle replaces the folder name, in keys and in the
   * prefix.
   */
  stored(prefix?: string): Promise<string[]>;
  /** Returns the real key of a name that `stored` returned. */
  keyOf(stored: string): Promise<string>;
  read(stored: string): Promise<Buffer>;
  /** Returns the temporary files of uploads that still exist. */
  temporaryFiles(): string[];
  /** Waits until search and pack.json have processed the whole log. */
  settled(): Promise<void>;
  /** Signs up a creator with a confirmed address, and approves them. */
  creator(email?: string): Promise<HttpClient>;
}

/** Starts the application for the tests of a file, with the creator Ada. */
export function withPublishingApp(ready: (app: PublishingApp, ada: HttpClient) => void): void {
  let app: PublishingApp | undefined;
  beforeAll(async () => {
    app = await startPublishingApp();
    ready(app, await app.creator('ada@example.com'));
  });
  afterAll(async () => app?.close());
}

/**
 * Starts catalogue, library and publishing on a real database, with folder storage, audio and image studios, and log
 * subscriptions.
 */
export async function startPublishingApp(config: Partial<Config> = {}): Promise<PublishingApp> {
  const { database, close } = await startTestDatabase();
  const clock = new TestClock();
  const eventStore = new PostgresEventStore(database, clock, PROJECTIONS.appendedInline);
  const logSubscriptions = new LogSubscriptions(database, eventStore, PROJECTIONS.async, console);
  const studio = new WorkerAudioStudio({ threads: 1 });
  const test = await startTestApp({
    database,
    clock,
    config: { rateLimitScale: 1_000, autoApproveCreators: true, ...config },
    imports: [LibraryModule, CatalogueModule, PublishingModule],
    providers: [
      { provide: EventStore, useValue: eventStore },
      { provide: ReadModelProgress, useValue: logSubscriptions },
      { provide: AudioStudio, useValue: studio },
    ],
  });
  const mirror = test.app.get(MirrorPackJson, { strict: false });
  await logSubscriptions.start([mirror]);
  const storage = test.app.get(ObjectStorage, { strict: false });
  const byHandle = async () => {
    const { rows } = await database.pool.query<{ handle: string; folder: string }>(
      'select handle, folder from creator_folder join creator_profile using (user_id)',
    );
    return new Map(rows.map(({ handle, folder }) => [handle, folder]));
  };
  const uploads = join(test.config.dataDir, 'uploads');
  return {
    ...test,
    database,
    eventStore,
    projector: logSubscriptions.projector,
    storage,
    commands: test.app.get(CommandBus, { strict: false }),
    stored: async (prefix = '') => {
      const folders = await byHandle();
      const { objects } = await storage.list({ prefix: renamed(prefix, folders), limit: 1_000 });
      const handles = new Map([...folders].map(([handle, folder]) => [folder, handle]));
      return objects.map(({ key }) => renamed(key, handles)).sort();
    },
    keyOf: async (stored) => renamed(stored, await byHandle()),
    read: async (stored) => {
      const { body } = await storage.get(renamed(stored, await byHandle()));
      return Buffer.concat(await body.toArray());
    },
    temporaryFiles: () => (existsSync(uploads) ? readdirSync(uploads) : []),
    settled: async () => {
      const { position } = await eventStore.head();
      await logSubscriptions.caughtUp(position, 10_000, ['catalogue-search', mirror.name]);
    },
    creator: async (email) => {
      const client = await test.signedUp(email);
      const answer = await client.becomeCreator();
      if (answer.body.status !== 'approved') throw new Error(`not approved: ${JSON.stringify(answer.body)}`);
      return client;
    },
    close: async () => {
      await logSubscriptions.stop();
      await test.close();
      await studio.close();
      await close();
    },
  };
}

const renamed = (path: string, names: Map<string, string>): string =>
  path.replace(/^Users\/([^/]+)/, (whole, name: string) =>
    names.has(name) ? `Users/${names.get(name)}` : whole,
  );

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Returns a pack as its creator sees it. */
export const packOf = async (client: HttpClient, id: string) =>
  (await client.get(`/api/creator/packs/${id}`)).body;

let recordings = 0;

/**
 * Returns a small real WAV file. Each call makes another recording; the same frequency makes the same bytes.
 */
export const wav = (frequencyHz = 220 + ++recordings / 100, seconds = 0.6): Buffer =>
  wavFile([sine(frequencyHz, seconds, 0.5)]);

/** Uploads a file as the browser does. */
export function upload(
  client: HttpClient,
  path: string,
  file: { name?: string; bytes: Buffer; part?: string },
  more: { meta?: object; method?: 'post' | 'put'; headers?: Record<string, string> } = {},
): Promise<HttpAnswer> {
  const form = new FormData();
  if (more.meta) form.set('meta', JSON.stringify(more.meta));
  form.set(
    file.part ?? 'audio',
    new Blob([new Uint8Array(file.bytes)]),
    file.name ?? 'Felt_Keys_90bpm_Cmin.wav',
  );
  return client[more.method ?? 'post'](path, undefined, { raw: form, headers: more.headers ?? {} });
}

let packs = 0;
/** Drafts a pack. @returns the body of the answer */
export async function draftPack(client: HttpClient, info: object = {}) {
  const answer = await client.post('/api/creator/packs', {
    name: `Pack ${(packs += 1)}`,
    genre: 'Lofi',
    mood: 'Chill',
    ...info,
  });
  if (answer.status !== 201) throw new Error(`draft: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}
