import { S3Client } from '@aws-sdk/client-s3';
import type { WallClock } from '../../../application/shared/clock.js';
import { overKept, type KeptConnections } from '../../../application/shared/kept-connections.js';
import type { ObserveCall } from '../../../application/shared/observed-call.js';
import type { BucketAddress, BucketPlace } from './address.js';
import { ensureBucket } from './bucket.js';
import { mapS3Error, statusOf } from './errors.js';
import { lentCredentials } from './lent-credentials.js';
import type { S3Credentials } from './presigner.js';
import { BodyFailed } from './watched-body.js';

const ATTEMPTS = 3;
const LAST_MINUTE_MS = 60_000;

/** How long things may take, in milliseconds. */
export interface StorageLimits {
  connectMs: number;
  /** For the answer to anything but an upload, all attempts together; of a download for its first byte. */
  answerMs: number;
  /** For the next bytes of an upload or a download. */
  silenceMs: number;
}

/** For the command line, where nobody waits. */
const PATIENT: StorageLimits = { connectMs: 10_000, answerMs: 60_000, silenceMs: 60_000 };

export interface BucketOptions extends BucketPlace {
  clock: WallClock;
  /** Absent: those that Amazon's SDK finds around this process, lent ones too. */
  credentials?: S3Credentials | undefined;
  /** A bucket of somebody's own: it is never made, and being absent is a failure. */
  isForeign?: boolean;
  limits?: StorageLimits;
  observe?: ObserveCall;
}

/** How this process asks a bucket: with limits of time, and with errors that the application knows. */
export class BucketConnection {
  readonly client: S3Client;
  readonly name: string;
  readonly #clock: WallClock;
  readonly #answerMs: number;
  #ready: Promise<void> | undefined;

  constructor(options: BucketOptions, address: BucketAddress) {
    this.name = options.bucket;
    if (options.isForeign) this.#ready = Promise.resolve();
    this.#clock = options.clock;
    const { connectMs, answerMs, silenceMs } = options.limits ?? PATIENT;
    this.#answerMs = answerMs;
    this.client = new S3Client({
      ...(options.endpoint ? { endpoint: options.endpoint } : {}),
      region: options.region,
      // Half of the time: the answer to the question itself needs some, too.
      credentials: options.credentials ?? lentCredentials(options.region, answerMs / 2),
      forcePathStyle: address.isPathStyle,
      // Many servers do not know the newer checksum headers.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      maxAttempts: ATTEMPTS,
      requestHandler: { connectionTimeout: connectMs, socketTimeout: silenceMs },
    });
    this.client.middlewareStack.add((next) => (args) => overKept(this.#agents(), () => next(args)), {
      // Once for each attempt.
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

  /** The handler makes them with its first request. */
  #agents(): readonly (KeptConnections | undefined)[] {
    const { requestHandler } = this.client.config;
    const { httpAgent, httpsAgent } = (
      requestHandler as { httpHandlerConfigs(): Record<string, KeptConnections | undefined> }
    ).httpHandlerConfigs();
    return [httpAgent, httpsAgent];
  }

  at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.name, Key: key };
  }

  /** Makes the bucket unless it is there; asked once. @throws StorageUnavailable */
  async prepare(): Promise<void> {
    this.#ready ??= this.mapped('', () =>
      this.soon((options) => ensureBucket(this.client, this.name, options)),
    );
    try {
      await this.#ready;
    } catch (error) {
      this.#ready = undefined;
      throw error;
    }
  }

  /** The SDK keeps them, and fetches lent ones anew in their last minutes, beside us; in the very last one we wait. */
  credentials(): Promise<S3Credentials> {
    const { config } = this.client;
    return this.mapped('', () =>
      this.soon(async () => {
        const found = await config.credentials();
        const leftMs = (found.expiration?.getTime() ?? Infinity) - this.#clock.now().getTime();
        return leftMs < LAST_MINUTE_MS ? config.credentials({ forceRefresh: true }) : found;
      }),
    );
  }

  /** Sends a request with a time limit for all attempts together, up to the first byte of the answer. */
  async soon<Result>(send: (options: { abortSignal: AbortSignal }) => Promise<Result>): Promise<Result> {
    const limit = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        limit.abort();
        // Looking for credentials heeds no signal.
        reject(Object.assign(new Error('no answer in time'), { name: 'TimeoutError' }));
      }, this.#answerMs);
    });
    try {
      return await Promise.race([send({ abortSignal: limit.signal }), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Has work fail with what a failed call means to the application. */
  async mapped<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw error instanceof BodyFailed ? error.cause : mapS3Error(error, key);
    }
  }
}
