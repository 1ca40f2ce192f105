import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { canonicalPath } from './page-address.js';
import { ClientBuild } from './client-build.js';
import type { PageHead } from '../../../application/pages/contract.js';
import { ServerRendering } from './server-rendering.js';
import { SERVER_PATHS } from '../../../application/pages/server-paths.js';
import type { Middleware } from '../http/middleware.js';
import { escaped } from '../../../domain/shared/markup.js';
import { pageHtml, firstLoadTags, paintTags, startLater } from './page-html.js';

const YEAR_MS = 365 * 86_400_000;

type Express = Middleware & { disable(setting: string): Middleware };

interface PageSettings {
  publicUrl: string;
  playlistUrl?: string;
  /** Base URL of previews and pictures, without a trailing slash; absent if this node serves them. */
  mediaBaseUrl?: string;
  google?: object;
  /** The versions of the texts that a new account accepts. */
  legal?: string;
}

/** Serves the client's page, with the head for its address, at every address that is no route of the server. */
export async function serveWebClient(
  app: NestExpressApplication,
  folder: string,
  settings: PageSettings,
): Promise<void> {
  if (!existsSync(join(folder, 'index.html'))) return;
  const client = app.get(ClientBuild);
  await client.open(folder, settings);
  app.use('/assets', preferCompressed(join(folder, 'assets')));
  app.useStaticAssets(join(folder, 'assets'), {
    prefix: '/assets',
    immutable: true,
    maxAge: YEAR_MS,
    fallthrough: false,
  });
  app.use(files(folder, settings));
  app.use(pages(client, app.get(ServerRendering), folder, settings));
}

const WORKER = 'sw.js';

/** Serves the files beside `index.html`. Other paths cause no disk access. */
function files(folder: string, { mediaBaseUrl }: PageSettings): Middleware {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const paths = new Set(
    found.map(({ parentPath, name }) => `/${relative(folder, join(parentPath, name)).split(sep).join('/')}`),
  );
  const adapter = new ExpressAdapter();
  const media = mediaBaseUrl ? ` ${new URL(mediaBaseUrl).origin}` : '';
  adapter.useStaticAssets(folder, {
    index: false,
    maxAge: 3_600_000,
    setHeaders: (response, path) => {
      if (basename(path) !== WORKER) return;
      // Browsers must check for a new service worker, because an old one would keep the files of an earlier version.
      response.setHeader('Cache-Control', 'no-cache');
      response.setHeader('Content-Security-Policy', `default-src 'none';connect-src 'self'${media}`);
    },
  });
  const serve = (adapter.getInstance() as Express).disable('x-powered-by');
  return (request, response, next) => {
    const [path = ''] = request.originalUrl.split('?', 1);
    if (paths.has(path)) serve(request, response, next);
    else next();
  };
}

const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/** Serves compressed copies, which the build made, to browsers that accept Brotli. */
function preferCompressed(folder: string): Middleware {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const compressed = new Set(names.filter((name) => name.endsWith('.br')));
  return (request, response, next) => {
    const [name = ''] = (request.url ?? '').slice(1).split('?', 1);
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
    if (type === undefined || !compressed.has(`${name}.br`)) return next();
    response.setHeader('Vary', 'Accept-Encoding');
    if (!/\bbr\b/.test(request.headers['accept-encoding'] ?? '')) return next();
    response.setHeader('Content-Encoding', 'br');
    response.setHeader('Content-Type', type);
    request.url = `/${name}.br`;
    next();
  };
}

function pages(
  client: ClientBuild,
  rendering: ServerRendering,
  folder: string,
  { publicUrl, playlistUrl, google, mediaBaseUrl, legal }: PageSettings,
): Middleware {
  const settings = [
    ...(playlistUrl ? [`<meta name="offcut-playlist" content="${escaped(playlistUrl)}" />`] : []),
    ...(mediaBaseUrl ? [`<meta name="offcut-media" content="${escaped(mediaBaseUrl)}" />`] : []),
    ...(legal ? [`<meta name="offcut-legal" content="${escaped(legal)}" />`] : []),
    ...(google ? ['<meta name="offcut-sign-in" content="google" />'] : []),
  ];
  return (request, response, next) => {
    const [path = '/', query = ''] = request.originalUrl.split('?', 2);
    const isRead = ['GET', 'HEAD'].includes(request.method ?? '');
    const wantsPage = isRead && /text\/html|\*\/\*/.test(request.headers.accept ?? '*/*');
    if (!wantsPage || SERVER_PATHS.test(path)) return next();
    void (async () => {
      // A path that cannot be decoded must match no page.
      const spelled = canonicalPath(path.replace(/(.)\/+$/, '$1')) ?? '/*';
      const page = client.pageAt(spelled, new URLSearchParams(query));
      const answer = await rendering.at(page);
      response.setHeader('Cache-Control', 'no-cache');
      if (answer.status === 301) {
        response.statusCode = 301;
        response.setHeader('Location', query ? `${answer.path}?${query}` : answer.path);
        response.end();
        return;
      }
      const template = await readFile(join(folder, 'index.html'), 'utf8');
      const { rendered } = answer;
      const [files, picture] = [client.screens[page.name] ?? [], pictureOf(answer.head)];
      const tags = rendered
        ? paintTags(files, picture, mediaBaseUrl)
        : firstLoadTags(files, page.question?.path, picture, mediaBaseUrl);
      const whole = rendered ? startLater(template, files) : template;
      const more = [...settings, ...(answer.status === 200 ? tags : [])];
      const html = pageHtml(whole, answer, { publicUrl, mediaBaseUrl }, more, rendered);
      const etag = `"${createHash('sha256').update(html).digest('base64url').slice(0, 27)}"`;
      response.setHeader('ETag', etag);
      if (answer.status === 200 && request.headers['if-none-match']?.includes(etag)) {
        response.statusCode = 304;
        response.end();
        return;
      }
      response.statusCode = answer.status;
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end(request.method === 'HEAD' ? undefined : html);
    })().catch(next);
  };
}

/** Returns the picture to preload. Only music pages show the picture of their head in a large size. */
const pictureOf = ({ kind, imagePath }: PageHead) => (kind.startsWith('music.') ? imagePath : undefined);
