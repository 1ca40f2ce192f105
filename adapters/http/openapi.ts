import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';

/** The description of every mounted route, drawn from the contracts: `/api/openapi.json`, shown at `/api/docs`. */
export function mountOpenApi(app: NestExpressApplication): void {
  SwaggerModule.setup('api/docs', app, () => describeRoutes(app), {
    jsonDocumentUrl: 'api/openapi.json',
    yamlDocumentUrl: 'api/openapi.yaml',
    customSiteTitle: 'Offcut API',
  });
}

export function describeRoutes(app: NestExpressApplication): OpenAPIObject {
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
  return SwaggerModule.createDocument(app, about);
}
