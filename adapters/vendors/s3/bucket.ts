import {
  CreateBucketCommand,
  DeleteObjectCommand,
  HeadBucketCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { statusOf } from './errors.js';

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
      // Another process created it first.
      if (problem.name !== 'BucketAlreadyOwnedByYou') throw problem;
    });
  }
}

/** Returns whether the server honours `If-None-Match` on writes: some servers ignore it, some refuse it. */
export async function refusesExisting(client: S3Client, bucket: string, options: Sending): Promise<boolean> {
  const at = { Bucket: bucket, Key: PROBE_KEY };
  const write = () =>
    client.send(new PutObjectCommand({ ...at, Body: Buffer.from('probe'), IfNoneMatch: '*' }), options).then(
      () => 200,
      (error) => {
        const status = statusOf(error);
        // Without an answer nothing is known about the server.
        if (status === undefined) throw error;
        return status;
      },
    );
  await write();
  const second = await write();
  await client.send(new DeleteObjectCommand(at), options);
  return second === 412;
}
