import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { Readable } from 'node:stream';
import type { WallClock } from '../../../application/shared/clock.js';
import {
  ObjectExists,
  ObjectMissing,
  ObjectStorage,
  assertKeyPrefix,
  assertObjectKey,
  type ListOptions,
  type Listing,
  type ObjectBody,
  type ObjectInfo,
  type PresignedGet,
  type PutOptions,
} from '../../../application/storage/object-storage.js';
import { attachmentDisposition } from '../../../application/shared/content-disposition.js';
import type { ObserveCall } from '../../../application/shared/observed-call.js';
import { bucketAddress, type BucketPlace } from './address.js';
import { BucketCors } from './bucket-cors.js';
import { ensureBucket, refusesExisting } from './bucket.js';
import { mapS3Error, statusOf } from './errors.js';
import { lentCredentials } from './lent-credentials.js';
import { S3Presigner, type S3Credentials } from './presigner.js';
import { BodyFailed, watched } from './watched-body.js';

const PAGE_LIMIT = 1000;
const PART_BYTES = 8 * 1024 * 1024;
const PARTS_IN_FLIGHT = 2;
const ATTEMPTS = 3;
const LAST_MINUTE_MS = 60_000;

/** How long things may take, in milliseconds. */
export interface StorageLimits {
  connectMs: number;
  /** For the answer to anything but an upload, all attempts together; of a download for its first byte. */
  answerMs: number;
  /** For the next bytes of an upload or a download. */
  silenceMs: number;
}

/** For the command line, where nobody waits. */
const PATIENT: StorageLimits = { connectMs: 10_000, answerMs: 60_000, silenceMs: 60_000 };

/** Objects in a bucket of any server that speaks S3; the bucket is made when it is absent. */
export class S3ObjectStorage implements ObjectStorage {
  /** What pages may ask of the bucket. */
  readonly cors: BucketCors;
  readonly #client: S3Client;
  readonly #presigner: S3Presigner;
  readonly #bucket: string;
  readonly #clock: WallClock;
  readonly #answerMs: number;
  readonly #deleted = new Set<(key: string) => void>();
  #ready: Promise<void> | undefined;
  #conditions: Promise<boolean> | undefined;

  /**
   * @param options.credentials absent: those that Amazon's SDK finds around this process, lent ones too
   * @param options.isForeign a bucket of somebody's own: it is never made, and being absent is a failure
   */
  constructor(
    options: BucketPlace & {
      clock: WallClock;
      credentials?: S3Credentials | undefined;
      isForeign?: boolean;
      limits?: StorageLimits;
      observe?: ObserveCall;
    },
  ) {
    const address = bucketAddress(options);
    this.#bucket = options.bucket;
    if (options.isForeign) this.#ready = Promise.resolve();
    this.#clock = options.clock;
    const { connectMs, answerMs, silenceMs } = options.limits ?? PATIENT;
    this.#answerMs = answerMs;
    this.#client = new S3Client({
      ...(options.endpoint ? { endpoint: options.endpoint } : {}),
      region: options.region,
      // Half of the time: the answer to the question itself needs some, too.
      credentials: options.credentials ?? lentCredentials(options.region, answerMs / 2),
      forcePathStyle: address.isPathStyle,
      // Many servers do not know the newer checksum headers.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      maxAttempts: ATTEMPTS,
      requestHandler: { connectionTimeout: connectMs, socketTimeout: silenceMs },
    });
    const { observe } = options;
    if (observe)
      this.#client.middlewareStack.add(
        (next, { commandName = 'unknown' }) =>
          (args) =>
            observe(commandName.replace(/Command$/, ''), () => next(args), statusOf),
        { step: 'initialize', name: 'observed' },
      );
    this.cors = new BucketCors(this.#client, this.#bucket, address);
    this.#presigner = new S3Presigner({ address, region: options.region });
  }

  async ping(): Promise<void> {
    await this.#prepare();
    const command = new HeadBucketCommand({ Bucket: this.#bucket });
    await this.#mapped('', () => this.#soon((options) => this.#client.send(command, options)));
  }

  async put(key: string, body: Readable | Buffer, options: PutOptions): Promise<ObjectInfo> {
    assertObjectKey(key);
    await this.#prepare();
    let isConditional = false;
    if (options.ifAbsent) {
      // Avoids sending the body; the condition below settles races if the server supports it.
      if (await this.head(key)) throw new ObjectExists(key);
      isConditional = await this.#knowsConditions(key);
    }
    const source = watched(body);
    const upload = new Upload({
      client: this.#client,
      partSize: PART_BYTES,
      queueSize: PARTS_IN_FLIGHT,
      leavePartsOnError: false,
      params: {
        ...this.#at(key),
        Body: source.body,
        ContentType: options.contentType,
        CacheControl: options.cacheControl,
        ...(isConditional ? { IfNoneMatch: '*' } : {}),
      },
    });
    await this.#mapped(key, () =>
      upload.done().catch((error: unknown) => {
        throw source.failure ?? error;
      }),
    );
    const info = await this.head(key);
    if (!info) throw new ObjectMissing(key);
    return info;
  }

  async get(key: string, range?: { start: number; end?: number }): Promise<ObjectBody> {
    assertObjectKey(key);
    // A server answers a malformed range with the whole object.
    if (range && !(range.start >= 0 && (range.end === undefined || range.end >= range.start)))
      throw new RangeError('the range lies outside the object');
    await this.#prepare();
    return this.#mapped(key, async () => {
      const command = new GetObjectCommand({
        ...this.#at(key),
        ...(range ? { Range: `bytes=${range.start}-${range.end ?? ''}` } : {}),
      });
      const answer = await this.#soon((options) => this.#client.send(command, options));
      const body = answer.Body as Readable;
      const [, start, end, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(answer.ContentRange ?? '') ?? [];
      return {
        ...infoOf(key, answer),
        ...(total === undefined ? {} : { sizeBytes: Number(total) }),
        ...(range && total !== undefined ? { range: { start: Number(start), end: Number(end) } } : {}),
        body,
      };
    });
  }

  async head(key: string): Promise<ObjectInfo | undefined> {
    assertObjectKey(key);
    await this.#prepare();
    try {
      return await this.#mapped(key, async () =>
        infoOf(
          key,
          await this.#soon((options) => this.#client.send(new HeadObjectCommand(this.#at(key)), options)),
        ),
      );
    } catch (error) {
      if (error instanceof ObjectMissing) return undefined;
      throw error;
    }
  }

  async list(options: ListOptions): Promise<Listing> {
    assertKeyPrefix(options.prefix);
    await this.#prepare();
    return this.#mapped(options.prefix, async () => {
      const command = new ListObjectsV2Command({
        Bucket: this.#bucket,
        Prefix: options.prefix,
        Delimiter: options.delimiter,
        MaxKeys: Math.min(options.limit ?? PAGE_LIMIT, PAGE_LIMIT),
        ContinuationToken: options.cursor,
      });
      const answer = await this.#soon((sending) => this.#client.send(command, sending));
      const objects = (answer.Contents ?? []).map((item) => ({
        key: item.Key as string,
        sizeBytes: item.Size ?? 0,
        etag: unquoted(item.ETag),
        lastModified: item.LastModified ?? new Date(0),
      }));
      const prefixes = (answer.CommonPrefixes ?? []).map((item) => item.Prefix as string);
      const next = answer.IsTruncated ? answer.NextContinuationToken : undefined;
      return { objects, prefixes, ...(next === undefined ? {} : { nextCursor: next }) };
    });
  }

  async copy(fromKey: string, toKey: string): Promise<void> {
    assertObjectKey(fromKey);
    assertObjectKey(toKey);
    await this.#prepare();
    const source = [this.#bucket, ...fromKey.split('/')].map(encodeURIComponent).join('/');
    await this.#mapped(fromKey, () =>
      this.#client.send(new CopyObjectCommand({ ...this.#at(toKey), CopySource: source })),
    );
  }

  async delete(key: string): Promise<void> {
    assertObjectKey(key);
    await this.#prepare();
    await this.#mapped(key, () =>
      this.#soon((options) => this.#client.send(new DeleteObjectCommand(this.#at(key)), options)),
    );
    for (const listener of this.#deleted) listener(key);
  }

  onDelete(listener: (key: string) => void): void {
    this.#deleted.add(listener);
  }

  async presignGet(key: string, options: PresignedGet): Promise<string> {
    assertObjectKey(key);
    return this.#presigner.sign(key, await this.#credentials(), {
      method: 'GET',
      now: this.#clock.now(),
      expiresInSeconds: options.expiresInSeconds,
      query: {
        ...(options.downloadName === undefined
          ? {}
          : { 'response-content-disposition': attachmentDisposition(options.downloadName) }),
        ...(options.contentType === undefined ? {} : { 'response-content-type': options.contentType }),
      },
    });
  }

  async presignPut(key: string, options: { expiresInSeconds: number; contentType: string }): Promise<string> {
    assertObjectKey(key);
    return this.#presigner.sign(key, await this.#credentials(), {
      method: 'PUT',
      now: this.#clock.now(),
      expiresInSeconds: options.expiresInSeconds,
      headers: { 'content-type': options.contentType },
    });
  }

  /** Closes the connections. */
  close(): void {
    this.#client.destroy();
  }

  /** The SDK keeps them, and fetches lent ones anew in their last minutes, beside us; in the very last one we wait. */
  #credentials(): Promise<S3Credentials> {
    const { config } = this.#client;
    return this.#mapped('', () =>
      this.#soon(async () => {
        const found = await config.credentials();
        const leftMs = (found.expiration?.getTime() ?? Infinity) - this.#clock.now().getTime();
        return leftMs < LAST_MINUTE_MS ? config.credentials({ forceRefresh: true }) : found;
      }),
    );
  }

  #at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: key };
  }

  async #prepare(): Promise<void> {
    this.#ready ??= this.#mapped('', () =>
      this.#soon((options) => ensureBucket(this.#client, this.#bucket, options)),
    );
    try {
      await this.#ready;
    } catch (error) {
      this.#ready = undefined;
      throw error;
    }
  }

  /** If the server supports no conditions, only the check before protects an existing object. */
  #knowsConditions(key: string): Promise<boolean> {
    this.#conditions ??= this.#mapped(key, () =>
      this.#soon((options) => refusesExisting(this.#client, this.#bucket, options)),
    ).catch((error) => {
      this.#conditions = undefined;
      throw error;
    });
    return this.#conditions;
  }

  /** Sends a request with a time limit for all attempts together, up to the first byte of the answer. */
  async #soon<Result>(send: (options: { abortSignal: AbortSignal }) => Promise<Result>): Promise<Result> {
    const limit = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        limit.abort();
        // Looking for credentials heeds no signal.
        reject(Object.assign(new Error('no answer in time'), { name: 'TimeoutError' }));
      }, this.#answerMs);
    });
    try {
      return await Promise.race([send({ abortSignal: limit.signal }), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #mapped<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw error instanceof BodyFailed ? error.cause : mapS3Error(error, key);
    }
  }
}

function infoOf(
  key: string,
  answer: {
    ContentLength?: number | undefined;
    ContentType?: string | undefined;
    ETag?: string | undefined;
    LastModified?: Date | undefined;
  },
): ObjectInfo {
  return {
    key,
    sizeBytes: answer.ContentLength ?? 0,
    contentType: answer.ContentType ?? 'application/octet-stream',
    etag: unquoted(answer.ETag),
    lastModified: answer.LastModified ?? new Date(0),
  };
}

function unquoted(etag: string | undefined): string {
  return (etag ?? '').replaceAll('"', '');
}
