import type { NamedSample } from '../../../domain/shared/file-names.js';
import { type Answer, problemIn, Server, type ServerOptions, TryLater } from './server.js';

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

export type PartKind = 'sound' | 'midi' | 'stems';

const PAGES_LIMIT = 10_000;

/** Reads the user's purchases and the addresses of their files. */
export class Shop extends Server {
  constructor(options: ServerOptions) {
    super(options, 'the scopes library:read and library:download');
  }

  /** @throws NeedsPerson @throws TryLater */
  async template(): Promise<string> {
    return (await this.json<{ template: string }>('api/library/file-names')).template;
  }

  /**
   * Returns the purchases, oldest first, so that a new purchase does not change the file names of earlier
   * ones. @throws NeedsPerson @throws TryLater
   */
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
    // Browsers follow redirects, but hide their target from pages.
    if (this.isPage) return new URL(`${path}/file`, this.base);
    if (location === null) throw new TryLater('The server sent no address of the file.');
    return new URL(location, this.base);
  }

  private async json<Body>(path: string): Promise<Body> {
    return this.parsed<Body>(path, await this.ask(path));
  }

  private async ask(path: string): Promise<Answer> {
    const answer = await this.send(path);
    if (answer.status < 400) return answer;
    const { code = '', detail = `The server answers ${answer.status}.` } = problemIn(answer.text);
    if (path.startsWith('api/downloads/')) throw new NotDelivered(code, detail);
    throw this.refusal(path, answer);
  }
}
