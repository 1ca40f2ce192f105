/** Describes the client's pages for the server. */

/** The head of a page, for crawlers and chat previews. Addresses begin with `/`. */
export interface PageHead {
  title: string;
  description: string;
  /** The page's canonical address; absent for pages that search engines should not list. */
  canonicalPath?: string;
  imagePath?: string | null;
  audioPath?: string | null;
  /** The path of a page that others can embed, for oEmbed. */
  embeddablePath?: string;
  kind: 'website' | 'music.album' | 'music.song' | 'profile';
  /** JSON-LD without `@context`; addresses in it begin with `/`. */
  facts?: Record<string, unknown>;
}

/** The query that a page needs before it can show its content. The server answers it to render the page. */
export interface PageQuestion {
  /** The endpoint, such as `GET /api/packs/:handle/:slug`. */
  key: string;
  params: Record<string, string>;
  query: Record<string, string | readonly string[]>;
  /** The API path of the endpoint, with the values of `params` and `query`. */
  path: string;
}

export interface PageAt {
  /** The folder of the page's screen. */
  name: string;
  exists: boolean;
  question: PageQuestion | undefined;
  /** The part of the address that a rendered page depends on. Undefined if the server does not render the page. */
  drawnAt: string | undefined;
  /** Whether the page shows what the visitor typed, so that the number of rendered pages is unlimited. */
  hasManyAddresses: boolean;
  /** Whether the page shows one object, such as a pack. The page's head then needs the API's answer about it. */
  isAboutOne: boolean;
  /** @param answer the API's answer to `question`; required if `isAboutOne` */
  head(answer?: unknown): Promise<PageHead>;
  absentHead(status: 404 | 410): PageHead;
}

export interface PageSummary {
  /** The folder of the page's screen. */
  name: string;
  /** The path in the router's syntax. `*` stands for all paths without a page of their own. */
  path: string;
  isPublic: boolean;
  /** `listed` in the sitemap, `closed` in robots.txt. */
  crawlers?: 'listed' | 'closed' | undefined;
}

/** The module built from `web/src/pages-for-server.ts`. */
export interface PagesModule {
  summaries: readonly PageSummary[];
  /** @param path in canonical spelling: percent-encoded only where needed, no trailing slash */
  pageAt(path: string, search: URLSearchParams): PageAt;
}

/** The HTML of a page, and the answers for the client's query cache. */
export interface PaintedPage {
  html: string;
  answers: [key: readonly unknown[], answer: unknown][];
}

/** The module built from `web/src/server-rendering.tsx`. */
export interface PaintModule {
  /**
   * Renders the page at an address as a visitor sees it, before the session is known.
   * @param given.answer the API's answer to the page's query, as a visitor gets it
   */
  paint(given: {
    address: string;
    answer: unknown;
    playlistUrl?: string | undefined;
    mediaBaseUrl?: string | undefined;
  }): Promise<PaintedPage>;
}
