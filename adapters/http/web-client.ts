import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';

const SERVER_PATHS = /^\/(api|media|dev|healthz|readyz|metrics)(\/|$)/;
const YEAR_MS = 365 * 86_400_000;

interface PageRequest {
  method: string;
  path: string;
  headers: Record<string, string | undefined>;
}
interface PageResponse {
  setHeader(name: string, value: string): void;
  sendFile(path: string, options: { root: string }): void;
}

/** Serves the built client: hashed assets for ever, its one page at every address that is not the server's. */
export function serveWebClient(app: NestExpressApplication, folder: string): void {
  if (!existsSync(join(folder, 'index.html'))) return;
  app.useStaticAssets(join(folder, 'assets'), {
    prefix: '/assets',
    immutable: true,
    maxAge: YEAR_MS,
    fallthrough: false,
  });
  app.useStaticAssets(folder, { index: false, maxAge: 3_600_000 });
  app.use((request: PageRequest, response: PageResponse, next: () => void) => {
    const wantsPage =
      ['GET', 'HEAD'].includes(request.method) &&
      (request.headers.accept ?? '*/*').match(/text\/html|\*\/\*/);
    if (!wantsPage || SERVER_PATHS.test(request.path)) return next();
    response.setHeader('Cache-Control', 'no-cache');
    response.sendFile('index.html', { root: folder });
  });
}
