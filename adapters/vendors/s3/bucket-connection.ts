import { S3Client } from '@aws-sdk/client-s3';
import type { WallClock } from '../../../application/shared/clock.js';
import {
  overKept,
  type KeptConnections,
  type ObserveCall,
} from '../../../application/shared/outgoing-calls.js';
import type { BucketAddress, BucketPlace } from './address.js';
import { ensureBucket, mapS3Error, statusOf, BodyFailed } from './bucket.js';
import type { S3Credentials } from './presigner.js';

const ATTEMPTS = 3;
const LAST_MINUTE_MS = 60_000;

export interface StorageLimits {
  connectMs: number;
  /** The time limit of a call with all its retries. A download must begin within it; an upload may take longer. */
  answerMs: number;
  /** The longest pause between two pieces of an upload or download. */
  silenceMs: number;
}

/** Limits for the command line, where no visitor waits for the answer. */
const PATIENT: StorageLimits = { connectMs: 10_000, answerMs: 60_000, silenceMs: 60_000 };

export interface BucketOptions extends BucketPlace {
  clock: WallClock;
  /** Default: the credentials that Amazon's SDK finds in the environment of this process, including temporary ones. */
  credentials?: S3Credentials | undefined;
  /** Whether the bucket belongs to another party. Such a bucket is never created, and its absence is an error. */
  isForeign?: boolean;
  limits?: StorageLimits;
  observe?: ObserveCall;
}

export class BucketConnection {
  readonly client: S3Client;
  readonly name: string;
  private readonly clock: WallClock;
  private readonly answerMs: number;
  private ready: Promise<void> | undefined;

  constructor(options: BucketOptions, address: BucketAddress) {
    this.name = options.bucket;
    if (options.isForeign) this.ready = Promise.resolve();
    this.clock = options.clock;
    const { connectMs, answerMs, silenceMs } = options.limits ?? PATIENT;
    this.answerMs = answerMs;
    this.client = new S3Client({
      ...(options.endpoint ? { endpoint: options.endpoint } : {}),
      region: options.region,
      // Half of the time limit, because the call itself also needs time.
      credentials: options.credentials ?? lentCredentials(options.region, answerMs / 2),
      forcePathStyle: address.isPathStyle,
      // Many servers do not know the newer checksum headers.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      maxAttempts: ATTEMPTS,
      requestHandler: { connectionTimeout: connectMs, socketTimeout: silenceMs },
    });
    this.client.middlewareStack.add((next) => (args) => overKept(this.agents(), () => next(args)), {
      // Middleware of this step runs once per attempt, not once per call.
      step: 'deserialize',
      priority: 'low',
      name: 'kept',
    });
    const { observe } = options;
    if (observe)
      this.client.middlewareStack.add(
        (next, { commandName = 'unknown' }) =>
          (args) =>
            observe(commandName.replace(/Command$/, ''), () => next(args), statusOf),
        { step: 'initialize', name: 'observed' },
      );
  }

  /** Returns the HTTP agents, which exist only after the SDK's handler has sent the first request. */
  private agents(): readonly (KeptConnections | undefined)[] {
    const { requestHandler } = this.client.config;
    const { httpAgent, httpsAgent } = (
      requestHandler as { httpHandlerConfigs(): Record<string, KeptConnections | undefined> }
    ).httpHandlerConfigs();
    return [httpAgent, httpsAgent];
  }

  at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.name, Key: key };
  }

  /** Creates the bucket if it is missing. Checks only once. @throws StorageUnavailable */
  async prepare(): Promise<void> {
    this.ready ??= this.call('', (client, options) => ensureBucket(client, this.name, options));
    try {
      await this.ready;
    } catch (error) {
      this.ready = undefined;
      throw error;
    }
  }

  /** Returns credentials that stay valid for at least a minute. If necessary, makes the SDK renew them. */
  credentials(): Promise<S3Credentials> {
    return this.call('', async ({ config }) => {
      const found = await config.credentials();
      const leftMs = (found.expiration?.getTime() ?? Infinity) - this.clock.now().getTime();
      return leftMs < LAST_MINUTE_MS ? config.credentials({ forceRefresh: true }) : found;
    });
  }

  /** Calls the server and converts its errors. One time limit covers all retries, up to the answer's first byte. */
  call<Result>(
    key: string,
    send: (client: S3Client, options: { abortSignal: AbortSignal }) => Promise<Result>,
  ): Promise<Result> {
    return this.mapped(key, () => {
      const limit = new AbortController();
      const sent = send(this.client, { abortSignal: limit.signal });
      // The SDK ignores the abort signal while it looks for credentials, so a timer also limits the call.
      return inTime(this.answerMs, sent, 'no answer in time', () => limit.abort());
    });
  }

  async mapped<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw error instanceof BodyFailed ? error.cause : mapS3Error(error, key);
    }
  }
}

type Find = S3Client['config']['credentials'];

/** Limits the SDK's search for credentials, which can wait forever. After a timeout, a new client searches again. */
function lentCredentials(region: string, limitMs: number): Find {
  const around = (): Find => new S3Client({ region }).config.credentials;
  let find = around();
  const limited: Find = async (options) =>
    inTime(limitMs, find(options), 'the source of the credentials does not answer', () => {
      find = around();
    });
  // `memoized` keeps the SDK from caching once more: `find` already caches and renews the credentials.
  return Object.assign(limited, { memoized: true });
}

async function inTime<Result>(
  limitMs: number,
  work: Promise<Result>,
  message: string,
  onLate: () => void,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      onLate();
      reject(Object.assign(new Error(message), { name: 'TimeoutError' }));
    }, limitMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
