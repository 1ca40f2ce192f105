import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
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
import { bucketAddress } from './address.js';
import { BucketCors } from './bucket-cors.js';
import { BucketConnection, type BucketOptions } from './bucket-connection.js';
import { refusesExisting, watched } from './bucket.js';
import { S3MultipartUploads } from './s3-multipart-uploads.js';
import { S3Presigner } from './presigner.js';

const PAGE_LIMIT = 1000;
const PART_BYTES = 8 * 1024 * 1024;
const PARTS_IN_FLIGHT = 2;

/** Stores objects in a bucket of any S3-compatible server. Creates the bucket if it is missing. */
export class S3ObjectStorage implements ObjectStorage {
  readonly cors: BucketCors;
  readonly multipart: S3MultipartUploads;
  private readonly bucket: BucketConnection;
  private readonly presigner: S3Presigner;
  private readonly clock: WallClock;
  private readonly deleted = new Set<(key: string) => void>();
  private conditions: Promise<boolean> | undefined;

  constructor(options: BucketOptions) {
    const address = bucketAddress(options);
    this.bucket = new BucketConnection(options, address);
    this.clock = options.clock;
    this.presigner = new S3Presigner({ address, region: options.region });
    this.cors = new BucketCors(this.bucket.client, options.bucket, address);
    this.multipart = new S3MultipartUploads(this.bucket, this.presigner, options.clock);
  }

  async ping(): Promise<void> {
    await this.bucket.prepare();
    const command = new HeadBucketCommand({ Bucket: this.bucket.name });
    await this.bucket.call('', (client, options) => client.send(command, options));
  }

  async put(key: string, body: Readable | Buffer, options: PutOptions): Promise<ObjectInfo> {
    assertObjectKey(key);
    await this.bucket.prepare();
    let isConditional = false;
    if (options.ifAbsent) {
      // Checks first, to avoid sending the body. `IfNoneMatch` settles concurrent uploads on servers that support it.
      if (await this.head(key)) throw new ObjectExists(key);
      isConditional = await this.knowsConditions(key);
    }
    const source = watched(body);
    const upload = new Upload({
      client: this.bucket.client,
      partSize: PART_BYTES,
      queueSize: PARTS_IN_FLIGHT,
      leavePartsOnError: false,
      params: {
        ...this.bucket.at(key),
        Body: source.body,
        ContentType: options.contentType,
        CacheControl: options.cacheControl,
        IfNoneMatch: isConditional ? '*' : undefined,
      },
    });
    await this.bucket.mapped(key, () =>
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
    // For a malformed range, a server would answer with the whole object.
    if (range && !(range.start >= 0 && (range.end === undefined || range.end >= range.start)))
      throw new RangeError('the range lies outside the object');
    await this.bucket.prepare();
    const command = new GetObjectCommand({
      ...this.bucket.at(key),
      Range: range && `bytes=${range.start}-${range.end ?? ''}`,
    });
    const answer = await this.bucket.call(key, (client, options) => client.send(command, options));
    const [, start, end, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(answer.ContentRange ?? '') ?? [];
    return {
      ...infoOf(key, answer),
      ...(total === undefined ? {} : { sizeBytes: Number(total) }),
      ...(range && total !== undefined ? { range: { start: Number(start), end: Number(end) } } : {}),
      body: answer.Body as Readable,
    };
  }

  async head(key: string): Promise<ObjectInfo | undefined> {
    assertObjectKey(key);
    await this.bucket.prepare();
    const command = new HeadObjectCommand(this.bucket.at(key));
    try {
      return infoOf(key, await this.bucket.call(key, (client, options) => client.send(command, options)));
    } catch (error) {
      if (error instanceof ObjectMissing) return undefined;
      throw error;
    }
  }

  async list(options: ListOptions): Promise<Listing> {
    assertKeyPrefix(options.prefix);
    await this.bucket.prepare();
    const command = new ListObjectsV2Command({
      Bucket: this.bucket.name,
      Prefix: options.prefix,
      Delimiter: options.delimiter,
      MaxKeys: Math.min(options.limit ?? PAGE_LIMIT, PAGE_LIMIT),
      ContinuationToken: options.cursor,
    });
    const answer = await this.bucket.call(options.prefix, (client, sending) => client.send(command, sending));
    const objects = (answer.Contents ?? []).map((item) => ({
      key: item.Key as string,
      sizeBytes: item.Size ?? 0,
      etag: unquoted(item.ETag),
      lastModified: item.LastModified ?? new Date(0),
    }));
    const prefixes = (answer.CommonPrefixes ?? []).map((item) => item.Prefix as string);
    return { objects, prefixes, nextCursor: answer.IsTruncated ? answer.NextContinuationToken : undefined };
  }

  async copy(fromKey: string, toKey: string): Promise<void> {
    assertObjectKey(fromKey);
    assertObjectKey(toKey);
    await this.bucket.prepare();
    const source = [this.bucket.name, ...fromKey.split('/')].map(encodeURIComponent).join('/');
    await this.bucket.mapped(fromKey, () =>
      this.bucket.client.send(new CopyObjectCommand({ ...this.bucket.at(toKey), CopySource: source })),
    );
  }

  async delete(key: string): Promise<void> {
    assertObjectKey(key);
    await this.bucket.prepare();
    const command = new DeleteObjectCommand(this.bucket.at(key));
    await this.bucket.call(key, (client, options) => client.send(command, options));
    for (const listener of this.deleted) listener(key);
  }

  onDelete(listener: (key: string) => void): void {
    this.deleted.add(listener);
  }

  async presignGet(key: string, options: PresignedGet): Promise<string> {
    assertObjectKey(key);
    return this.presigner.sign(key, await this.bucket.credentials(), {
      method: 'GET',
      now: this.clock.now(),
      expiresInSeconds: options.expiresInSeconds,
      query: {
        ...(options.downloadName === undefined
          ? {}
          : { 'response-content-disposition': attachmentDisposition(options.downloadName) }),
        ...(options.contentType === undefined ? {} : { 'response-content-type': options.contentType }),
      },
    });
  }

  close(): void {
    this.bucket.client.destroy();
  }

  /** Returns whether the server supports conditional writes. If not, only the check in `put` protects an object. */
  private knowsConditions(key: string): Promise<boolean> {
    this.conditions ??= this.bucket
      .call(key, (client, options) => refusesExisting(client, this.bucket.name, options))
      .catch((error) => {
        this.conditions = undefined;
        throw error;
      });
    return this.conditions;
  }
}

function infoOf(
  key: string,
  answer: { ContentLength?: number; ContentType?: string; ETag?: string; LastModified?: Date },
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
