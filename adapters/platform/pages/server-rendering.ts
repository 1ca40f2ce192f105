import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { PageAt, PageHead, PageQuestion } from '../../../application/pages/contract.js';
import { WallClock } from '../../../application/shared/clock.js';
import { ClientBuild } from './client-build.js';
import { KnownVersion, freshnessOf, type Made } from './known-version.js';
import { inScript, type RenderedPage } from './page-html.js';
import { DiscoveryService } from '@nestjs/core';
import { handlersIn } from '../http/endpoint-of.js';
import { ProblemException, refuse } from '../http/request.js';

/** The API's answer to a visitor. `moved` is set if the request used a former address. */
export type VisitorAnswer = { status: 200; body: unknown; moved: boolean } | { status: 404 | 410 };

@Injectable()
export class VisitorAnswers {
  private handlers: ReturnType<typeof handlersIn> | undefined;

  constructor(private readonly discovery: DiscoveryService) {}

  async ask(asked: Pick<PageQuestion, 'key' | 'params' | 'query'>, moved = false): Promise<VisitorAnswer> {
    this.handlers ??= handlersIn(this.discovery);
    const { endpoint, handle } = this.handlers.get(asked.key) ?? {};
    const isOpen = endpoint?.sameForVisitors || endpoint?.rendered;
    if (!endpoint || !isOpen || !handle) throw new Error(`no visitor may ask ${asked.key}`);
    const response = { statusCode: 200, setHeader: () => undefined };
    const query = endpoint.query?.parse(asked.query);
    try {
      const body = await handle({ params: asked.params, query, response, refuse });
      if (response.statusCode !== 301) return { status: 200, body, moved };
      const { redirect } = body as { redirect: string };
      return await this.ask({ ...asked, params: paramsIn(endpoint.path, redirect) }, true);
    } catch (error) {
      if (error instanceof ProblemException && (error.status === 404 || error.status === 410))
        return { status: error.status };
      throw error;
    }
  }
}

function paramsIn(template: string, path: string): Record<string, string> {
  const said = path.split('/');
  const names = template.split('/').map((part, at) => [part, decodeURIComponent(said[at] ?? '')] as const);
  return Object.fromEntries(
    names.flatMap(([part, value]) => (part.startsWith(':') ? [[part.slice(1), value]] : [])),
  );
}

/** The answer at a page's address. Without `rendered`, the client starts with an empty page. */
export type PageAnswer =
  | { status: 200 | 404 | 410; head: PageHead; rendered?: RenderedPage | undefined }
  | { status: 301; path: string };

interface Kept {
  path: string;
  made: Made;
  answer: VisitorAnswer;
  /** Digest of the answer. While the digest stays the same, the rendered pages stay valid. */
  digest: string;
  isDrawable: boolean;
  letters: number;
  drawn: Map<string, Promise<RenderedPage | undefined>>;
}

const KEPT_LIMIT_LETTERS = 16 * 1024 * 1024;
const ANSWER_LIMIT_LETTERS = 512 * 1024;
/**
 * A node runs at most this many searches a second to render pages. Further pages are sent without results, which the
 * client then requests.
 */
const SEARCHES_PER_SECOND = 5;
/** Used if the catalogue does not answer: the client gets an empty page and shows the error itself. */
const UNKNOWN: PageAnswer = { status: 200, head: { title: 'Offcut', description: '', kind: 'website' } };

/**
 * Finds the answer for the address of a page. Renders public pages with the client's own screens, the same for every
 * visitor. Answers and pages are cached until an event changes their content, and during an outage of the database.
 */
@Injectable()
export class ServerRendering {
  private readonly kept = new Map<string, Kept>();
  private keptLetters = 0;
  private readonly asking = new Map<string, Promise<Kept>>();
  private searches = { second: 0, count: 0 };
  private readonly log = new Logger('Pages');

  constructor(
    private readonly client: ClientBuild,
    private readonly answers: VisitorAnswers,
    private readonly version: KnownVersion,
    private readonly clock: WallClock,
  ) {}

  async at(page: PageAt): Promise<PageAnswer> {
    if (!page.exists) return { status: 404, head: page.absentHead(404) };
    try {
      const kept = await this.answerTo(page);
      const { answer } = kept ?? {};
      if (answer && answer.status !== 200)
        return { status: answer.status, head: page.absentHead(answer.status) };
      const head = await page.head(answer?.body);
      if (answer?.moved && head.canonicalPath) return { status: 301, path: head.canonicalPath };
      return { status: 200, head, rendered: kept && (await this.drawnFrom(kept, page)) };
    } catch (error) {
      this.log.warn(`${page.name} comes without its content: ${(error as Error).message}`);
      return page.isAboutOne ? UNKNOWN : { status: 200, head: await page.head() };
    }
  }

  /** Returns the API's answer for a visitor of the page; undefined if the server does not need the answer. */
  private async answerTo(page: PageAt): Promise<Kept | undefined> {
    const { question, isAboutOne, drawnAt } = page;
    if (!question || !(isAboutOne || drawnAt !== undefined)) return undefined;
    const version = await this.version.current();
    const kept = this.kept.get(question.path);
    if (version === undefined) {
      if (kept) return kept;
      throw new Error('the database does not answer, and no answer is cached');
    }
    const made = { ...version, at: this.clock.now().getTime() };
    const freshness = kept ? freshnessOf(kept.made, made, made.at) : 'outdated';
    const name = `${made.structure} ${question.path}`;
    const known = this.asking.get(name);
    if (freshness === 'fresh' || (freshness === 'stale' && known)) return kept;
    if (page.hasManyAddresses && !known && !this.maySearch(made.at))
      return freshness === 'stale' ? kept : undefined;
    const asking = known ?? this.ask(question, made);
    this.asking.set(name, asking);
    return asking.finally(() => this.asking.delete(name));
  }

  private maySearch(now: number): boolean {
    const second = Math.floor(now / 1_000);
    if (this.searches.second !== second) this.searches = { second, count: 0 };
    this.searches.count += 1;
    return this.searches.count <= SEARCHES_PER_SECOND;
  }

  private async ask(question: PageQuestion, made: Made): Promise<Kept> {
    const { path } = question;
    const text = JSON.stringify(await this.answers.ask(question));
    const digest = createHash('sha256').update(text).digest('base64');
    const before = this.kept.get(path);
    this.forget(path);
    const kept: Kept =
      before?.digest === digest
        ? Object.assign(before, { made })
        : {
            path,
            made,
            digest,
            answer: JSON.parse(text) as VisitorAnswer,
            isDrawable: text.length <= ANSWER_LIMIT_LETTERS,
            letters: text.length,
            drawn: new Map(),
          };
    // Do not cache missing pages, because their number is unlimited.
    if (kept.answer.status === 200) {
      this.kept.set(path, kept);
      this.grow(kept.letters);
    }
    return kept;
  }

  private async drawnFrom(kept: Kept, { drawnAt }: PageAt): Promise<RenderedPage | undefined> {
    if (drawnAt === undefined) return undefined;
    const drawing = kept.drawn.get(drawnAt) ?? this.draw(kept, drawnAt);
    kept.drawn.set(drawnAt, drawing);
    return drawing;
  }

  private async draw(kept: Kept, address: string): Promise<RenderedPage | undefined> {
    if (kept.answer.status !== 200 || !kept.isDrawable) return undefined;
    try {
      const drawn = await this.client.paint(address, kept.answer.body);
      if (!drawn) return undefined;
      const page = { html: drawn.html, answers: inScript(JSON.stringify(drawn.answers)) };
      const letters = page.html.length + page.answers.length;
      kept.letters += letters;
      if (this.kept.get(kept.path) === kept) this.grow(letters);
      return page;
    } catch (error) {
      this.log.warn(`${address} was not drawn: ${(error as Error).message}`);
      return undefined;
    }
  }

  private forget(path: string): void {
    this.keptLetters -= this.kept.get(path)?.letters ?? 0;
    this.kept.delete(path);
  }

  private grow(letters: number): void {
    this.keptLetters += letters;
    for (const oldest of this.kept.keys()) {
      if (this.keptLetters <= KEPT_LIMIT_LETTERS) break;
      this.forget(oldest);
    }
  }
}
