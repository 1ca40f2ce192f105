import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Optional } from '@nestjs/common';
import type * as z from 'zod';
import { WallClock } from '../../shared/clock.js';
import { MultipartUploads, type MultipartUpload, type StoredPart } from '../../storage/multipart-uploads.js';
import { ObjectStorage } from '../../storage/object-storage.js';
import type { DirectParts } from '../contract.js';
import { cleanFileName, WorkingFiles, type ReceivedFile } from './working-files.js';
import { UploadBoard, type UploadName, type UploadState } from './upload-progress.js';

export interface AnnouncedFile {
  packId: string;
  filename: string;
  sizeBytes: number;
}

export interface DirectUpload extends AnnouncedFile, MultipartUpload {}

export abstract class DirectUploadStore {
  abstract save(name: UploadName, upload: DirectUpload, at: Date): Promise<void>;
  abstract find(name: UploadName): Promise<DirectUpload | undefined>;
  abstract remove(name: UploadName, key: string): Promise<void>;
  /** Lists all uploads of a user except the newest `count`. */
  abstract beyond(userId: string, count: number): Promise<Array<UploadName & DirectUpload>>;
}

/** The key prefix of uploaded files that are not part of a sample yet. */
export const UPLOADS_PREFIX = 'uploads/';
const OPEN_LIMIT = 20;
/** The largest upload has 25 parts of this size. */
export const PART_BYTES = 8 * 1024 * 1024;
/** Addresses of parts are valid this long. A slower browser requests new addresses. */
const ADDRESS_LIFETIME_S = 3_600;

/** Uploads that browsers send in parts directly to the bucket. Any node can sign the address of a part. */
@Injectable()
export class DirectUploads {
  constructor(
    private readonly storage: ObjectStorage,
    private readonly store: DirectUploadStore,
    private readonly board: UploadBoard,
    private readonly files: WorkingFiles,
    private readonly clock: WallClock,
    @Optional() @Inject(MultipartUploads) private readonly multipart: MultipartUploads | null,
  ) {}

  get hasBucket(): boolean {
    return this.multipart !== null;
  }

  /** Begins or resumes an upload. @returns the missing parts; null if the file must be sent to this server */
  async begin(name: UploadName, file: AnnouncedFile): Promise<z.infer<typeof DirectParts> | null> {
    const { multipart } = this;
    if (!multipart || file.sizeBytes === 0) return null;
    const announced = { ...file, filename: cleanFileName(file.filename) };
    const known = await this.store.find(name);
    const missing = known && isOf(announced, known) ? await this.missingOf(known) : undefined;
    const upload = known && missing ? known : await this.open(multipart, name, announced, known);
    const parts = missing ?? partsOf(file);
    this.board.report(name.uploadId, name.userId, receiving(upload, parts));
    const options = { expiresInSeconds: ADDRESS_LIFETIME_S };
    return {
      partBytes: PART_BYTES,
      missing: await Promise.all(
        parts.map(async (part) => ({
          number: part.number,
          url: await multipart.presignPart(upload, part, options),
        })),
      ),
    };
  }

  /**
   * Joins the parts. Returns undefined if one is missing. The caller must then call `forget`, which deletes the
   * object, or `release`, which keeps it.
   */
  async complete(name: UploadName, packId: string): Promise<DirectUpload | undefined> {
    const upload = await this.store.find(name);
    if (!this.multipart || upload?.packId !== packId) return undefined;
    const there = await this.multipart.parts(upload);
    if (there && missingOf(upload, there).length > 0) return undefined;
    if (there) await this.multipart.complete(upload, there);
    return (await this.storage.head(upload.key))?.sizeBytes === upload.sizeBytes ? upload : undefined;
  }

  /** Downloads a complete upload into a temporary file, which the caller must remove. */
  async fetch({ key, filename }: DirectUpload): Promise<ReceivedFile> {
    const { body } = await this.storage.get(key);
    return { ...(await this.files.write(body)), filename };
  }

  /** Stores a received file under `UPLOADS_PREFIX`, for an encoding job. @returns the key */
  async keep({ path }: ReceivedFile): Promise<string> {
    const key = UPLOADS_PREFIX + randomUUID();
    // With `ifAbsent` the storage is asked first, so that a failing storage is noticed before the file is sent.
    const options = { contentType: 'application/octet-stream', ifAbsent: true };
    await this.storage.put(key, this.files.stream(path), options);
    return key;
  }

  release(name: UploadName, { key }: DirectUpload): Promise<void> {
    return this.store.remove(name, key);
  }

  async progress(name: UploadName): Promise<UploadState | undefined> {
    const upload = this.multipart && (await this.store.find(name));
    if (!upload) return undefined;
    return receiving(upload, (await this.missingOf(upload)) ?? partsOf(upload));
  }

  /** Removes an upload. If the storage cannot delete its object now, the sweep does so later. */
  async forget(name: UploadName): Promise<void> {
    const upload = await this.store.find(name);
    if (upload) await this.discard(name, upload);
  }

  private async open(
    multipart: MultipartUploads,
    name: UploadName,
    file: AnnouncedFile,
    former: DirectUpload | undefined,
  ): Promise<DirectUpload> {
    if (former) await this.discard(name, former);
    for (const { userId, uploadId, ...old } of await this.store.beyond(name.userId, OPEN_LIMIT - 1))
      await this.discard({ userId, uploadId }, old);
    const key = UPLOADS_PREFIX + randomUUID();
    const multipartId = await multipart.begin(key, { contentType: 'application/octet-stream' });
    const upload = { ...file, key, multipartId };
    await this.store.save(name, upload, this.clock.now());
    return upload;
  }

  private async discard(name: UploadName, upload: DirectUpload): Promise<void> {
    await this.store.remove(name, upload.key);
    await Promise.allSettled([this.multipart?.abort(upload), this.storage.delete(upload.key)]);
  }

  /** Returns the missing parts of an upload. Undefined if the storage no longer has the upload. */
  private async missingOf(upload: DirectUpload): Promise<Part[] | undefined> {
    const there = await this.multipart?.parts(upload);
    if (there) return missingOf(upload, there);
    return (await this.storage.head(upload.key))?.sizeBytes === upload.sizeBytes ? [] : undefined;
  }
}

type Part = Omit<StoredPart, 'etag'>;

function partsOf({ sizeBytes }: AnnouncedFile): Part[] {
  return Array.from({ length: Math.ceil(sizeBytes / PART_BYTES) }, (_, index) => ({
    number: index + 1,
    sizeBytes: Math.min(PART_BYTES, sizeBytes - index * PART_BYTES),
  }));
}

const missingOf = (upload: AnnouncedFile, there: readonly Part[]): Part[] =>
  partsOf(upload).filter(
    (part) => !there.some(({ number, sizeBytes }) => number === part.number && sizeBytes === part.sizeBytes),
  );

function receiving({ sizeBytes }: AnnouncedFile, missing: readonly Part[]): UploadState {
  const missingBytes = missing.reduce((sum, part) => sum + part.sizeBytes, 0);
  return { phase: 'receiving', share: 1 - missingBytes / sizeBytes };
}

const isOf = (file: AnnouncedFile, upload: DirectUpload): boolean =>
  file.packId === upload.packId && file.filename === upload.filename && file.sizeBytes === upload.sizeBytes;

/** How long an upload can be resumed. */
const KEPT_MS = 7 * 86_400_000;

/** Removes uploads from the storage that never became a part of a sample. */
@Injectable()
export class UnfinishedUploads {
  constructor(
    private readonly storage: ObjectStorage,
    private readonly clock: WallClock,
    @Optional() @Inject(MultipartUploads) private readonly multipart: MultipartUploads | null,
  ) {}

  /** Removes at most 1000 incomplete and 1000 complete uploads. @returns the number of removed uploads */
  async sweep(): Promise<number> {
    const before = new Date(this.clock.now().getTime() - KEPT_MS);
    const begun = (await this.multipart?.begunBefore(before, UPLOADS_PREFIX)) ?? [];
    for (const upload of begun) await this.multipart?.abort(upload);
    const { objects } = await this.storage.list({ prefix: UPLOADS_PREFIX });
    const old = objects.filter(({ lastModified }) => lastModified < before);
    for (const { key } of old) await this.storage.delete(key);
    return begun.length + old.length;
  }
}
