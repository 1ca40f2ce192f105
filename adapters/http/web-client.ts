import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { PageHeads, type PageAnswer } from '../../application/catalogue/page-heads.js';
import type { Middleware } from './middleware.js';
import { pageHtml } from './page-html.js';

const SERVER_PATHS = /^\/(api|media|dev|healthz|readyz|metrics|robots\.txt|sitemap\.xml)(\/|$)/;
const YEAR_MS = 365 * 86_400_000;

/**
 * Serves the built client: hashed assets for ever, its one page at every address that is not the server's, with
 * the head of what the address names.
 */
export function serveWebClient(
  app: NestExpressApplication,
  folder: string,
  { publicUrl }: { publicUrl: string },
): void {
  if (!existsSync(join(folder, 'index.html'))) return;
  app.useStaticAssets(join(folder, 'assets'), {
    prefix: '/assets',
    immutable: true,
    maxAge: YEAR_MS,
    fallthrough: false,
  });
  app.useStaticAssets(folder, { index: false, maxAge: 3_600_000 });
  app.use(pages(app.get(PageHeads, { strict: false }), join(folder, 'index.html'), publicUrl));
}

function pages(heads: PageHeads, file: string, publicUrl: string): Middleware {
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
      const html = pageHtml(await readFile(file, 'utf8'), answer, publicUrl);
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
