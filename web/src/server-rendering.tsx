/** Renders public pages on the server, for the first paint. Built into one file for Node. */
import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import type { PaintModule } from '../../application/pages/contract.js';
import { setMediaBase, setPlaylistUrl } from './api/page-settings.js';
import { newQueryClient } from './api/query-client.js';
import { App } from './app.js';
import { Pages, routes } from './routes.js';
import { serverQuery } from './server-query.js';
import { pageAt } from './shell/page-at.js';

const WAITING = /<!--\$[!?]-->/;
const ROUNDS = 5;

/** Renders again until all lazy components are resolved, because `renderToString` does not wait for them. */
async function drawn(draw: () => string): Promise<string> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const html = draw();
    if (!WAITING.test(html)) return html;
    await new Promise((resolve) => setTimeout(resolve));
  }
  throw new Error('a part of the page did not come');
}

export const paint: PaintModule['paint'] = async (given) => {
  setPlaylistUrl(given.playlistUrl);
  setMediaBase(given.mediaBaseUrl);
  const url = new URL(given.address, 'http://localhost');
  const { page, address } = pageAt(routes, url) ?? {};
  const question = address && page && serverQuery(page, address);
  if (!question) throw new Error(`${given.address} asks nothing`);
  const client = newQueryClient();
  const isPaged = 'initialPageParam' in question;
  const answer = isPaged ? { pages: [given.answer], pageParams: [null] } : given.answer;
  try {
    client.setQueryData(question.queryKey, answer);
    const html = await drawn(() =>
      renderToString(
        <App client={client}>
          <StaticRouter location={given.address}>
            <Pages />
          </StaticRouter>
        </App>,
      ),
    );
    const start = html.indexOf('<div class="layout ');
    if (start < 0) throw new Error(`${given.address} was drawn without the layout`);
    // Drops the title and preloads that React puts first, because the server writes its own into the head.
    return {
      html: html.slice(start),
      answers: [[question.queryKey, answer]],
    };
  } finally {
    client.clear();
  }
};
