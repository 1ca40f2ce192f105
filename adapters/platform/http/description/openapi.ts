import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Middleware } from '../middleware.js';
import { ProblemException } from '../request.js';
import { answerProblem } from '../problem.filter.js';
import { Worker } from 'node:worker_threads';
import type { Drawing } from './draw-thread.js';
import { problemsPage } from './problems-page.js';

const KINDS = { json: 'application/json; charset=utf-8', yaml: 'text/yaml; charset=utf-8' } as const;

/** Folder of the Swagger UI. Importing the package as a module would make every process parse it at its start. */
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
/** Served as a file of its own, because the content security policy forbids inline scripts. */
const START = `SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#api', deepLinking: true });`;

/** Serves the description of every endpoint, created from the contracts, at `/api/openapi.json` and `/api/docs`, and its problems at `/api/problems`. */
export function mountOpenApi(app: NestExpressApplication): void {
  let drawn: Promise<Drawing> | undefined;
  /** The first request creates the description, which takes a second. After a failure the next request tries again. */
  const description = () =>
    (drawn ??= draw().catch((error: unknown) => {
      drawn = undefined;
      throw error;
    }));
  const log = new Logger('OpenApi');
  const express = app.getHttpAdapter().getInstance() as { get(path: string, answer: Middleware): void };
  for (const [kind, mediaType] of Object.entries(KINDS) as [keyof typeof KINDS, string][])
    express.get(`/api/openapi.${kind}`, (request, response) => {
      description().then(
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
  let problems: string | undefined;
  express.get('/api/problems', (_, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end((problems ??= problemsPage()));
  });
  express.get('/api/docs/start.js', (_, response) => {
    response.setHeader('Content-Type', 'text/javascript; charset=utf-8').end(START);
  });
  app.useStaticAssets(UI, { prefix: '/api/docs/', index: false, redirect: false });
}

/** Long, because the thread has a low priority: on a busy machine it runs last. */
const TIME_LIMIT_MS = 120_000;
const MEMORY_LIMIT_MB = 256;

async function draw(): Promise<Drawing> {
  const isCompiled = import.meta.url.endsWith('.js');
  const entry = isCompiled ? './draw-thread.js' : '../../../vendors/audio/worker-from-source.mjs';
  const thread = new Worker(new URL(entry, import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB },
    env: {},
    execArgv: [],
    workerData: isCompiled ? undefined : { source: new URL('./draw-thread.ts', import.meta.url).href },
  });
  // Let the process stop without waiting for the thread.
  thread.unref();
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Drawing>((resolve, reject) => {
      timer = setTimeout(() => {
        reject(new Error(`no description after ${TIME_LIMIT_MS / 1000} s`));
        void thread.terminate();
      }, TIME_LIMIT_MS).unref();
      thread.once('message', resolve);
      thread.once('error', reject);
      thread.once('exit', () => reject(new Error('the thread that creates the API description ended')));
    });
  } finally {
    clearTimeout(timer);
  }
}
