import { ModulesContainer } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import { describeApi } from './describe-api.js';
import { endpointsOf } from '../endpoint-of.js';

type Constructor = new (...args: never[]) => object;

/** The description of every mounted endpoint, drawn from the contracts: `/api/openapi.json`, shown at `/api/docs`. */
export function mountOpenApi(app: NestExpressApplication): void {
  const mounted = () =>
    [...app.get(ModulesContainer).values()]
      .flatMap(({ controllers }) => [...controllers.values()])
      .flatMap(({ metatype }) => endpointsOf(metatype as Constructor));
  SwaggerModule.setup('api/docs', app, () => describeApi(mounted()), {
    jsonDocumentUrl: 'api/openapi.json',
    yamlDocumentUrl: 'api/openapi.yaml',
    customSiteTitle: 'Offcut API',
  });
}
