import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { PROBLEM_CODES } from './problems.js';

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
  const description = SwaggerModule.createDocument(app, about);
  const refusal = { $ref: '#/components/schemas/Problem' };
  description.components = {
    ...description.components,
    schemas: { ...description.components?.schemas, ...REFUSALS },
  };
  for (const methods of Object.values(description.paths))
    for (const operation of Object.values(methods) as { responses?: Record<string, unknown> }[])
      if (operation.responses)
        operation.responses.default ??= {
          description: 'A refusal',
          content: { 'application/problem+json': { schema: refusal } },
        };
  return description;
}

/** What every refusal looks like, and every code that one can have. */
const REFUSALS = {
  ProblemCode: {
    type: 'string',
    enum: PROBLEM_CODES.map(({ code }) => code),
    description: PROBLEM_CODES.map(({ code, status, title }) => `- \`${code}\` ${status}: ${title}`).join(
      '\n',
    ),
  },
  Problem: {
    type: 'object',
    required: ['type', 'title', 'status', 'code', 'detail'],
    properties: {
      type: { type: 'string', description: '`urn:offcut:problem:` and the code' },
      title: { type: 'string' },
      status: { type: 'integer' },
      code: { $ref: '#/components/schemas/ProblemCode' },
      detail: { type: 'string' },
      errors: {
        type: 'array',
        items: {
          type: 'object',
          required: ['path', 'message'],
          properties: { path: { type: 'string' }, message: { type: 'string' } },
        },
      },
      requestId: { type: 'string' },
    },
  },
} satisfies NonNullable<OpenAPIObject['components']>['schemas'];
