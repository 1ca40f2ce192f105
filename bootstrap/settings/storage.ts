import * as z from 'zod';
import { bucketAddress } from '../../adapters/vendors/s3/address.js';
import { ConfigError, flag, givenTogether, timeout, url, type Values } from './fields.js';
import type { SERVING } from './http.js';

export const STORAGE = {
  S3_ENDPOINT: url.optional().meta({
    description: 'The address of an S3 server such as Ceph or R2.',
    computedDefault: 'Amazon, or a folder below `DATA_DIR` if no setting names a bucket or keys',
  }),
  S3_PUBLIC_ENDPOINT: url.optional().meta({
    description: 'The address under which browsers reach that server, if it is another one.',
    computedDefault: '`S3_ENDPOINT`',
  }),
  S3_REGION: z.string().default('us-east-1').describe('The region of the bucket.'),
  S3_BUCKET: z.string().optional().meta({
    description: 'The name of the bucket.',
    computedDefault: '`sounds`, if an endpoint or keys are set',
  }),
  S3_FORCE_PATH_STYLE: flag.optional().meta({
    description: 'Puts the bucket into the path of addresses instead of the host name.',
    computedDefault: 'on; off on Amazon',
  }),
  S3_ACCESS_KEY_ID: z.string().optional().meta({
    description: 'The access key of the bucket.',
    computedDefault: 'what the AWS SDK finds: `AWS_…` variables, profiles, the role of the machine',
  }),
  S3_SECRET_ACCESS_KEY: z.string().optional().describe('The secret of that key.'),
  S3_CONNECT_TIMEOUT_MS: timeout(2_000).describe(
    'How long opening a connection to the storage may take, in milliseconds.',
  ),
  S3_ANSWER_TIMEOUT_MS: timeout(4_500).describe(
    'How long the storage may take to begin an answer, in milliseconds for three attempts together.',
  ),
  S3_SILENCE_TIMEOUT_MS: timeout(15_000).describe(
    'How long the storage may pause within a file, in milliseconds.',
  ),
  MEDIA_BASE_URL: url
    .refine(
      (given) => /^https?:\/\/[^/@?#\s]+(?:\/[\w.~-]+)*\/?$/.test(given),
      'a server and a path, nothing else',
    )
    .transform((given) => given.replace(/\/$/, ''))
    .optional()
    .describe(
      'Where browsers fetch previews, covers and avatars: a CDN that reads the same paths from `PUBLIC_URL`, such as `https://cdn.example/offcut`. Downloads never use it.',
    ),
  CDN_PURGE_URL: url
    .optional()
    .describe(
      'Receives `POST {"paths": […]}` when previews or covers leave the shop. See [Scale](scaling.md#cdn).',
    ),
  CDN_PURGE_TOKEN: z.string().min(1).optional().describe('Sent with it as `Authorization: Bearer`.'),
};

type Given = Values<typeof STORAGE> & Pick<Values<typeof SERVING>, 'PUBLIC_URL'>;

/** @throws ConfigError */
export function storageConfig(value: Given) {
  const { MEDIA_BASE_URL, PUBLIC_URL, CDN_PURGE_URL, CDN_PURGE_TOKEN } = value;
  if (MEDIA_BASE_URL && PUBLIC_URL?.startsWith('https:') && !MEDIA_BASE_URL.startsWith('https:'))
    throw new ConfigError('Configuration: MEDIA_BASE_URL must begin with https:// as PUBLIC_URL does');
  if (!CDN_PURGE_URL && CDN_PURGE_TOKEN)
    throw new ConfigError('Configuration: CDN_PURGE_TOKEN needs CDN_PURGE_URL');
  return {
    /** Undefined: a local folder below dataDir. */
    s3: bucketConfig(value),
    /** Without a trailing slash. Undefined: browsers fetch previews and pictures from this node. */
    mediaBaseUrl: MEDIA_BASE_URL,
    cdnPurge: CDN_PURGE_URL ? { url: CDN_PURGE_URL, token: CDN_PURGE_TOKEN } : undefined,
  };
}

/** Returns the bucket if its name, its server or its keys are set. */
function bucketConfig(value: Given) {
  const { S3_ENDPOINT, S3_PUBLIC_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = value;
  const hasKeys = givenTogether({ S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY });
  if (!value.S3_BUCKET && !S3_ENDPOINT && !hasKeys) {
    if (S3_PUBLIC_ENDPOINT)
      throw new ConfigError('Configuration: S3_PUBLIC_ENDPOINT needs S3_BUCKET or S3_ENDPOINT');
    return undefined;
  }
  const place = {
    endpoint: S3_ENDPOINT,
    publicEndpoint: S3_PUBLIC_ENDPOINT,
    region: value.S3_REGION,
    bucket: value.S3_BUCKET ?? 'sounds',
    pathStyle: value.S3_FORCE_PATH_STYLE,
  };
  return {
    ...place,
    origin: bucketAddress(place).origin,
    /** Undefined: Amazon's SDK finds the credentials in the environment of the process. */
    credentials: hasKeys
      ? { accessKeyId: S3_ACCESS_KEY_ID as string, secretAccessKey: S3_SECRET_ACCESS_KEY as string }
      : undefined,
    limits: {
      connectMs: value.S3_CONNECT_TIMEOUT_MS,
      answerMs: value.S3_ANSWER_TIMEOUT_MS,
      silenceMs: value.S3_SILENCE_TIMEOUT_MS,
    },
  };
}
