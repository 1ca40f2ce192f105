import { hash } from 'node:crypto';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { MemoryStore, rateLimit, type RateLimitRequestHandler, type Store } from 'express-rate-limit';
import type { AttemptCounter } from '../../../../application/accounts/attempt-limits.js';
import type { KnownBrowsers } from '../../../../application/accounts/sessions/sessions.js';
import { Email } from '../../../../application/accounts/contract.js';
import type { RateLimitName } from '../../../../application/shared/endpoint.js';
import { endpointOf } from '../endpoint-of.js';
import {
  addressOf,
  browserCookieOf,
  inWords,
  isMultipart,
  tooManyRequests,
  type HttpRequest,
  type HttpResponse,
} from '../request.js';

const MINUTE_MS = 60_000;

interface Limit {
  windowMs: number;
  attempts: number;
  by: 'address' | 'guesser' | 'guesser and account' | 'caller' | 'session';
  /** Counts only wrong guesses. */
  failuresOnly?: true;
  /** Ignores signed-in users. Each node counts in memory, as counting in the database costs as much as a request. */
  visitorsOnly?: true;
}

/**
 * A guesser is a browser that signed in to the account before, else an IP address. Accounts are limited only together
 * with a guesser: guesses by others must not lock owners out. If one limit refuses a request, the other limits do
 * not count it. Refused requests thus do not use up the limit of an address.
 */
const LIMITS = {
  'sign-in': [
    { by: 'guesser and account', attempts: 10, windowMs: 15 * MINUTE_MS, failuresOnly: true },
    { by: 'guesser', attempts: 100, windowMs: 15 * MINUTE_MS, failuresOnly: true },
    // Limit correct passwords, too, because checking one costs as much as checking a wrong one.
    { by: 'guesser and account', attempts: 100, windowMs: 15 * MINUTE_MS },
    { by: 'guesser', attempts: 1_000, windowMs: 15 * MINUTE_MS },
  ],
  // Counted per session: guesses in a stolen session must not block the owner's other sessions.
  confirm: [
    { by: 'session', attempts: 10, windowMs: 15 * MINUTE_MS, failuresOnly: true },
    { by: 'session', attempts: 100, windowMs: 15 * MINUTE_MS },
  ],
  // Passkeys and mailed tokens cannot be guessed, and codes are limited per account. This limit only stops floods.
  proof: [{ by: 'address', attempts: 3_000, windowMs: 15 * MINUTE_MS }],
  'sign-up': [
    { by: 'guesser and account', attempts: 10, windowMs: 15 * MINUTE_MS },
    { by: 'address', attempts: 300, windowMs: 15 * MINUTE_MS },
  ],
  reset: [
    { by: 'guesser and account', attempts: 10, windowMs: 15 * MINUTE_MS },
    { by: 'guesser', attempts: 50, windowMs: 15 * MINUTE_MS },
  ],
  'mailing-list': [
    { by: 'guesser and account', attempts: 5, windowMs: 15 * MINUTE_MS },
    { by: 'address', attempts: 50, windowMs: 15 * MINUTE_MS },
  ],
  complaint: [
    { by: 'guesser and account', attempts: 5, windowMs: 24 * 60 * MINUTE_MS },
    { by: 'address', attempts: 20, windowMs: 60 * MINUTE_MS },
  ],
  withdrawal: [
    { by: 'guesser and account', attempts: 10, windowMs: 15 * MINUTE_MS },
    { by: 'address', attempts: 50, windowMs: 15 * MINUTE_MS },
  ],
  // Each checkout calls the payment provider, which limits the calls of the whole shop.
  checkout: [{ by: 'caller', attempts: 60, windowMs: 15 * MINUTE_MS }],
  // A code has 128 bits, so this stops floods rather than guesses.
  'gift-code': [
    { by: 'caller', attempts: 20, windowMs: 15 * MINUTE_MS },
    { by: 'address', attempts: 100, windowMs: 15 * MINUTE_MS },
  ],
  // Each report opens a complaint, which staff must decide before a deadline.
  report: [
    { by: 'caller', attempts: 20, windowMs: 24 * 60 * MINUTE_MS },
    { by: 'address', attempts: 100, windowMs: 24 * 60 * MINUTE_MS },
  ],
  // Codes that people choose can be guessed.
  redeem: [
    { by: 'caller', attempts: 30, windowMs: 15 * MINUTE_MS },
    { by: 'address', attempts: 300, windowMs: 15 * MINUTE_MS },
  ],
  // Each edit adds an event to the log for good. Creators need few requests, as one request saves many rows.
  edit: [
    { by: 'caller', attempts: 240, windowMs: MINUTE_MS },
    { by: 'caller', attempts: 5_000, windowMs: 24 * 60 * MINUTE_MS },
  ],
  crash: [{ by: 'address', attempts: 30, windowMs: 15 * MINUTE_MS }],
  upload: [
    { by: 'caller', attempts: 240, windowMs: MINUTE_MS },
    { by: 'address', attempts: 1_200, windowMs: MINUTE_MS },
  ],
  // Each upload requests addresses for its parts once, and again after every failure.
  'upload-parts': [
    { by: 'caller', attempts: 480, windowMs: MINUTE_MS },
    { by: 'address', attempts: 2_400, windowMs: MINUTE_MS },
  ],
  // Decoding a large picture takes a second. Drawing the cover of a new pack takes a tenth of a second.
  picture: [
    { by: 'caller', attempts: 30, windowMs: MINUTE_MS },
    { by: 'address', attempts: 150, windowMs: MINUTE_MS },
  ],
  'new-pack': [
    { by: 'caller', attempts: 60, windowMs: MINUTE_MS },
    { by: 'address', attempts: 300, windowMs: MINUTE_MS },
  ],
  // One request makes up to twenty calls to the storage.
  listing: [{ by: 'address', attempts: 60, windowMs: MINUTE_MS }],
  // High enough for a school behind one IP address. Answers from the response cache do not count.
  search: [{ by: 'address', attempts: 1_200, windowMs: MINUTE_MS, visitorsOnly: true }],
  archive: [{ by: 'caller', attempts: 30, windowMs: MINUTE_MS }],
  export: [{ by: 'caller', attempts: 12, windowMs: 60 * MINUTE_MS }],
} as const satisfies Record<RateLimitName, readonly Limit[]>;

type BodyState = 'unread' | 'read';

/** Whether each limit counts before or after the body is read. Only the body names the account. */
const MAY_STAND: Record<Limit['by'], readonly BodyState[]> = {
  address: ['unread'],
  caller: ['unread'],
  session: ['unread'],
  guesser: ['unread', 'read'],
  'guesser and account': ['read'],
};

/** Keys that counted a request; a refusal undoes these counts. Omits `failuresOnly` and `visitorsOnly` limits. */
const counted = new WeakMap<HttpRequest, string[]>();

/**
 * Answers 429 with `Retry-After` after too many attempts. Two instances run after the session guard. The first runs
 * before the body is read. The second runs after it and counts attempts at the account that the body names.
 */
export class RateLimitGuard implements CanActivate {
  private readonly limiters = new Map<RateLimitName, RateLimitRequestHandler[]>();

  constructor(
    private readonly counter: AttemptCounter,
    private readonly browsers: KnownBrowsers,
    private readonly scale: number,
    private readonly body: BodyState,
  ) {
    for (const [name, limits] of Object.entries(LIMITS) as Array<[RateLimitName, readonly Limit[]]>) {
      const here = limits.flatMap((limit, index) =>
        MAY_STAND[limit.by].includes(body) ? [this.limiter(`${name}:${index}:`, limit)] : [],
      );
      this.limiters.set(name, here);
    }
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<HttpRequest>();
    const name = endpointOf(context)?.rateLimit ?? (isMultipart(request) ? 'upload' : undefined);
    if (!name) return true;
    const response = context.switchToHttp().getResponse<HttpResponse>();
    try {
      for (const limit of this.limiters.get(name) ?? []) await pass(limit, request, response);
    } catch (error) {
      await Promise.all((counted.get(request) ?? []).map((key) => this.counter.forgive(key)));
      throw error;
    }
    return true;
  }

  private limiter(prefix: string, limit: Limit): RateLimitRequestHandler {
    const isKept = limit.failuresOnly !== true && limit.visitorsOnly !== true;
    return rateLimit({
      windowMs: limit.windowMs,
      limit: limit.attempts * this.scale,
      skipSuccessfulRequests: limit.failuresOnly ?? false,
      requestWasSuccessful: wasNoGuess,
      standardHeaders: 'draft-8',
      identifier: prefix.slice(0, -1).replace(':', '-'),
      legacyHeaders: false,
      // Skips the library's check of proxy headers, because Express's `trust proxy` already decides.
      validate: false,
      skip: (request: HttpRequest) =>
        (limit.by === 'guesser and account' && accountOf(request) === undefined) ||
        (limit.by === 'guesser' && (browserCookieOf(request) === undefined) !== (this.body === 'unread')) ||
        (limit.visitorsOnly === true && request.actor !== undefined),
      keyGenerator: async (request) => {
        const key = await this.keyOf(limit.by, request);
        if (isKept) counted.set(request, [...(counted.get(request) ?? []), prefix + key]);
        return key;
      },
      store: limit.visitorsOnly
        ? new MemoryStore()
        : new CounterStore(this.counter, prefix, isKept ? limit.attempts * this.scale : undefined),
      handler: (request, _response, next) => {
        // The counter does not count attempts beyond the limit.
        if (isKept) counted.get(request as HttpRequest)?.pop();
        const { resetTime } = (request as typeof request & { rateLimit: { resetTime: Date } }).rateLimit;
        const seconds = Math.max(1, Math.ceil((resetTime.getTime() - Date.now()) / 1_000));
        next(tooManyRequests(`Too many attempts. Try again in ${inWords(seconds)}.`, seconds));
      },
    });
  }

  private async keyOf(by: Limit['by'], request: HttpRequest): Promise<string> {
    const address = addressOf(request);
    if (by === 'address') return address;
    if (by === 'caller') return request.actor?.userId ?? address;
    if (by === 'session') return request.actor?.sessionId ?? address;
    const guesser = await nameOfGuesser(request, this.browsers);
    // Hash the account, because the table must not hold e-mail addresses.
    return by === 'guesser' ? guesser : `${guesser}:${shortHash(accountOf(request) ?? '')}`;
  }
}

const pass = (limit: RateLimitRequestHandler, request: HttpRequest, response: HttpResponse): Promise<void> =>
  new Promise((resolve, reject) => {
    const next = (error?: unknown) => (error === undefined ? resolve() : reject(error as Error));
    void Promise.resolve(limit(request as never, response as never, next)).catch(reject);
  });

/** Returns false for a wrong guess. A refusal by a rate limit or a failure of the server is no guess. */
const wasNoGuess = (_request: unknown, { statusCode }: { statusCode: number }): boolean =>
  statusCode < 400 || statusCode === 429 || statusCode >= 500;

const shortHash = (text: string): string => hash('sha256', text, 'base64url').slice(0, 22);

const guessers = new WeakMap<HttpRequest, Promise<string>>();

function nameOfGuesser(request: HttpRequest, browsers: KnownBrowsers): Promise<string> {
  const known = guessers.get(request);
  if (known) return known;
  const [email, browser] = [emailIn(request), browserCookieOf(request)];
  // Check the e-mail address, because the body is not validated yet.
  const asked =
    email === undefined || browser === undefined || !Email.safeParse(email).success
      ? Promise.resolve(addressOf(request))
      : browsers
          .isKnownTo(email, browser)
          .then((isKnown) => (isKnown ? `browser:${shortHash(browser)}` : addressOf(request)));
  guessers.set(request, asked);
  return asked;
}

/** Returns the account whose secret is guessed: the body's, else the caller's; undefined for a token from a mail. */
const accountOf = (request: HttpRequest): string | undefined => emailIn(request) ?? request.actor?.userId;

function emailIn(request: HttpRequest): string | undefined {
  const { email } = (request.body ?? {}) as { email?: unknown };
  return typeof email === 'string' ? email.trim().toLowerCase() : undefined;
}

class CounterStore implements Store {
  private windowMs = MINUTE_MS;

  constructor(
    private readonly counter: AttemptCounter,
    readonly prefix: string,
    private readonly atMost: number | undefined,
  ) {}

  init(options: { windowMs: number }): void {
    this.windowMs = options.windowMs;
  }

  async increment(key: string) {
    const { hits, resetsAt } = await this.counter.count(this.prefix + key, this.windowMs, this.atMost);
    return { totalHits: hits, resetTime: resetsAt };
  }

  decrement(key: string): Promise<void> {
    return this.counter.forgive(this.prefix + key);
  }

  resetKey(key: string): Promise<void> {
    return this.counter.reset(this.prefix + key);
  }
}
