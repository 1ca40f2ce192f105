import { ObjectExists, ObjectMissing, StorageUnavailable } from '../../application/ports/object-storage.js';

/** The HTTP status of a failed call; undefined when there was no answer. */
export function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}

/** What a failed call means to the application. Errors of the body that was being sent pass unchanged. */
export function mapS3Error(error: unknown, key: string): unknown {
  const { name, code } = error as { name?: string; code?: string };
  const status = statusOf(error);
  if (error instanceof ObjectMissing || error instanceof ObjectExists || error instanceof RangeError)
    return error;
  if (status === 404 && name !== 'NoSuchBucket' && name !== 'NoSuchUpload') return new ObjectMissing(key);
  if (status === 412 || name === 'ConditionalRequestConflict') return new ObjectExists(key);
  if (status === 416) return new RangeError('the range lies outside the object');
  if (status !== undefined || isOfTheConnection(name, code))
    return new StorageUnavailable(`the object storage does not serve: ${name ?? code}`, { cause: error });
  return error;
}

const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

function isOfTheConnection(name: string | undefined, code: string | undefined): boolean {
  return name === 'TimeoutError' || CONNECTION_CODES.has(code ?? '');
}
