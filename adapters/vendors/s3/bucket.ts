import {
  CreateBucketCommand,
  DeleteObjectCommand,
  HeadBucketCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Readable } from 'node:stream';
import {
  ObjectExists,
  ObjectMissing,
  StorageUnavailable,
} from '../../../application/storage/object-storage.js';

const PROBE_KEY = 'probes/conditional-write';

interface Sending {
  abortSignal: AbortSignal;
}

export async function ensureBucket(client: S3Client, bucket: string, options: Sending): Promise<void> {
  try {
    await client.send(new HeadBucketCommand({ Bucket: bucket }), options);
  } catch (error) {
    if (statusOf(error) !== 404) throw error;
    await client.send(new CreateBucketCommand({ Bucket: bucket }), options).catch((problem: Error) => {
      // Another process created the bucket first.
      if (problem.name !== 'BucketAlreadyOwnedByYou') throw problem;
    });
  }
}

/** Returns whether the server refuses to overwrite an object with `If-None-Match`. Some servers ignore the header. */
export async function refusesExisting(client: S3Client, bucket: string, options: Sending): Promise<boolean> {
  const at = { Bucket: bucket, Key: PROBE_KEY };
  const write = () =>
    client.send(new PutObjectCommand({ ...at, Body: Buffer.from('probe'), IfNoneMatch: '*' }), options).then(
      () => 200,
      (error) => {
        const status = statusOf(error);
        // Without a status there was no answer, and the server's behaviour stays unknown.
        if (status === undefined) throw error;
        return status;
      },
    );
  await write();
  const second = await write();
  await client.send(new DeleteObjectCommand(at), options);
  return second === 412;
}

export function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}

export function mapS3Error(error: unknown, key: string): unknown {
  const { name, code } = error as { name?: string; code?: string };
  const status = statusOf(error);
  const isOurs =
    error instanceof ObjectMissing || error instanceof ObjectExists || error instanceof RangeError;
  if (isOurs || error instanceof TypeError) return error;
  if (status === 404 && name !== 'NoSuchBucket' && name !== 'NoSuchUpload') return new ObjectMissing(key);
  if (status === 412 || name === 'ConditionalRequestConflict') return new ObjectExists(key);
  if (status === 416) return new RangeError('the range lies outside the object');
  return new StorageUnavailable(`the object storage does not serve: ${code ?? name}`, { cause: error });
}

/** Thrown if the source of an uploaded body failed, as opposed to the storage. */
export class BodyFailed extends Error {}

export function watched(body: Readable | Buffer): { body: Readable | Buffer; failure?: BodyFailed } {
  if (Buffer.isBuffer(body)) return { body };
  const source: { body: Readable; failure?: BodyFailed } = { body: Readable.from(pass()) };
  async function* pass(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) yield chunk;
    } catch (error) {
      source.failure = new BodyFailed('the body failed', { cause: error });
      throw error;
    }
  }
  return source;
}
