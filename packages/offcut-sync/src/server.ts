/** A person has to change something before the next run. */
export class NeedsPerson extends Error {}
/** The server or the network does not answer. A later run may succeed. */
export class TryLater extends Error {}

export interface Answer {
  status: number;
  location: string | null;
  retryAfterSeconds: number;
  text: string;
}

export interface ServerOptions {
  url: string;
  /** Null in a page of the shop, where the session's cookie identifies the person. */
  token: string | null;
  /** Ends every request and wait. */
  stopped?: AbortSignal;
  /** Called before each wait. */
  onPause: (seconds: number, reason: string) => void;
}

export interface Asked {
  method?: string;
  /** Objects are sent as JSON. */
  body?: FormData | object;
  /** The time limit of each attempt, until the whole answer has arrived. */
  limitMs?: number;
  /**
   * If true, the request is not retried after a lost connection or a server error other than 503, because the server
   * may already have acted on it.
   */
  once?: boolean;
}

const SILENCE_LIMIT_MS = 30_000;
const LONGEST_PAUSE_MS = 120_000;
export const ATTEMPTS = 5;

/** Calls the API of a shop. Every wait has a limit. */
export class Server {
  protected readonly base: URL;
  readonly stopped: AbortSignal;

  /** @param scopes the scopes that the token needs; error messages name them */
  constructor(
    private readonly options: ServerOptions,
    private readonly scopes: string,
  ) {
    const { url, stopped = new AbortController().signal } = options;
    this.base = new URL(url.endsWith('/') ? url : `${url}/`);
    this.stopped = stopped;
  }

  protected get isPage(): boolean {
    return this.options.token === null;
  }

  get origin(): string {
    return this.base.origin;
  }

  /** Returns any answer that does not reject the token. @throws NeedsPerson @throws TryLater */
  async send(path: string, asked: Asked = {}): Promise<Answer> {
    const answer = await this.patiently(new URL(path, this.base), asked);
    if (answer.status === 401 && this.isPage)
      throw new NeedsPerson('You are signed out. Sign in, and continue.');
    const help = `Create a token with ${this.scopes} in Settings → Security, and run again with it.`;
    if (answer.status === 401) throw new NeedsPerson(`The token was revoked or has ended. ${help}`);
    if (problemIn(answer.text).code === 'TokenNotAllowed')
      throw new NeedsPerson(`The token does not allow this. ${help}`);
    return answer;
  }

  /** @throws NeedsPerson if the answer is not JSON */
  protected parsed<Body>(path: string, { text }: Answer): Body {
    try {
      return JSON.parse(text) as Body;
    } catch {
      throw new NeedsPerson(`${new URL(path, this.base)} is not part of a shop.${this.urlHelp}`);
    }
  }

  protected refusal(path: string, answer: Answer): NeedsPerson {
    const { detail = `The server answers ${answer.status}.` } = problemIn(answer.text);
    return new NeedsPerson(`${new URL(path, this.base)} answers ${answer.status}: ${detail}${this.urlHelp}`);
  }

  private get urlHelp(): string {
    return this.isPage ? '' : ' Check --url.';
  }

  /** Retries after network and server errors, and when the server asks to wait. @throws TryLater */
  private async patiently(address: URL, asked: Asked): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.fetch(address, asked).catch((error: Error) => error);
      this.stopped.throwIfAborted();
      const isLost = answer instanceof Error || (answer.status >= 500 && answer.status !== 503);
      if (isLost && asked.once) throw new TryLater(`${this.base.origin} gave no answer. Run again.`);
      if (answer instanceof Error) await this.wait(attempt, reasonOf(answer));
      else if (answer.status !== 429 && answer.status < 500) return answer;
      else await this.wait(attempt, `the server answers ${answer.status}`, answer.retryAfterSeconds);
    }
  }

  private async fetch(address: URL, asked: Asked): Promise<Answer> {
    const { method = 'GET', body, limitMs = SILENCE_LIMIT_MS } = asked;
    const { token } = this.options;
    const isForm = body instanceof FormData;
    const answer = await fetch(address, {
      method,
      headers: {
        accept: 'application/json',
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      body: isForm ? body : body && JSON.stringify(body),
      // Does not follow redirects, because they lead to file URLs, which must not receive the token.
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(limitMs), this.stopped]),
    });
    return {
      status: answer.status,
      location: answer.headers.get('location'),
      retryAfterSeconds: Number(answer.headers.get('retry-after')) || 0,
      text: await answer.text(),
    };
  }

  /** Waits longer after each failed attempt. @throws TryLater after the last one */
  async wait(attempt: number, reason: string, askedSeconds = 0): Promise<void> {
    const waitMs = Math.max(askedSeconds * 1_000, 500 * 2 ** attempt);
    if (attempt >= ATTEMPTS || waitMs > LONGEST_PAUSE_MS)
      throw new TryLater(`${this.base.origin} cannot be used now: ${reason}. Run again later.`);
    this.options.onPause(waitMs / 1_000, reason);
    await pause(waitMs, this.stopped);
  }
}

/** @throws the reason of `stopped` */
function pause(ms: number, stopped: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    const stop = () => {
      clearTimeout(timer);
      fail(stopped.reason as Error);
    };
    const timer = setTimeout(() => {
      stopped.removeEventListener('abort', stop);
      done();
    }, ms);
    stopped.addEventListener('abort', stop);
  });
}

export function problemIn(text: string): { code?: string; title?: string; detail?: string } {
  try {
    return JSON.parse(text) as object;
  } catch {
    return {};
  }
}

/**
 * Aborts its signal if the server sends nothing for `SILENCE_LIMIT_MS`. The caller reports received bytes with
 * `heard`.
 */
export class SilenceLimit {
  private readonly controller = new AbortController();
  private timer = this.start();
  readonly signal = this.controller.signal;

  private start() {
    return setTimeout(() => this.controller.abort(new Error('the server sends nothing')), SILENCE_LIMIT_MS);
  }

  heard(): void {
    clearTimeout(this.timer);
    this.timer = this.start();
  }

  end(): void {
    clearTimeout(this.timer);
    // Closes the connection if its answer was not read.
    this.controller.abort();
  }
}

/** `fetch` puts the reason for a failed connection into the cause. */
export const reasonOf = (error: Error): string =>
  error.cause instanceof Error ? error.cause.message || error.message : error.message;
