import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Middleware } from '../middleware.js';
import { ProblemException } from '../problem-exception.js';
import { answerProblem } from '../problem.filter.js';
import { DrawnDescription } from './drawn-description.js';

const KINDS = { json: 'application/json; charset=utf-8', yaml: 'text/yaml; charset=utf-8' } as const;

/** Only its files are served. Its module would be parsed at the start of each process. */
const UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Offcut API</title>
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
<main id="api"></main>
<script src="/api/docs/swagger-ui-bundle.js"></script>
<script src="/api/docs/start.js"></script>
</html>
`;
/** A file of its own, because the policy of the pages forbids inline scripts. */
const START = `SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#api', deepLinking: true });`;

/** Serves the description of every endpoint, created from the contracts, at `/api/openapi.json` and `/api/docs`. */
export function mountOpenApi(app: NestExpressApplication): void {
  const description = new DrawnDescription();
  const log = new Logger('OpenApi');
  const express = app.getHttpAdapter().getInstance() as { get(path: string, answer: Middleware): void };
  for (const [kind, mediaType] of Object.entries(KINDS) as [keyof typeof KINDS, string][])
    express.get(`/api/openapi.${kind}`, (request, response) => {
      description.get().then(
        (drawing) => {
          const accepted = String(request.headers['accept-encoding'] ?? '');
          const packing = (['br', 'gzip'] as const).find((each) => accepted.includes(each));
          response.setHeader('Content-Type', mediaType);
          response.setHeader('Vary', 'Accept-Encoding');
          if (packing) response.setHeader('Content-Encoding', packing);
          response.end(drawing[kind][packing ?? 'identity']);
        },
        (error: Error) => {
          log.error(`the API was not described: ${error.message}`);
          answerProblem(request, response, new ProblemException('ServiceUnavailable'));
        },
      );
    });
  // The page fetches the description. Embedding it would create it on the main thread, which serves all requests.
  express.get('/api/docs', (_, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end(PAGE);
  });
  express.get('/api/docs/start.js', (_, response) => {
    response.setHeader('Content-Type', 'text/javascript; charset=utf-8').end(START);
  });
  app.useStaticAssets(UI, { prefix: '/api/docs/', index: false, redirect: false });
}
