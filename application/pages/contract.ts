/** What the built client tells the server of its pages. */

/** What crawlers and chat previews read of a page. Addresses begin with `/`. */
export interface PageHead {
  title: string;
  description: string;
  /** The page's one address; absent for pages that are nobody's to find. */
  canonicalPath?: string;
  imagePath?: string | null;
  audioPath?: string | null;
  kind: 'website' | 'music.album' | 'music.song' | 'profile';
  /** JSON-LD without `@context`; addresses in it begin with `/`. */
  facts?: Record<string, unknown>;
}

/** What a page asks the API first. */
export interface PageQuestion {
  /** The endpoint, such as `GET /api/packs/:handle/:slug`. */
  key: string;
  params: Record<string, string>;
  query: Record<string, string | number>;
  /** Where it is asked. */
  path: string;
}

/** The page at an address. */
export interface PageAt {
  /** The folder of its screen. */
  name: string;
  exists: boolean;
  question: PageQuestion | undefined;
  /** What of the address tells drawn pages apart; undefined where the server does not draw it. */
  drawnAt: string | undefined;
  /** Whether it is about one thing, which may be gone: only its answer says so, and what it is called. */
  isAboutOne: boolean;
  /** @param answer to its question, of a page about one thing */
  head(answer?: unknown): Promise<PageHead>;
  absentHead(status: 404 | 410): PageHead;
}

export interface PageSummary {
  /** The folder of its screen. */
  name: string;
  /** As the router reads it; `*` is the page of every path that no other has. */
  path: string;
  isPublic: boolean;
  /** `listed` in the sitemap, `closed` in robots.txt. */
  crawlers?: 'listed' | 'closed' | undefined;
}

/** What is built of `web/src/pages-for-server.ts`. */
export interface PagesModule {
  summaries: readonly PageSummary[];
  /** @param path in its one spelling: percent signs only where needed, no slash at its end */
  pageAt(path: string, search: URLSearchParams): PageAt;
}

/** The content of a page, and what the client finds in its cache. */
export interface PaintedPage {
  html: string;
  answers: [key: readonly unknown[], answer: unknown][];
}

/** What is built of `web/src/server-rendering.tsx`. */
export interface PaintModule {
  /**
   * Draws the page at an address as everybody sees it first, before it is known who looks.
   * @param given.answer what the API answers visitors to the page's question
   */
  paint(given: { address: string; answer: unknown; playlistUrl?: string | undefined }): Promise<PaintedPage>;
}
