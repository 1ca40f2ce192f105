import { readFileSync } from 'node:fs';
import { expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import * as z from 'zod';
import { describeApi } from '../../adapters/platform/http/description/describe-api.js';
import { exampleOf } from '../../adapters/platform/http/description/example.js';
import { mountOpenApi } from '../../adapters/platform/http/description/openapi.js';
import type { Middleware } from '../../adapters/platform/http/middleware.js';
import { CONTRACTS, ENDPOINTS } from '../../application/all-endpoints.js';
import { problemsOf } from '../../application/shared/endpoint-problems.js';
import { isRawAnswer, isRawBody } from '../../application/shared/endpoint.js';

interface Response {
  description: string;
  headers?: Record<string, object>;
  content?: Record<string, { schema: object }>;
}

interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  deprecated?: boolean;
  tags?: string[];
  security?: object[];
  parameters: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: { content: Record<string, { schema?: object }> };
  responses: Record<string, Response & { $ref?: string }>;
}

const text = JSON.stringify(describeApi(CONTRACTS));
const api = JSON.parse(text) as {
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: Record<'schemas' | 'securitySchemes', Record<string, object>> & {
    responses: Record<string, Response>;
  };
};
const resolved = (response: Response & { $ref?: string }): Response =>
  response.$ref
    ? (api.components.responses[response.$ref.split('/').at(-1) as string] as Response)
    : response;
const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { responses, ...operation }]) => ({
    path,
    method,
    operation: {
      ...operation,
      responses: Object.fromEntries(
        Object.entries(responses).map(([status, one]) => [status, resolved(one)]),
      ),
    },
  })),
);

it('[API-61] docs/openapi.json is what the contracts say; `npm run openapi` writes it', () => {
  expect(JSON.parse(readFileSync('docs/openapi.json', 'utf8'))).toEqual(api);
});

it('[API-61] every operation has one name, a summary, a known tag, security, and says how it refuses', () => {
  const names = operations.map(({ operation }) => operation.operationId);
  expect(new Set(names).size).toBe(names.length);
  const faults = operations.flatMap(({ path, method, operation }) => {
    const { operationId = '', summary = '', tags = [], security, responses } = operation;
    const said = `${method} ${path}`;
    return [
      ...(/^(?!get[A-Z]|post[A-Z]|put[A-Z]|patch[A-Z])[a-z][A-Za-z0-9]+$/.test(operationId)
        ? []
        : [`${said}: operationId ${operationId}`]),
      ...(/^[A-Z][a-z]*s (?!.*\. ).*[^.]$/.test(summary) ? [] : [`${said}: summary ${summary}`]),
      ...(tags.every((tag) => api.tags.some(({ name }) => name === tag)) ? [] : [`${said}: tags`]),
      ...(security ? [] : [`${said}: security`]),
      ...(Object.keys(responses).some((status) => /^[23]/.test(status)) ? [] : [`${said}: no success`]),
      ...(responses['500']?.content?.['application/problem+json'] ? [] : [`${said}: no 500`]),
      ...Object.entries(responses).flatMap(([status, { description, content }]) => [
        ...(description ? [] : [`${said} ${status}: description`]),
        ...(status < '400' || content?.['application/problem+json'] ? [] : [`${said} ${status}: problem`]),
      ]),
    ];
  });
  expect(faults).toEqual([]);
});

it('[API-61] parameters of a path are declared, required headers too, and no two paths are the same', () => {
  const faults = operations.flatMap(({ path, method, operation: { parameters } }) => {
    const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
    const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const names = parameters.map(({ name, in: place }) => `${place} ${name}`);
    return [
      ...(inPath.join() === wanted.join() ? [] : [`${method} ${path}: ${inPath.join()}`]),
      ...(new Set(names).size === names.length ? [] : [`${method} ${path}: ${names.join()}`]),
    ];
  });
  expect(faults).toEqual([]);
  const alike = Object.keys(api.paths).map((path) => path.replaceAll(/\{\w+\}/g, '{}'));
  expect(new Set(alike).size).toBe(alike.length);
  const keyed = operations.filter(({ operation }) =>
    operation.parameters.some(({ name, required }) => name === 'Idempotency-Key' && required),
  );
  expect(keyed).toHaveLength(ENDPOINTS.filter(({ idempotent }) => idempotent).length);
});

it('[API-61] every reference leads to a schema, and every security scheme is there', () => {
  const named = [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
    ([, name]) => name as string,
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((name) => !Object.hasOwn(api.components.schemas, name))).toEqual([]);
  expect(text).not.toContain('$defs');
  const schemes = operations.flatMap(({ operation }) => (operation.security ?? []).flatMap(Object.keys));
  expect([...new Set(schemes)].toSorted()).toEqual(Object.keys(api.components.securitySchemes).toSorted());
});

it('[API-61] every code with which an endpoint refuses is in its description', () => {
  for (const endpoint of ENDPOINTS.filter(({ undescribed }) => !undescribed)) {
    const path = endpoint.path.replaceAll(/[:*](\w+)/g, '{$1}');
    const method = endpoint.method.toLowerCase();
    const found = operations.find((one) => one.path === path && one.method === method);
    const responses = JSON.stringify(found?.operation.responses);
    expect(problemsOf(endpoint).filter((code) => !responses.includes(`schemas/Problem.${code}"`))).toEqual(
      [],
    );
  }
});

it('[API-61] examples of bodies and answers are what their schemas take', () => {
  const faults = ENDPOINTS.flatMap(({ key, body, answers }) => {
    const answered = Object.entries(answers).flatMap(([status, answer]) =>
      answer && !isRawAnswer(answer) ? [[`${key} ${status}`, answer, 'output'] as const] : [],
    );
    const taken = body && !isRawBody(body) ? [[`${key} body`, body, 'input'] as const] : [];
    return [...answered, ...taken].flatMap(([what, schema, io]) => {
      const example = exampleOf(z.toJSONSchema(schema, { io, unrepresentable: 'any' }));
      const issues = schema.safeParse(example).error?.issues ?? [];
      return issues.map(({ path, message }) => `${what} ${path.join('.')}: ${message}`);
    });
  });
  expect(faults).toEqual([]);
});

const found = (id: string) => operations.find(({ operation }) => operation.operationId === id)?.operation;

it('[API-761] an operation has the name of its endpoint, and its filters are optional', () => {
  const search = found('searchSamples');
  expect(search?.parameters.filter(({ required }) => required)).toEqual([]);
  const names = search?.parameters.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['mood', 'genre', 'instrument', 'origin', 'cursor']));
  expect(found('swipe')?.parameters.find(({ name }) => name === 'exclude')?.required).toBe(false);
  expect(found('findInBooks')?.parameters.find(({ name }) => name === 'q')?.required).toBe(true);
  expect(found('endSplit')).toMatchObject({
    summary: 'Ends a split, or withdraws its proposal',
    description: 'The collaborator keeps what was earned.',
  });
});

it('[API-761] operations that only earlier clients use are deprecated', () => {
  const deprecated = operations.filter(({ operation }) => operation.deprecated);
  expect(deprecated.map(({ operation }) => operation.operationId)).toEqual([
    'purchaseSample',
    'importDownloads',
    'listImportedDownloads',
    'importSaved',
    'deletePackBySlug',
    'listFolder',
    'readObject',
  ]);
});

it('[API-761] headers that a program reads are declared: Retry-After, RateLimit, Location', () => {
  const headers = operations.flatMap(({ operation: { operationId, responses } }) =>
    Object.entries(responses).map(([status, response]) => ({
      at: `${operationId} ${status}`,
      status,
      names: Object.keys(response.headers ?? {}),
    })),
  );
  const lacking = (statuses: RegExp, ...wanted: string[]) =>
    headers.filter(
      ({ status, names }) => statuses.test(status) && !wanted.every((each) => names.includes(each)),
    );
  expect(lacking(/^(429|503)$/, 'Retry-After')).toEqual([]);
  expect(lacking(/^429$/, 'RateLimit', 'RateLimit-Policy')).toEqual([]);
  expect(lacking(/^30[1237]$/, 'Location')).toEqual([]);
  expect(headers.filter(({ names }) => names.includes('Location')).length).toBeGreaterThan(4);
});

it('[API-61] a description has two minutes, because busy machines make it last; the next request tries again', async () => {
  const routes = new Map<string, Middleware>();
  const express = { get: (path: string, answer: Middleware) => routes.set(path, answer) };
  const app = { getHttpAdapter: () => ({ getInstance: () => express }), useStaticAssets: () => {} };
  mountOpenApi(app as unknown as NestExpressApplication);
  const asked = async (passedMs: number) => {
    const response = { statusCode: 200, setHeader: () => {}, removeHeader: () => {}, end: () => {} };
    const ended = new Promise<void>((resolve) => (response.end = resolve));
    const timers = jest.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms: number) => {
      if (ms <= passedMs) setImmediate(run);
      return setImmediate(() => {});
    }) as unknown as typeof setTimeout);
    routes.get('/api/openapi.json')?.(
      { headers: {} } as Parameters<Middleware>[0],
      response as unknown as Parameters<Middleware>[1],
      () => {},
    );
    timers.mockRestore();
    await ended;
    return response.statusCode;
  };
  const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  expect(await asked(120_000)).toBe(503);
  expect(logged).toHaveBeenCalledWith('the API was not described: no description after 120 s');
  logged.mockRestore();
  expect(await asked(119_000)).toBe(200);
});
