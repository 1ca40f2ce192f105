import { setTimeout as pause } from 'node:timers/promises';

/** The server refuses the request, and only a person can change that. */
export class NeedsPerson extends Error {}
/** The server or the network does not answer. A later run may succeed. */
export class TryLater extends Error {}

export interface Answer {
  status: number;
  location: string | null;
  retryAfterSeconds: number;
  text: string;
}

export interface Asked {
  method?: string;
  /** Objects are sent as JSON. */
  body?: FormData | object;
  /** The time for the whole request. */
  limitMs?: number;
  /** Not repeated if no answer came, because the server may have acted. */
  once?: boolean;
}

const SILENCE_LIMIT_MS = 30_000;
const LONGEST_PAUSE_MS = 120_000;
export const ATTEMPTS = 5;

/** Calls the API of a shop with an access token. Every wait has a limit. */
export class Server {
  protected readonly base: URL;

  /**
   * @param scopes the scopes that the token needs, for messages
   * @param onPause called before each wait
   */
  constructor(
    url: string,
    private readonly token: string,
    private readonly scopes: string,
    private readonly onPause: (seconds: number, reason: string) => void,
  ) {
    this.base = new URL(url.endsWith('/') ? url : `${url}/`);
  }

  get origin(): string {
    return this.base.origin;
  }

  /** Returns the answer, also if it is another refusal than of the token. @throws NeedsPerson @throws TryLater */
  async send(path: string, asked: Asked = {}): Promise<Answer> {
    const answer = await this.patiently(new URL(path, this.base), asked);
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
      throw new NeedsPerson(`${new URL(path, this.base)} is not part of a shop. Check --url.`);
    }
  }

  protected refusal(path: string, answer: Answer): NeedsPerson {
    const { detail = `The server answers ${answer.status}.` } = problemIn(answer.text);
    return new NeedsPerson(`${new URL(path, this.base)} answers ${answer.status}: ${detail} Check --url.`);
  }

  /** Asks again after an error of the network or server, and when the server asks to wait. @throws TryLater */
  private async patiently(address: URL, asked: Asked): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.fetch(address, asked).catch((error: Error) => error);
      const isLost = answer instanceof Error || (answer.status >= 500 && answer.status !== 503);
      if (isLost && asked.once) throw new TryLater(`${this.base.origin} gave no answer. Run again.`);
      if (answer instanceof Error) await this.wait(attempt, reasonOf(answer));
      else if (answer.status !== 429 && answer.status < 500) return answer;
      else await this.wait(attempt, `the server answers ${answer.status}`, answer.retryAfterSeconds);
    }
  }

  private async fetch(address: URL, { method = 'GET', body, limitMs }: Asked): Promise<Answer> {
    const isForm = body instanceof FormData;
    const answer = await fetch(address, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        accept: 'application/json',
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      body: isForm ? body : body && JSON.stringify(body),
      // The address of a file takes no token.
      redirect: 'manual',
      signal: AbortSignal.timeout(limitMs ?? SILENCE_LIMIT_MS),
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
    this.onPause(waitMs / 1_000, reason);
    await pause(waitMs);
  }
}

export function problemIn(text: string): { code?: string; title?: string; detail?: string } {
  try {
    return JSON.parse(text) as object;
  } catch {
    return {};
  }
}

/** Aborts when nothing happened for the limit. */
export class SilenceLimit {
  private readonly controller = new AbortController();
  private readonly timer = setTimeout(
    () => this.controller.abort(new Error('the server sends nothing')),
    SILENCE_LIMIT_MS,
  );
  readonly signal = this.controller.signal;

  heard(): void {
    this.timer.refresh();
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
