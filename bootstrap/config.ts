import { resolve } from 'node:path';
import * as z from 'zod';
import { SERVING_ENVIRONMENT, servingOf, type Serving } from './serving.js';
import type { MailLimits } from '../adapters/vendors/smtp/smtp-mailer.js';
import type { DatabaseLimits } from '../adapters/platform/database/connections.js';
import type { StorageLimits } from '../adapters/vendors/s3/s3-object-storage.js';
import { STRIPE_LIMITS, type StripeLimits } from '../adapters/vendors/stripe/stripe-limits.js';

const flag = z
  .enum(['true', 'false', '1', '0', 'on', 'off'])
  .transform((value) => ['true', '1', 'on'].includes(value));
const url = z.url({ protocol: /^https?$/ });
const timeout = (ms: number) => z.coerce.number().int().min(100).max(86_400_000).default(ms);

const Environment = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  ...SERVING_ENVIRONMENT,
  PUBLIC_URL: url.optional(),
  DATA_DIR: z
    .string()
    .min(1)
    .default('.data')
    .transform((path) => resolve(path)),
  ROLE: z.enum(['all', 'api', 'worker']).default('all'),
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_REPLICA_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_CONNECT_TIMEOUT_MS: timeout(3_000),
  DATABASE_STATEMENT_TIMEOUT_MS: timeout(4_000),
  DATABASE_LOCK_TIMEOUT_MS: timeout(3_500),
  DATABASE_IDLE_TRANSACTION_TIMEOUT_MS: timeout(10_000),
  DATABASE_LONG_STATEMENT_TIMEOUT_MS: timeout(600_000),
  PURCHASE_TIMEOUT_MS: timeout(8_000),
  S3_ENDPOINT: url.optional(),
  S3_REGION: z.string().default('us-east-1'),
  // S3 knows lower-case names only; people see the bucket as `Sounds`.
  S3_BUCKET: z.string().default('sounds'),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  S3_CONNECT_TIMEOUT_MS: timeout(2_000),
  S3_ANSWER_TIMEOUT_MS: timeout(4_500),
  S3_SILENCE_TIMEOUT_MS: timeout(15_000),
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_API_BASE: url.optional(),
  STRIPE_TIMEOUT_MS: z.coerce.number().int().min(2_000).max(60_000).default(STRIPE_LIMITS.timeoutMs),
  STRIPE_PAYMENT_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(2_000)
    .max(60_000)
    .default(STRIPE_LIMITS.paymentTimeoutMs),
  STRIPE_RETRIES: z.coerce.number().int().min(0).max(2).default(STRIPE_LIMITS.retries),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  GOOGLE_AUTH_URL: url.optional(),
  GOOGLE_TOKEN_URL: url.optional(),
  GOOGLE_USERINFO_URL: url.optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  SMTP_CONNECT_TIMEOUT_MS: timeout(5_000),
  SMTP_GREETING_TIMEOUT_MS: timeout(5_000),
  SMTP_SILENCE_TIMEOUT_MS: timeout(15_000),
  MAIL_FROM: z.string().min(3).default('Offcut <no-reply@offcut.example>'),
  PLAYLIST_URL: z.url({ protocol: /^https$/ }).optional(),
  AUTO_APPROVE_CREATORS: flag.optional(),
  DEMO_CONTENT: flag.optional(),
  TRUST_PROXY: z.coerce.number().int().min(0).max(10).default(0),
  SEARCH_INDEX: flag.optional(),
  RATE_LIMIT_SCALE: z.coerce.number().int().min(1).max(1_000_000).default(1),
});

/** The names of all settings. */
export const SETTINGS = Object.keys(Environment.shape);

/** Injection token of the parsed configuration. */
export const CONFIG = Symbol('CONFIG');

export interface Config {
  port: number;
  serving: Serving;
  /** Absent: any name is accepted; outside production only the machine's own names are. */
  knownHosts?: string[];
  publicUrl: string;
  dataDir: string;
  role: 'all' | 'api' | 'worker';
  production: boolean;
  /** Absent: embedded PostgreSQL below dataDir. */
  databaseUrl?: string;
  databaseReplicaUrl?: string;
  /** Limits for requests that people wait for, and for statements that may take minutes. */
  databaseLimits: { limits: DatabaseLimits; longLimits: DatabaseLimits };
  /** How long somebody who buys waits for an answer. */
  purchaseTimeoutMs: number;
  /** Absent: a local folder below dataDir. */
  s3?: {
    endpoint?: string;
    region: string;
    bucket: string;
    accessKeyId: string;
    secretAccessKey: string;
    limits: StorageLimits;
  };
  /** Absent: the simulator. */
  stripe?: { secretKey: string; webhookSecret: string; apiBase?: string };
  /** How long we wait for Stripe, or the simulator. */
  stripeLimits: StripeLimits;
  google?: {
    clientId: string;
    clientSecret: string;
    authUrl?: string;
    tokenUrl?: string;
    userinfoUrl?: string;
  };
  /** Absent: the mailbox page. */
  smtpUrl?: string;
  smtpLimits: MailLimits;
  /** Sender of every mail. */
  mailFrom: string;
  /** A playlist of records made from samples here; absent: the home page leads to a search for us. */
  playlistUrl?: string;
  autoApproveCreators: boolean;
  demoContent: boolean;
  /** How many proxies in front are ours; 0 ignores `X-Forwarded-For`. */
  trustProxyHops: number;
  /** Searches are answered from memory. */
  searchIndex: boolean;
  /** Multiplies every limit on attempts, for load tests. */
  rateLimitScale: number;
}

/** One line for people: which setting is wrong and what it should be. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** @throws ConfigError */
export function readConfig(env: Record<string, string | undefined>): Config {
  // An empty variable means "not set", as compose files write it.
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = Environment.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new ConfigError(`Configuration: ${lines.join('; ')}`);
  }
  const value = parsed.data;
  const production = value.NODE_ENV === 'production';
  const both = (name: string, a: string | undefined, b: string | undefined): boolean => {
    if (Boolean(a) !== Boolean(b)) throw new ConfigError(`Configuration: ${name} must be set together`);
    return Boolean(a);
  };
  const s3 = both(
    'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY',
    value.S3_ACCESS_KEY_ID,
    value.S3_SECRET_ACCESS_KEY,
  );
  const stripe = both(
    'STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET',
    value.STRIPE_SECRET_KEY,
    value.STRIPE_WEBHOOK_SECRET,
  );
  const google = both(
    'GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET',
    value.GOOGLE_CLIENT_ID,
    value.GOOGLE_CLIENT_SECRET,
  );
  if (value.S3_ENDPOINT && !s3)
    throw new ConfigError('Configuration: S3_ENDPOINT needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY');
  if (production) {
    const missing = Object.entries({
      DATABASE_URL: value.DATABASE_URL,
      S3_ACCESS_KEY_ID: s3,
      STRIPE_SECRET_KEY: stripe,
      SMTP_URL: value.SMTP_URL,
      PUBLIC_URL: value.PUBLIC_URL,
    })
      .filter(([, present]) => !present)
      .map(([name]) => name);
    if (missing.length > 0) throw new ConfigError(`Configuration: production needs ${missing.join(', ')}`);
  }
  return {
    port: value.PORT,
    serving: servingOf(value, production),
    ...(!production && { knownHosts: namesOf(value) }),
    publicUrl: (value.PUBLIC_URL ?? `http://localhost:${value.PORT}`).replace(/\/$/, ''),
    dataDir: value.DATA_DIR,
    role: value.ROLE,
    production,
    databaseUrl: value.DATABASE_URL,
    databaseReplicaUrl: value.DATABASE_REPLICA_URL,
    databaseLimits: databaseLimits(value),
    purchaseTimeoutMs: value.PURCHASE_TIMEOUT_MS,
    s3: s3
      ? {
          endpoint: value.S3_ENDPOINT,
          region: value.S3_REGION,
          bucket: value.S3_BUCKET,
          accessKeyId: value.S3_ACCESS_KEY_ID as string,
          secretAccessKey: value.S3_SECRET_ACCESS_KEY as string,
          limits: {
            connectMs: value.S3_CONNECT_TIMEOUT_MS,
            answerMs: value.S3_ANSWER_TIMEOUT_MS,
            silenceMs: value.S3_SILENCE_TIMEOUT_MS,
          },
        }
      : undefined,
    stripe: stripe
      ? {
          secretKey: value.STRIPE_SECRET_KEY as string,
          webhookSecret: value.STRIPE_WEBHOOK_SECRET as string,
          apiBase: value.STRIPE_API_BASE,
        }
      : undefined,
    stripeLimits: {
      timeoutMs: value.STRIPE_TIMEOUT_MS,
      paymentTimeoutMs: value.STRIPE_PAYMENT_TIMEOUT_MS,
      retries: value.STRIPE_RETRIES,
    },
    google: google
      ? {
          clientId: value.GOOGLE_CLIENT_ID as string,
          clientSecret: value.GOOGLE_CLIENT_SECRET as string,
          authUrl: value.GOOGLE_AUTH_URL,
          tokenUrl: value.GOOGLE_TOKEN_URL,
          userinfoUrl: value.GOOGLE_USERINFO_URL,
        }
      : undefined,
    smtpUrl: value.SMTP_URL,
    smtpLimits: {
      connectMs: value.SMTP_CONNECT_TIMEOUT_MS,
      greetingMs: value.SMTP_GREETING_TIMEOUT_MS,
      silenceMs: value.SMTP_SILENCE_TIMEOUT_MS,
    },
    mailFrom: value.MAIL_FROM,
    playlistUrl: value.PLAYLIST_URL,
    autoApproveCreators: value.AUTO_APPROVE_CREATORS ?? !production,
    demoContent: production ? false : (value.DEMO_CONTENT ?? !value.DATABASE_URL),
    trustProxyHops: value.TRUST_PROXY,
    // Workers answer nobody.
    searchIndex: value.SEARCH_INDEX ?? value.ROLE !== 'worker',
    rateLimitScale: value.RATE_LIMIT_SCALE,
  };
}

const namesOf = ({ HOST, PUBLIC_URL }: z.infer<typeof Environment>): string[] => [
  'localhost',
  '127.0.0.1',
  '[::1]',
  HOST.includes(':') ? `[${HOST}]` : HOST,
  ...(PUBLIC_URL ? [new URL(PUBLIC_URL).hostname] : []),
];

function databaseLimits(value: z.infer<typeof Environment>): Config['databaseLimits'] {
  const limits = {
    connectMs: value.DATABASE_CONNECT_TIMEOUT_MS,
    statementMs: value.DATABASE_STATEMENT_TIMEOUT_MS,
    lockMs: value.DATABASE_LOCK_TIMEOUT_MS,
    idleTransactionMs: value.DATABASE_IDLE_TRANSACTION_TIMEOUT_MS,
  };
  const minutes = value.DATABASE_LONG_STATEMENT_TIMEOUT_MS;
  return {
    limits,
    longLimits: { ...limits, statementMs: minutes, lockMs: minutes, idleTransactionMs: minutes },
  };
}
