/** Draws public pages on the server, for the first paint. Built apart from the client, into one file for Node. */
import type { QueryKey } from '@tanstack/react-query';
import { renderToString } from 'react-dom/server';
import { StaticRouterProvider, createStaticHandler, createStaticRouter } from 'react-router-dom';
import {
  collectionQuery,
  creatorQuery,
  discoverQuery,
  homeQuery,
  packQuery,
  soundsQuery,
} from './api/catalogue.js';
import { setPlaylistUrl } from './api/page-settings.js';
import { newQueryClient } from './api/query-client.js';
import { App } from './app.js';
import { routes } from './routes.js';

const QUERIES: Record<string, (first: string, second: string) => { queryKey: QueryKey }> = {
  home: () => homeQuery,
  sounds: () => soundsQuery,
  discover: () => discoverQuery,
  packs: (handle, slug) => packQuery(handle, slug),
  collections: (slug) => collectionQuery(slug),
  creators: (handle) => creatorQuery(handle),
};
/** What React leaves where a part had to be waited for. */
const WAITING = /<!--\$[!?]-->/;
const ROUNDS = 5;

function queryKeyOf(question: string): QueryKey {
  const [, , kind = '', ...segments] = question.split('/');
  const [first = '', second = ''] = segments.map(decodeURIComponent);
  const query = QUERIES[kind];
  if (!query) throw new Error(`no screen asks for ${question}`);
  return query(first, second).queryKey;
}

const handler = createStaticHandler(routes);

/** Parts of a page come in files of their own in the browser; here they are at hand, but only after a moment. */
async function drawn(draw: () => string): Promise<string> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const html = draw();
    if (!WAITING.test(html)) return html;
    await new Promise((resolve) => setTimeout(resolve));
  }
  throw new Error('a part of the page did not come');
}

/**
 * The page at an address as everybody sees it first, before it is known who looks.
 * @param given.address path with its query
 * @param given.answers what the API answers visitors, by its path; what is missing is drawn as loading
 * @returns the content of `#root`, and the answers by the keys under which the client keeps them
 */
export async function paint(given: {
  address: string;
  answers: Record<string, unknown>;
  playlistUrl?: string;
}): Promise<{ html: string; answers: [QueryKey, unknown][] }> {
  setPlaylistUrl(given.playlistUrl);
  const answers = Object.entries(given.answers).map(([question, answer]): [QueryKey, unknown] => [
    queryKeyOf(question),
    answer,
  ]);
  const context = await handler.query(new Request(new URL(given.address, 'http://localhost')));
  if (context instanceof Response) throw new Error(`${given.address} leads elsewhere`);
  const router = createStaticRouter(handler.dataRoutes, context);
  const client = newQueryClient();
  try {
    for (const [key, answer] of answers) client.setQueryData(key, answer);
    const html = await drawn(() =>
      renderToString(
        <App client={client}>
          <StaticRouterProvider router={router} context={context} hydrate={false} />
        </App>,
      ),
    );
    // Title and preloads come first; the server has put its own into the head.
    return { html: html.slice(html.indexOf('<div class="layout"')), answers };
  } finally {
    client.clear();
  }
}
