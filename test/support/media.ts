import { createHash, randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import type { Pool } from 'pg';
import { DiskObjectStorage } from '../../adapters/vendors/disk/disk-object-storage.js';
import { MediaController } from '../../adapters/media/media.module.js';
import { SignedMediaController, StorageController } from '../../adapters/storage/storage.controller.js';
import { PostgresMediaUses } from '../../adapters/media/postgres-media-uses.js';
import {
  PostgresPackFolderQueries,
  PostgresCreatorFolders,
} from '../../adapters/storage/postgres-creator-folders.js';
import { PostgresSampleFileQueries } from '../../adapters/storage/postgres-sample-files.js';
import { MediaMemory } from '../../application/media/media-memory.js';
import { NarrowPictures } from '../../application/media/narrow-pictures.js';
import { MediaUses } from '../../application/media/uses.js';
import { ObjectStorage } from '../../application/storage/object-storage.js';
import { SignedUrlVerifier } from '../../application/storage/signed-urls.js';
import { SampleFileQueries, PackFolderQueries } from '../../application/storage/queries.js';
import { CreatorFolders } from '../../application/storage/creator-folders.js';
import { StorageProxy } from '../../application/storage/storage-proxy.js';
import { startTestApp, type TestApp } from './app.js';
import type { HttpClient } from './http-client.js';
import { startTestDatabase } from './postgres.js';

export const ORIGINAL_KEY = 'Users/Ada/Packs/warm-keys/samples/1700000000_ab12.wav';
export const original = randomBytes(50_000);
export const preview = randomBytes(300_000);
export const previewName = `${createHash('sha256').update(preview).digest('hex')}.mp3`;

export interface MediaApp extends TestApp {
  pool: Pool;
  storage: DiskObjectStorage;
  creator: HttpClient;
  buyer: HttpClient;
  stranger: HttpClient;
  visitor: HttpClient;
}

/**
 * Starts media and the storage proxy over files on disk: a published pack with a sold sample, and a draft.
 */
export async function startMediaApp(): Promise<MediaApp> {
  const { database, close } = await startTestDatabase();
  const test = await startTestApp({
    database,
    controllers: [MediaController, SignedMediaController, StorageController],
    providers: [
      StorageProxy,
      MediaMemory,
      NarrowPictures,
      { provide: MediaUses, useValue: new PostgresMediaUses(database, database) },
      { provide: CreatorFolders, useValue: new PostgresCreatorFolders(database) },
      { provide: PackFolderQueries, useValue: new PostgresPackFolderQueries(database) },
      { provide: SampleFileQueries, useValue: new PostgresSampleFileQueries(database) },
      {
        provide: SignedUrlVerifier,
        useFactory: (objects: DiskObjectStorage) => objects.signedUrls,
        inject: [ObjectStorage],
      },
    ],
  });
  const storage = test.app.get<DiskObjectStorage>(ObjectStorage);
  const [creator, buyer, stranger] = await Promise.all([test.signedUp(), test.signedUp(), test.signedUp()]);
  await fillStorage(storage);
  await sellSample(database.pool, creator.userId, buyer.userId);
  return {
    ...test,
    pool: database.pool,
    storage,
    creator,
    buyer,
    stranger,
    visitor: test.browser(),
    close: async () => {
      await test.close();
      await close();
    },
  };
}

async function fillStorage(storage: ObjectStorage): Promise<void> {
  const put = (key: string, body: Buffer, contentType: string) => storage.put(key, body, { contentType });
  await put(`media/previews/${previewName}`, preview, 'audio/mpeg');
  await put(`media/covers/${'a'.repeat(64)}-640.webp`, Buffer.from('cover'), 'image/webp');
  await put(`media/avatars/${'b'.repeat(64)}.webp`, Buffer.from('avatar'), 'image/webp');
  await put(`media/previews/secret.mp3`, Buffer.from('not content-addressed'), 'audio/mpeg');
  await put(ORIGINAL_KEY, original, 'audio/wav');
  await put('Users/Ada/Packs/warm-keys/samples/1700000001_cd34.mp3', Buffer.from('other'), 'audio/mpeg');
  await put('Users/Ada/Packs/warm-keys/samples/.emptyFolderPlaceholder', Buffer.alloc(0), 'text/plain');
  await put('Users/Ada/Packs/warm-keys/pack.json', Buffer.from('{"name":"Warm Keys"}'), 'application/json');
  await put('Users/Ada/Packs/warm-keys/covers/c.webp', Buffer.from('cover'), 'image/webp');
  await put('Users/Ada/Packs/warm-keys/peaks/p.json', Buffer.from('[]'), 'application/json');
  await put('Users/Ada/Packs/next-thing/pack.json', Buffer.from('{"name":"Next Thing"}'), 'application/json');
  await put('Users/Ada/Profile/profile.json', Buffer.from('{}'), 'application/json');
  await put('Users/Bo/Profile/profile.json', Buffer.from('{}'), 'application/json');
  await put('avatars/u1.webp', Buffer.from('face'), 'image/webp');
  await put('private/keys', Buffer.from('secret'), 'text/plain');
}

/** Inserts a sample of the creator at ORIGINAL_KEY and the buyer's purchase of it. */
async function sellSample(pool: Pool, creatorId: string, buyerId: string): Promise<void> {
  await pool.query(
    `insert into sample (sample_id, pack_id, creator_id, title, title_lower, ordinal, price_credits, available, bpm,
       instruments, is_royalty_free, audio_version, original_key, original_sha256, original_bytes, original_filename,
       content_type, format, sample_rate_hz, channels, duration_ms, preview_key, waveform, waveform_fine, suggestions,
       created_at, updated_at)
     values ('s1', 'p1', $1, 'Keys', 'keys', 1, 2, true, 90, '{}', true, 1, $2, 'x', 50000, 'keys.wav', 'audio/wav',
       'wav', 44100, 2, 1000, $3, '{}', '{}', '{}', now(), now())`,
    [creatorId, ORIGINAL_KEY, `media/previews/${previewName}`],
  );
  await pool.query(
    `insert into pack (pack_id, creator_id, title, title_lower, slug, folder, genre, mood, description, status,
       default_cost_credits, created_at, updated_at, version, position)
     select 'p' || folder, $1, folder, folder, folder, folder, 'Soul', 'Chill', '', status, 2, now(), now(), 1, 1
       from (values ('warm-keys', 'published'), ('next-thing', 'draft')) as packs (folder, status)`,
    [creatorId],
  );
  for (const name of ['a', 'c'])
    await packWithCover(pool, creatorId, `cover-${name}`, `media/covers/${name.repeat(64)}.webp`);
  await pool.query(`insert into creator_folder (user_id, folder) values ($1, 'Ada')`, [creatorId]);
  await pool.query(
    `insert into owned_sample (buyer_id, sample_id, version, purchase_id, pack_id, creator_id, price_credits,
       certificate_id, audio_version, purchased_at)
     values ($1, 's1', 1, 'x', 'p1', $2, 2, 'c', 1, now())`,
    [buyerId, creatorId],
  );
}

export async function packWithCover(
  pool: Pool,
  creatorId: string,
  packId: string,
  coverKey: string,
): Promise<void> {
  await pool.query(
    `insert into pack (pack_id, creator_id, title, title_lower, slug, folder, genre, mood, description, status,
       cover_key, default_cost_credits, created_at, updated_at, version, position)
     values ($1, $2, $1, $1, $1, $1, 'Soul', 'Chill', '', 'published', $3, 2, now(), now(), 1, 1)`,
    [packId, creatorId, coverKey],
  );
}

/** Sends a path unchanged; `fetch` would normalize it. */
export function rawGet(
  origin: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(new URL(origin), { path, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks) }));
    });
    request.on('error', reject).end();
  });
}

export const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());
