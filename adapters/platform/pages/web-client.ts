import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { PageHeads, type PageAnswer, type PageHead } from '../../../application/catalogue/page-heads.js';
import { CollectionReader, PackReader } from '../../../application/catalogue/readers.js';
import { firstLoadTags, paintTags, readScreens, startLater } from './first-load.js';
import { ServerRendering } from './server-rendering.js';
import type { Middleware } from '../http/middleware.js';
import { escaped, pageHtml } from './page-html.js';
import { ResponseCache } from './response-cache.js';

const SERVER_PATHS = /^\/(api|media|dev|healthz|readyz|metrics|robots\.txt|sitemap\.xml)(\/|$)/;
const YEAR_MS = 365 * 86_400_000;

/** What the pages have to know of the configuration. */
interface PageSettings {
  publicUrl: string;
  playlistUrl?: string;
  /** Present where people can sign in through Google. */
  google?: object;
}

/**
 * Serves the built client: hashed assets for ever, its one page at every address that is not the server's, with
 * the head of what the address names.
 */
export function serveWebClient(app: NestExpressApplication, folder: string, settings: PageSettings): void {
  if (!existsSync(join(folder, 'index.html'))) return;
  app.use('/assets', preferCompressed(join(folder, 'assets')));
  app.useStaticAssets(join(folder, 'assets'), {
    prefix: '/assets',
    immutable: true,
    maxAge: YEAR_MS,
    fallthrough: false,
  });
  app.useStaticAssets(folder, { index: false, maxAge: 3_600_000 });
  const catalogue = {
    packs: app.get(PackReader),
    collections: app.get(CollectionReader),
    ready: app.get(ResponseCache),
  };
  const paints = new ServerRendering(folder, catalogue, settings.playlistUrl);
  app.use(pages(app.get(PageHeads), paints, folder, settings));
}

const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/** Hands out the copies that the build compressed, to browsers that read them. */
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
  heads: PageHeads,
  paints: ServerRendering,
  folder: string,
  { publicUrl, playlistUrl, google }: PageSettings,
): Middleware {
  const settings = [
    ...(playlistUrl ? [`<meta name="offcut-playlist" content="${escaped(playlistUrl)}" />`] : []),
    ...(google ? ['<meta name="offcut-sign-in" content="google" />'] : []),
  ];
  const screens = readScreens(folder);
  return (request, response, next) => {
    const [path = '/', query = ''] = request.originalUrl.split('?', 2);
    const isRead = ['GET', 'HEAD'].includes(request.method ?? '');
    const wantsPage = isRead && /text\/html|\*\/\*/.test(request.headers.accept ?? '*/*');
    if (!wantsPage || SERVER_PATHS.test(path)) return next();
    void (async () => {
      const answer = await headAt(heads, path, new URLSearchParams(query));
      response.setHeader('Cache-Control', 'no-cache');
      if (answer.status === 301) {
        response.statusCode = 301;
        response.setHeader('Location', withRest(answer.path, query));
        response.end();
        return;
      }
      const template = await readFile(join(folder, 'index.html'), 'utf8');
      const paint = answer.status === 200 ? await paints.at(path, new URLSearchParams(query)) : undefined;
      const [listed, picture] = [await screens, pictureOf(answer.head)];
      const tags = paint ? paintTags(path, listed, picture) : firstLoadTags(path, listed, picture);
      const whole = paint ? startLater(template, path, listed) : template;
      const more = [...settings, ...(answer.status === 200 ? tags : [])];
      const html = pageHtml(whole, answer, publicUrl, more, paint);
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

/** A pack's page begins with its cover; elsewhere the picture of the head is small, or not shown at all. */
const pictureOf = ({ kind, imagePath }: PageHead) => (kind.startsWith('music.') ? imagePath : undefined);

/** Where the catalogue does not answer, the client still comes and says so itself. */
async function headAt(heads: PageHeads, path: string, query: URLSearchParams): Promise<PageAnswer> {
  try {
    return await heads.at(path, query);
  } catch (error) {
    new Logger('Pages').warn(`no head for ${path}: ${(error as Error).message}`);
    return { status: 200, head: { title: 'Offcut', description: '', kind: 'website' } };
  }
}

/** The new address with what else the old one asked for. */
function withRest(path: string, query: string): string {
  const [place = path, own = ''] = path.split('?', 2);
  const merged = new URLSearchParams(query);
  for (const [name, value] of new URLSearchParams(own)) merged.set(name, value);
  return merged.size > 0 ? `${place}?${merged}` : place;
}
