import {
  ObjectExists,
  ObjectMissing,
  StorageUnavailable,
} from '../../../application/storage/object-storage.js';

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
