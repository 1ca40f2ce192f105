import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { isSameTitle } from '../../../application/publishing/folder/plan.js';
import { type Asked, problemIn, Server, type ServerOptions, TryLater } from '../../offcut-sync/src/server.js';

/** The server refuses a file or a pack, and would refuse it again. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    detail: string,
  ) {
    super(detail);
  }
}

export interface Sample {
  id: string;
  name: string;
  filename: string;
  sizeBytes: number;
  hasMidi: boolean;
  hasStems: boolean;
}

/** A pack, as `GET /api/creator/packs` lists it. */
export interface PackCard {
  id: string;
  slug: string;
  title: string;
  status: 'draft' | 'published' | 'unpublished' | 'taken_down';
}

export interface Pack extends PackCard {
  samples: Sample[];
}

/**
 * Uploads slower than this time out. The time limit of an upload includes ten more minutes for the server's own
 * work.
 */
const LEAST_BYTES_PER_MS = 20;
const WORK_LIMIT_MS = 10 * 60_000;
const PAGES_LIMIT = 1_000;

/** Reads and changes the packs of the token's owner. */
export class Studio extends Server {
  constructor(options: ServerOptions) {
    super(options, 'the scope packs:write');
  }

  async status(): Promise<string> {
    return (await this.call<{ status: string }>('api/creator')).status;
  }

  async packs(): Promise<PackCard[]> {
    const packs: PackCard[] = [];
    let cursor: string | null = '';
    for (let page = 0; cursor !== null && page < PAGES_LIMIT; page += 1) {
      const query: string = cursor && `&cursor=${encodeURIComponent(cursor)}`;
      const answer: { items: PackCard[]; nextCursor: string | null } = await this.call(
        `api/creator/packs?limit=100${query}`,
      );
      packs.push(...answer.items);
      cursor = answer.nextCursor;
    }
    return packs;
  }

  pack = (id: string): Promise<Pack> => this.call(`api/creator/packs/${id}`);

  /** Makes a draft. Looks for the draft if the response is lost, because a retry would make another. */
  async draft(info: { name: string; genre: string; mood: string; description: string }): Promise<Pack> {
    try {
      return await this.call('api/creator/packs', { method: 'POST', body: info, once: true });
    } catch (error) {
      if (!(error instanceof TryLater)) throw error;
      const made = (await this.packs()).find(({ title }) => isSameTitle(title, info.name));
      if (!made) throw error;
      return this.pack(made.id);
    }
  }

  /** Sends a file in a form. @throws Refused */
  async upload<Body>(
    method: 'POST' | 'PUT',
    path: string,
    file: { part: string; path: string },
    fields: Readonly<Record<string, string>> = {},
  ): Promise<Body> {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    const content = await openAsBlob(file.path);
    body.append(file.part, content, basename(file.path));
    const limitMs = WORK_LIMIT_MS + Math.ceil(content.size / LEAST_BYTES_PER_MS);
    return this.call(path, { method, body, limitMs });
  }

  order = (id: string, sampleIds: readonly string[]): Promise<Pack> =>
    this.call(`api/creator/packs/${id}/order`, { method: 'PUT', body: { sampleIds } });

  publish = (id: string): Promise<Pack> => this.call(`api/creator/packs/${id}/publish`, { method: 'POST' });

  /** @throws Refused @throws NeedsPerson @throws TryLater */
  private async call<Body>(path: string, asked?: Asked): Promise<Body> {
    const answer = await this.send(path, asked);
    if (answer.status < 400) return this.parsed<Body>(path, answer);
    const { code, detail, title } = problemIn(answer.text);
    if (code === undefined) throw this.refusal(path, answer);
    throw new Refused(code, detail ?? title ?? code);
  }
}
