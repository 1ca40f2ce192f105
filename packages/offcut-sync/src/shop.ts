import { setTimeout as pause } from 'node:timers/promises';
import type { NamedSample } from '../../../domain/shared/file-names.js';

/** The server refuses the request, and only a person can change that. */
export class NeedsPerson extends Error {}
/** The server or the network does not answer. A later run may succeed. */
export class TryLater extends Error {}
/** The server does not deliver this file. */
export class NotDelivered extends Error {
  constructor(
    readonly code: string,
    detail: string,
  ) {
    super(detail);
  }
}

interface Attached {
  sha256: string | null;
  sizeBytes: number | null;
}

/** A purchase, as `GET /api/library/downloads` lists it. */
export interface Purchase extends Omit<NamedSample, 'title'>, Attached {
  sampleId: string;
  track: string;
  format: string;
  purchasedAt: string;
  midi: Attached | null;
  stems: Attached | null;
}

interface Answer {
  status: number;
  location: string | null;
  retryAfterSeconds: number;
  text: string;
}

export type PartKind = 'sound' | 'midi' | 'stems';

const SILENCE_LIMIT_MS = 30_000;
const LONGEST_PAUSE_MS = 120_000;
export const ATTEMPTS = 5;
const PAGES_LIMIT = 10_000;
const TOKEN_HELP =
  'Create a token with the scopes library:read and library:download in Settings → Security, and run again with it.';

/** Calls the shop's API. Every wait has a limit. */
export class Shop {
  private readonly base: URL;

  /** @param onPause called before each wait */
  constructor(
    url: string,
    private readonly token: string,
    private readonly onPause: (seconds: number, reason: string) => void,
  ) {
    this.base = new URL(url.endsWith('/') ? url : `${url}/`);
  }

  /** @throws NeedsPerson @throws TryLater */
  async template(): Promise<string> {
    return (await this.json<{ template: string }>('api/library/file-names')).template;
  }

  /** Oldest first, so that a new purchase changes no earlier name. @throws NeedsPerson @throws TryLater */
  async purchases(): Promise<Purchase[]> {
    const found = new Map<string, Purchase>();
    let cursor: string | null = '';
    for (let page = 0; cursor !== null && page < PAGES_LIMIT; page += 1) {
      const query: string = cursor && `&cursor=${encodeURIComponent(cursor)}`;
      const answer: { items: Purchase[]; nextCursor: string | null } = await this.json(
        `api/library/downloads?limit=100${query}`,
      );
      for (const item of answer.items) found.set(item.sampleId, item);
      cursor = answer.nextCursor;
    }
    const order = ({ purchasedAt, sampleId }: Purchase) => `${purchasedAt} ${sampleId}`;
    return [...found.values()].sort((a, b) => (order(a) < order(b) ? -1 : 1));
  }

  /** Returns an address of the file that is valid for minutes. @throws NotDelivered */
  async addressOf(sampleId: string, kind: PartKind): Promise<URL> {
    const path = `api/downloads/${encodeURIComponent(sampleId)}`;
    if (kind !== 'sound') {
      const { download } = await this.json<{ download: { url: string } }>(`${path}/${kind}`);
      return new URL(download.url, this.base);
    }
    const { location } = await this.ask(`${path}/file`);
    if (location === null) throw new TryLater('The server sent no address of the file.');
    return new URL(location, this.base);
  }

  private async json<Body>(path: string): Promise<Body> {
    const { text } = await this.ask(path);
    try {
      return JSON.parse(text) as Body;
    } catch {
      throw new NeedsPerson(`${new URL(path, this.base)} is not part of a shop. Check --url.`);
    }
  }

  private async ask(path: string): Promise<Answer> {
    const answer = await this.patiently(new URL(path, this.base));
    if (answer.status < 400) return answer;
    const { code = '', detail = `The server answers ${answer.status}.` } = problemIn(answer.text);
    if (answer.status === 401) throw new NeedsPerson(`The token was revoked or has ended. ${TOKEN_HELP}`);
    if (code === 'TokenNotAllowed')
      throw new NeedsPerson(`The token may not read purchases or download them. ${TOKEN_HELP}`);
    if (path.startsWith('api/downloads/')) throw new NotDelivered(code, detail);
    throw new NeedsPerson(`${new URL(path, this.base)} answers ${answer.status}: ${detail} Check --url.`);
  }

  /** Asks again after an error of the network or server, and when the server asks to wait. @throws TryLater */
  private async patiently(address: URL): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.fetch(address).catch((error: Error) => error);
      if (answer instanceof Error) await this.wait(attempt, reasonOf(answer));
      else if (answer.status !== 429 && answer.status < 500) return answer;
      else await this.wait(attempt, `the server answers ${answer.status}`, answer.retryAfterSeconds);
    }
  }

  private async fetch(address: URL): Promise<Answer> {
    const answer = await fetch(address, {
      headers: { authorization: `Bearer ${this.token}`, accept: 'application/json' },
      // The address of a file takes no token.
      redirect: 'manual',
      signal: AbortSignal.timeout(SILENCE_LIMIT_MS),
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

function problemIn(text: string): { code?: string; detail?: string } {
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
