import {
  ObjectExists,
  ObjectMissing,
  StorageUnavailable,
} from '../../../application/storage/object-storage.js';

/** Returns the HTTP status of a failed call; undefined without an answer. */
export function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}

/** Returns the application's error for a failed call. Without an answer that is StorageUnavailable. */
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
