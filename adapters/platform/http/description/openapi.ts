import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { Middleware } from '../middleware.js';
import { ProblemException } from '../problem-exception.js';
import { answerProblem } from '../problem.filter.js';
import { DrawnDescription } from './drawn-description.js';

const KINDS = { json: 'application/json; charset=utf-8', yaml: 'text/yaml; charset=utf-8' } as const;

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
  SwaggerModule.setup('api/docs', app, () => undefined as unknown as OpenAPIObject, {
    raw: false,
    swaggerUrl: '/api/openapi.json',
    customSiteTitle: 'Offcut API',
  });
}
