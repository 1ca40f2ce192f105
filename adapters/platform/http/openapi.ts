import { ModulesContainer } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { describeEndpoints } from './describe-endpoints.js';
import { endpointsOf } from './route.js';

/** The description of every mounted route, drawn from the contracts: `/api/openapi.json`, shown at `/api/docs`. */
export function mountOpenApi(app: NestExpressApplication): void {
  SwaggerModule.setup('api/docs', app, () => describeRoutes(app), {
    jsonDocumentUrl: 'api/openapi.json',
    yamlDocumentUrl: 'api/openapi.yaml',
    customSiteTitle: 'Offcut API',
  });
}

function describeRoutes(app: NestExpressApplication): OpenAPIObject {
  const about = new DocumentBuilder()
    .setTitle('Offcut')
    .setDescription(
      'JSON in and out; refusals are application/problem+json with a stable `code`. ' +
        'Amounts are integers with the unit in the name; times are ISO 8601 UTC.',
    )
    .setVersion('1')
    .addCookieAuth('offcut_session')
    .addBearerAuth({ type: 'http', scheme: 'bearer' })
    .build();
  const description = SwaggerModule.createDocument(app, about);
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) =>
    [...module.controllers.values()].map(({ metatype }) => metatype as new (...args: never[]) => object),
  );
  const described = describeEndpoints(
    controllers.flatMap(endpointsOf).filter(({ undescribed }) => !undescribed),
  );
  for (const [path, methods] of Object.entries(described.paths))
    description.paths[path] = { ...description.paths[path], ...methods };
  description.components = {
    ...description.components,
    schemas: { ...description.components?.schemas, ...described.components?.schemas },
  };
  return description;
}
