import * as z from 'zod';
import { bucketAddress, type BucketPlace } from '../../adapters/vendors/s3/address.js';
import type { StorageLimits } from '../../adapters/vendors/s3/bucket-connection.js';
import type { S3Credentials } from '../../adapters/vendors/s3/presigner.js';
import { ConfigError, flag, givenTogether, timeout, url, type Values } from './fields.js';
import type { SERVING } from './http.js';

/** Where files are kept. */
export const STORAGE = {
  S3_ENDPOINT: url.optional(),
  S3_PUBLIC_ENDPOINT: url.optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_BUCKET: z.string().optional(),
  S3_FORCE_PATH_STYLE: flag.optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  S3_CONNECT_TIMEOUT_MS: timeout(2_000),
  S3_ANSWER_TIMEOUT_MS: timeout(4_500),
  S3_SILENCE_TIMEOUT_MS: timeout(15_000),
  MEDIA_BASE_URL: url
    .refine(
      (given) => /^https?:\/\/[^/@?#\s]+(?:\/[\w.~-]+)*\/?$/.test(given),
      'a server and a path, nothing else',
    )
    .transform((given) => given.replace(/\/$/, ''))
    .optional(),
  CDN_PURGE_URL: url.optional(),
  CDN_PURGE_TOKEN: z.string().min(1).optional(),
};

export interface StorageConfig {
  /** Absent: a local folder below dataDir. */
  s3?: BucketPlace & {
    /** Where the addresses lead that it signs. */
    origin: string;
    /** Absent: what Amazon's SDK finds around the process. */
    credentials?: S3Credentials;
    limits: StorageLimits;
  };
  /** Where browsers fetch previews and pictures, without a slash at its end; absent: here. */
  mediaBaseUrl?: string;
  /** Absent: no cache in front is told of what leaves the shop. */
  cdnPurge?: { url: string; token?: string };
}

/** @throws ConfigError */
export function storageConfig(
  value: Values<typeof STORAGE> & Pick<Values<typeof SERVING>, 'PUBLIC_URL'>,
): StorageConfig {
  return { ...bucketConfig(value), ...mediaConfig(value), ...purgeConfig(value) };
}

function mediaConfig({
  MEDIA_BASE_URL,
  PUBLIC_URL,
}: Parameters<typeof storageConfig>[0]): Pick<StorageConfig, 'mediaBaseUrl'> {
  if (!MEDIA_BASE_URL) return {};
  if (PUBLIC_URL?.startsWith('https:') && !MEDIA_BASE_URL.startsWith('https:'))
    throw new ConfigError('Configuration: MEDIA_BASE_URL must begin with https:// as PUBLIC_URL does');
  return { mediaBaseUrl: MEDIA_BASE_URL };
}

function purgeConfig({
  CDN_PURGE_URL,
  CDN_PURGE_TOKEN,
}: Values<typeof STORAGE>): Pick<StorageConfig, 'cdnPurge'> {
  if (!CDN_PURGE_URL && CDN_PURGE_TOKEN)
    throw new ConfigError('Configuration: CDN_PURGE_TOKEN needs CDN_PURGE_URL');
  return CDN_PURGE_URL ? { cdnPurge: { url: CDN_PURGE_URL, token: CDN_PURGE_TOKEN } } : {};
}

/** The bucket that its name, its server or its keys ask for. */
function bucketConfig(value: Values<typeof STORAGE>): Pick<StorageConfig, 's3'> {
  const { S3_ENDPOINT, S3_PUBLIC_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = value;
  const hasKeys = givenTogether({ S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY });
  if (!value.S3_BUCKET && !S3_ENDPOINT && !hasKeys) {
    if (S3_PUBLIC_ENDPOINT)
      throw new ConfigError('Configuration: S3_PUBLIC_ENDPOINT needs S3_BUCKET or S3_ENDPOINT');
    return {};
  }
  const place: BucketPlace = {
    endpoint: S3_ENDPOINT,
    publicEndpoint: S3_PUBLIC_ENDPOINT,
    region: value.S3_REGION,
    // S3 knows lower-case names only; people see the bucket as `Sounds`.
    bucket: value.S3_BUCKET ?? 'sounds',
    pathStyle: value.S3_FORCE_PATH_STYLE,
  };
  return {
    s3: {
      ...place,
      origin: bucketAddress(place).origin,
      ...(hasKeys
        ? {
            credentials: {
              accessKeyId: S3_ACCESS_KEY_ID as string,
              secretAccessKey: S3_SECRET_ACCESS_KEY as string,
            },
          }
        : {}),
      limits: {
        connectMs: value.S3_CONNECT_TIMEOUT_MS,
        answerMs: value.S3_ANSWER_TIMEOUT_MS,
        silenceMs: value.S3_SILENCE_TIMEOUT_MS,
      },
    },
  };
}
