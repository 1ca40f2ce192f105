import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Logger } from '@nestjs/common';
import type { CollectionReader, PackReader } from '../../../application/catalogue/readers.js';
import { canonicalPath } from './canonical-path.js';
import { firstQuestion } from './first-load.js';
import { inScript, type RenderedPage } from './page-html.js';
import type { ResponseCache } from './response-cache.js';

/** What the build for the server leaves. */
interface Painter {
  paint(given: {
    address: string;
    answers: Record<string, unknown>;
    playlistUrl?: string;
  }): Promise<{ html: string; answers: unknown }>;
}

interface Kept {
  version: string;
  expiresAt: number;
  /** What it was drawn from: as long as that is the same, so is the page. */
  asked: string;
  paint: RenderedPage | undefined;
}

/** Names and pictures of people change without an event; from another process they show after this long. */
const LIFETIME_MS = 2_000;
const KEPT_LIMIT_LETTERS = 16 * 1024 * 1024;
const ANSWER_LIMIT_LETTERS = 512 * 1024;

/** Parameters that change nothing on any page. */
const IGNORED = /^(utm_\w+|fbclid|gclid|ref|sample)$/;
/** Of the others only these change a page in few enough ways to keep them all. */
const KNOWN: Record<string, RegExp> = {
  sounds: /^row=(new-releases|popular-this-week|trending-genres|featured-collections)$/,
  pack: /^back=collections$/,
};

/**
 * Draws public pages before a script runs, the same for every visitor: by the client's own screens, built for the
 * server. Each is drawn once and handed out until an event changes what it shows.
 */
export class ServerRendering {
  private readonly kept = new Map<string, Kept>();
  private keptLetters = 0;
  private readonly making = new Map<string, Promise<RenderedPage | undefined>>();
  private painter: Promise<Painter> | undefined;
  private readonly file: string;

  /** @param folder of the built client; what the server draws with is built beside it */
  constructor(
    folder: string,
    private readonly catalogue: { packs: PackReader; collections: CollectionReader; ready: ResponseCache },
    private readonly playlistUrl?: string,
  ) {
    this.file = join(`${folder}-server`, 'server-rendering.mjs');
  }

  /**
   * The page at an address, undefined where the client has to begin with nothing. Never fails.
   * @param given the path as in the address, undecoded
   */
  async at(given: string, query: URLSearchParams): Promise<RenderedPage | undefined> {
    const path = canonicalPath(given);
    if (path === undefined) return undefined;
    const question = firstQuestion(path);
    const address = question && addressOf(path, query);
    if (!question || !address) return undefined;
    try {
      const version = await this.catalogue.ready.state();
      const kept = this.kept.get(address);
      if (kept && kept.version === version && kept.expiresAt > Date.now()) return kept.paint;
      const name = `${version} ${address}`;
      const making = this.making.get(name) ?? this.make(address, question, version);
      this.making.set(name, making);
      return await making.finally(() => this.making.delete(name));
    } catch (error) {
      new Logger('Pages').warn(`${address} was not drawn: ${(error as Error).message}`);
      return undefined;
    }
  }

  private async make(address: string, question: string, version: string): Promise<RenderedPage | undefined> {
    const before = this.kept.get(address);
    const expiresAt = Date.now() + LIFETIME_MS;
    const asked = JSON.stringify(await this.answerTo(question)) ?? '';
    const paint = before?.asked === asked ? before.paint : await this.draw(address, question, asked);
    this.keep(address, { version, expiresAt, asked, paint });
    return paint;
  }

  private async draw(address: string, question: string, asked: string): Promise<RenderedPage | undefined> {
    if (asked === '' || asked.length > ANSWER_LIMIT_LETTERS || !existsSync(this.file)) return undefined;
    try {
      this.painter ??= import(pathToFileURL(this.file).href) as Promise<Painter>;
      const { paint } = await this.painter;
      const answers = { [question]: JSON.parse(asked) as unknown };
      const drawn = await paint({
        address,
        answers,
        ...(this.playlistUrl && { playlistUrl: this.playlistUrl }),
      });
      return { html: drawn.html, answers: inScript(JSON.stringify(drawn.answers)) };
    } catch (error) {
      new Logger('Pages').warn(`${address} was not drawn: ${(error as Error).message}`);
      return undefined;
    }
  }

  /** What the API answers a visitor; undefined where that is no page. */
  private async answerTo(question: string): Promise<unknown> {
    const { packs, collections } = this.catalogue;
    const [, , kind, ...segments] = question.split('/');
    const [first = '', second = ''] = segments.map(decodeURIComponent);
    const page = <Page>(found: { kind: string; page?: Page }) => found.page;
    if (kind === 'home') return packs.home();
    if (kind === 'sounds') return packs.sounds();
    if (kind === 'discover') return packs.discover(undefined);
    if (kind === 'packs') return page(await packs.byAddress(first, second, undefined));
    if (kind === 'creators') return page(await packs.creator(first, undefined));
    return kind === 'collections' ? collections.bySlug(first) : undefined;
  }

  private keep(address: string, entry: Kept): void {
    const size = ({ asked, paint }: Kept) =>
      asked.length + (paint ? paint.html.length + paint.answers.length : 0);
    const forget = (key: string) => {
      const old = this.kept.get(key);
      if (old) this.keptLetters -= size(old);
      this.kept.delete(key);
    };
    forget(address);
    this.kept.set(address, entry);
    this.keptLetters += size(entry);
    for (const oldest of this.kept.keys()) {
      if (this.keptLetters <= KEPT_LIMIT_LETTERS) break;
      forget(oldest);
    }
  }
}

/** What of an address tells drawn pages apart; undefined where there would be too many. */
function addressOf(path: string, query: URLSearchParams): string | undefined {
  const told = new URLSearchParams([...query].filter(([name]) => !IGNORED.test(name))).toString();
  if (told === '') return path;
  const [, screen = ''] = path.split('/');
  return Object.hasOwn(KNOWN, screen) && KNOWN[screen]?.test(told) ? `${path}?${told}` : undefined;
}
