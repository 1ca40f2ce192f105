import { createHash } from 'node:crypto';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { MemoryStore, rateLimit, type RateLimitRequestHandler, type Store } from 'express-rate-limit';
import type { AttemptCounter } from '../../../../application/accounts/attempt-counter.js';
import type { RateLimitName } from '../../../../application/shared/endpoint.js';
import { endpointOf } from '../endpoint-of.js';
import { ProblemException } from '../problem-exception.js';
import { addressOf, type HttpRequest, type HttpResponse } from '../request.js';

const MINUTE_MS = 60_000;

interface Limit {
  windowMs: number;
  attempts: number;
  /** What the attempts of one window have in common. */
  by: 'address' | 'address and account' | 'caller';
  /** Attempts that succeed are not counted. */
  failuresOnly?: true;
  /** Whoever is signed in is not counted; each node counts for itself, because counting costs as much as the attempt. */
  visitorsOnly?: true;
}

/**
 * An account is limited together with the address that tries, never alone: somebody who guesses at an
 * account elsewhere must not lock its owner out.
 */
const LIMITS = {
  'sign-in': [
    { by: 'address and account', attempts: 10, windowMs: 15 * MINUTE_MS, failuresOnly: true },
    { by: 'address', attempts: 100, windowMs: 15 * MINUTE_MS, failuresOnly: true },
    // A correct password costs as much to check as a wrong one.
    { by: 'address and account', attempts: 100, windowMs: 15 * MINUTE_MS },
    { by: 'address', attempts: 1_000, windowMs: 15 * MINUTE_MS },
  ],
  'sign-up': [
    { by: 'address and account', attempts: 10, windowMs: 15 * MINUTE_MS },
    { by: 'address', attempts: 300, windowMs: 15 * MINUTE_MS },
  ],
  reset: [
    { by: 'address and account', attempts: 10, windowMs: 15 * MINUTE_MS },
    { by: 'address', attempts: 50, windowMs: 15 * MINUTE_MS },
  ],
  'mailing-list': [
    { by: 'address and account', attempts: 5, windowMs: 15 * MINUTE_MS },
    { by: 'address', attempts: 50, windowMs: 15 * MINUTE_MS },
  ],
  complaint: [
    { by: 'address and account', attempts: 5, windowMs: 24 * 60 * MINUTE_MS },
    { by: 'address', attempts: 20, windowMs: 60 * MINUTE_MS },
  ],
  crash: [{ by: 'address', attempts: 30, windowMs: 15 * MINUTE_MS }],
  upload: [
    { by: 'caller', attempts: 240, windowMs: MINUTE_MS },
    { by: 'address', attempts: 1_200, windowMs: MINUTE_MS },
  ],
  // Each upload asks for its parts, and again after every failure.
  'upload-parts': [
    { by: 'caller', attempts: 480, windowMs: MINUTE_MS },
    { by: 'address', attempts: 2_400, windowMs: MINUTE_MS },
  ],
  // A large picture takes a second to decode, a new pack's cover a tenth of a second to draw.
  picture: [
    { by: 'caller', attempts: 30, windowMs: MINUTE_MS },
    { by: 'address', attempts: 150, windowMs: MINUTE_MS },
  ],
  'new-pack': [
    { by: 'caller', attempts: 60, windowMs: MINUTE_MS },
    { by: 'address', attempts: 300, windowMs: MINUTE_MS },
  ],
  // Up to twenty questions to the storage.
  listing: [{ by: 'address', attempts: 60, windowMs: MINUTE_MS }],
  // A school behind one address; pages that are kept do not come this far.
  search: [{ by: 'address', attempts: 1_200, windowMs: MINUTE_MS, visitorsOnly: true }],
  archive: [{ by: 'caller', attempts: 30, windowMs: MINUTE_MS }],
  export: [{ by: 'caller', attempts: 12, windowMs: 60 * MINUTE_MS }],
} as const satisfies Record<RateLimitName, readonly Limit[]>;

/**
 * Answers 429 with `Retry-After` to whoever tries too often. Runs after the session guard, and twice: attempts at
 * an account are counted once the body has been read, since it names the account; all others before that.
 */
export class RateLimitGuard implements CanActivate {
  private readonly limiters = new Map<RateLimitName, RateLimitRequestHandler[]>();

  /** @param scale multiplies every limit, for load tests */
  constructor(counter: AttemptCounter, scale: number, body: 'unread' | 'read') {
    for (const [name, limits] of Object.entries(LIMITS) as Array<[RateLimitName, readonly Limit[]]>)
      this.limiters.set(
        name,
        limits.flatMap((limit, index) =>
          (limit.by === 'address and account') === (body === 'read')
            ? limiter(`${name}:${index}:`, limit, counter, scale)
            : [],
        ),
      );
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<HttpRequest>();
    const name = endpointOf(context)?.rateLimit ?? (isMultipart(request) ? 'upload' : undefined);
    if (!name) return true;
    const response = context.switchToHttp().getResponse<HttpResponse>();
    for (const limit of this.limiters.get(name) ?? []) await pass(limit, request, response);
    return true;
  }
}

const isMultipart = (request: HttpRequest): boolean =>
  /^multipart\/form-data/i.test(request.headers['content-type'] ?? '');

const pass = (limit: RateLimitRequestHandler, request: HttpRequest, response: HttpResponse): Promise<void> =>
  new Promise((resolve, reject) => {
    const next = (error?: unknown) => (error === undefined ? resolve() : reject(error as Error));
    void Promise.resolve(limit(request as never, response as never, next)).catch(reject);
  });

function limiter(
  prefix: string,
  limit: Limit,
  counter: AttemptCounter,
  scale: number,
): RateLimitRequestHandler {
  return rateLimit({
    windowMs: limit.windowMs,
    limit: limit.attempts * scale,
    skipSuccessfulRequests: limit.failuresOnly ?? false,
    standardHeaders: false,
    legacyHeaders: false,
    // `trust proxy` decides which hops to believe.
    validate: false,
    skip: (request: HttpRequest) =>
      (limit.by === 'address and account' && accountOf(request) === undefined) ||
      (limit.visitorsOnly === true && request.actor !== undefined),
    keyGenerator: (request) => keyOf(limit.by, request),
    store: limit.visitorsOnly ? new MemoryStore() : new CounterStore(counter, prefix),
    handler: (request, _response, next) => {
      const { resetTime } = (request as typeof request & { rateLimit: { resetTime: Date } }).rateLimit;
      const seconds = Math.max(1, Math.ceil((resetTime.getTime() - Date.now()) / 1_000));
      next(
        new ProblemException(
          'TooManyRequests',
          { detail: `Too many attempts. Try again in ${wait(seconds)}.`, retryAfterSeconds: seconds },
          { 'Retry-After': String(seconds) },
        ),
      );
    },
  });
}

const wait = (seconds: number): string =>
  seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;

function keyOf(by: Limit['by'], request: HttpRequest): string {
  const address = addressOf(request);
  if (by === 'address') return address;
  if (by === 'caller') return request.actor?.userId ?? address;
  // Hashed, because the table must not hold e-mail addresses.
  const account = createHash('sha256')
    .update(accountOf(request) ?? '')
    .digest('base64url');
  return `${address}:${account.slice(0, 22)}`;
}

/** The account that is tried: the one in the body, else the caller's own; none if a mailed token is tried. */
function accountOf(request: HttpRequest): string | undefined {
  const { email } = (request.body ?? {}) as { email?: unknown };
  return typeof email === 'string' ? email.trim().toLowerCase() : request.actor?.userId;
}

class CounterStore implements Store {
  private windowMs = MINUTE_MS;

  constructor(
    private readonly counter: AttemptCounter,
    readonly prefix: string,
  ) {}

  init(options: { windowMs: number }): void {
    this.windowMs = options.windowMs;
  }

  async increment(key: string) {
    const { hits, resetsAt } = await this.counter.count(this.prefix + key, this.windowMs);
    return { totalHits: hits, resetTime: resetsAt };
  }

  decrement(key: string): Promise<void> {
    return this.counter.forgive(this.prefix + key);
  }

  resetKey(key: string): Promise<void> {
    return this.counter.reset(this.prefix + key);
  }
}
