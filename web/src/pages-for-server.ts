/** The parts of PAGES that the server needs, built into one file for Node, without the screens. */
import { matchRoutes } from 'react-router-dom';
import type { PageAt, PageQuestion, PageSummary } from '../../application/pages/contract.js';
import { type RequestOptions, addressOf } from './api/transport/http.js';
import { DEFAULT_HEAD } from './heads.js';
import { type Page, titleOf } from './page.js';
import { PAGES } from './pages.js';
import { serverQuery } from './server-query.js';

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

/**
 * Returns the key of a rendered page: the path, with the query string if it matters. Undefined if the server does not
 * render the address.
 */
function drawnAt({ drawn }: Page, path: string, search: URLSearchParams): string | undefined {
  const parameters = new URLSearchParams([...search].filter(([name]) => !IGNORED.test(name))).toString();
  if (!drawn) return undefined;
  if (parameters === '') return path;
  return drawn === 'any' || drawn.includes(parameters) ? `${path}?${parameters}` : undefined;
}

function questionOf(queryKey: readonly unknown[]): PageQuestion {
  const [key, input] = queryKey as [
    string,
    Pick<RequestOptions, 'query'> & { params?: PageQuestion['params'] },
  ];
  const { params = {}, query: asked = {} } = input ?? {};
  // Turns the values into text as in an address, because the endpoint reads its query from an address.
  const query = Object.fromEntries(
    Object.entries(asked).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value : String(value)]],
    ),
  );
  const named = key
    .replace(/^GET /, '')
    .replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  return { key, params, query, path: addressOf(named, query) };
}

export function pageAt(path: string, search: URLSearchParams): PageAt {
  const match = matchRoutes(routes, path)?.at(-1);
  const { name, page } = match?.route.handle ?? { name: 'not-found', page: PAGES['not-found'] };
  const asked = serverQuery(page, { params: match?.params ?? {}, search });
  return {
    name,
    exists: page.path !== '*' && !(page.head && !asked),
    question: asked && questionOf(asked.queryKey),
    drawnAt: asked && drawnAt(page, path, search),
    hasManyAddresses: page.drawn === 'any',
    isAboutOne: page.head !== undefined,
    head: async (answer) => {
      const headOf = await page.head?.();
      const player = page.embeddable && { embeddablePath: path };
      if (headOf) return { ...headOf(answer), ...player };
      return {
        ...DEFAULT_HEAD,
        ...player,
        title: titleOf(page.titleAt?.(search) ?? page.title),
        ...(page.crawlers === 'listed' && { canonicalPath: path }),
      };
    },
    absentHead: (status) => {
      const gone = `${page.title} ${status === 404 ? 'not found' : 'taken down'}`;
      return { ...DEFAULT_HEAD, title: titleOf(page.head && asked ? gone : 'Page not found') };
    },
  };
}
