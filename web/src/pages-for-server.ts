/** The parts of PAGES that the server needs, built into one file for Node, without the screens. */
import { matchRoutes } from 'react-router-dom';
import type { PageAt, PageQuestion, PageSummary } from '../../application/pages/contract.js';
import { DEFAULT_HEAD } from './heads.js';
import { type Page, titleOf } from './page.js';
import { PAGES } from './pages.js';

const all = Object.entries<Page>(PAGES);
const routes = all.map(([name, page]) => ({ path: page.path, caseSensitive: true, handle: { name, page } }));

export const summaries: PageSummary[] = all.map(([name, { path, access, crawlers }]) => ({
  name,
  path,
  isPublic: access === undefined,
  crawlers,
}));

/** Query parameters that do not change the rendered body of any page. */
const IGNORED = /^(utm_\w+|fbclid|gclid|ref|sample)$/;

/** The part of an address that distinguishes rendered pages; undefined if the server does not render the address. */
function drawnAt({ drawn }: Page, path: string, search: URLSearchParams): string | undefined {
  const told = new URLSearchParams([...search].filter(([name]) => !IGNORED.test(name))).toString();
  if (!drawn) return undefined;
  return told === '' ? path : drawn.includes(told) ? `${path}?${told}` : undefined;
}

function questionOf(queryKey: readonly unknown[]): PageQuestion {
  const [key, input] = queryKey as [string, Partial<Pick<PageQuestion, 'params' | 'query'>>?];
  const { params = {}, query = {} } = input ?? {};
  const named = key
    .replace(/^GET /, '')
    .replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const asked = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return { key, params, query, path: asked.size > 0 ? `${named}?${asked}` : named };
}

export function pageAt(path: string, search: URLSearchParams): PageAt {
  const match = matchRoutes(routes, path)?.at(-1);
  const { name, page } = match?.route.handle ?? { name: 'not-found', page: PAGES['not-found'] };
  const asked = page.load?.({ params: match?.params ?? {}, search });
  return {
    name,
    exists: page.path !== '*' && !(page.head && !asked),
    question: asked && questionOf(asked.queryKey),
    drawnAt: asked && drawnAt(page, path, search),
    isAboutOne: page.head !== undefined,
    head: async (answer) => {
      const headOf = await page.head?.();
      if (headOf) return headOf(answer, search);
      return {
        ...DEFAULT_HEAD,
        title: titleOf(page.title),
        ...(page.crawlers === 'listed' && { canonicalPath: path }),
      };
    },
    absentHead: (status) => {
      const gone = `${page.title} ${status === 404 ? 'not found' : 'taken down'}`;
      return { ...DEFAULT_HEAD, title: titleOf(page.head && asked ? gone : 'Page not found') };
    },
  };
}
