import { Controller } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import * as z from 'zod';
import { ProblemFilter } from '../../adapters/platform/http/problem.filter.js';
import { Route, type Call } from '../../adapters/platform/http/route.js';
import { ENDPOINTS } from '../../application/all-endpoints.js';
import { endpoint, usualStatus } from '../../application/shared/endpoint.js';
import { problemsOf } from '../../application/shared/endpoint-problems.js';
import { allEndpoints, endpointsOf } from '../support/routes.js';

const open = { summary: 'Planted', tag: 'Planted', access: 'public' } as const;
const changeThing = endpoint('PUT /things/:thingId/parts/:part.json', {
  ...open,
  params: { thingId: z.string().regex(/^\d+$/) },
  query: z.object({ times: z.coerce.number().int().default(1) }),
  body: z.strictObject({ name: z.string().trim() }),
  answers: { 200: z.object({ said: z.string() }), 202: z.object({ said: z.string() }) },
  status: 200,
  problems: ['Gone'],
});
const removeThing = endpoint('DELETE /things/:thingId', { ...open, answers: { 204: null } });

@Controller()
class Things {
  @Route(changeThing)
  change({ params, query, body, refuse, response }: Call<typeof changeThing>) {
    if (body.name === 'gone') return refuse({ code: 'Gone', since: 'yesterday' });
    if (body.name === 'later') response.statusCode = 202;
    return { said: [params.thingId, params.part, query.times, body.name].join(' ') };
  }

  @Route(removeThing)
  async remove(): Promise<void> {}
}

/** Examples that must not compile. A missing error here means that the contract is too loose. */
export class Broken {
  // @ts-expect-error the answer has no member `said`
  @Route(changeThing)
  wrongAnswer() {
    return { told: 'x' };
  }

  // @ts-expect-error a parameter that the path does not have
  @Route(removeThing)
  wrongInput({ params }: { params: { other: string } }): void {
    void params;
  }

  @Route(removeThing)
  wrongProblem({ refuse }: Call<typeof removeThing>): void {
    // @ts-expect-error a problem that the endpoint does not declare
    refuse({ code: 'Gone' });
  }
}

let app: NestExpressApplication;
let url: string;

beforeAll(async () => {
  const module = await Test.createTestingModule({ controllers: [Things] }).compile();
  app = module.createNestApplication<NestExpressApplication>();
  app.useGlobalFilters(new ProblemFilter());
  await app.listen(0, '127.0.0.1');
  url = await app.getUrl();
});
afterAll(() => app.close());

async function put(path: string, body: unknown) {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url + path, { method: 'PUT', headers, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

it('[API-60] a contract makes the route: path, query and body arrive as their schemas make them', async () => {
  expect(await put('/things/7/parts/lid.json?times=3', { name: ' a ' })).toEqual({
    status: 200,
    body: { said: '7 lid 3 a' },
  });
  expect((await put('/things/7/parts/lid.json', { name: 'later' })).status).toBe(202);
  expect((await fetch(`${url}/things/7`, { method: 'DELETE' })).status).toBe(204);
});

it.each([
  ['/things/x/parts/lid.json', { name: 'a' }, 'thingId'],
  ['/things/7/parts/lid.json?times=often', { name: 'a' }, 'times'],
  ['/things/7/parts/lid.json', { name: 7 }, 'name'],
  ['/things/7/parts/%00.json', { name: 'a' }, 'part'],
])('[API-60] what its schemas do not take is refused: %s %j', async (path, body, wrong) => {
  const answer = await put(path, body);
  expect(answer).toMatchObject({ status: 400, body: { code: 'InvalidRequest', errors: [{ path: wrong }] } });
});

it('[API-60] refuses with the problems that it declares', async () => {
  const { status, body } = await put('/things/7/parts/lid.json', { name: 'gone' });
  expect([status, body.code, body.since]).toEqual([410, 'Gone', 'yesterday']);
  expect(problemsOf(changeThing)).toEqual(
    expect.arrayContaining(['Gone', 'InvalidRequest', 'PayloadTooLarge']),
  );
  expect(problemsOf(removeThing)).not.toContain('PayloadTooLarge');
});

it('a contract that answers in several ways names the usual one', () => {
  const answers = { 200: null, 201: null };
  expect(() => usualStatus(endpoint('POST /x', { ...open, answers }))).toThrow('names no usual one');
});

it('[API-60] every declared endpoint is mounted once', async () => {
  const keys = (await allEndpoints()).map(({ key }) => key);
  expect(keys.toSorted()).toEqual(ENDPOINTS.map(({ key }) => key).toSorted());
  expect(endpointsOf(Things)).toEqual([changeThing, removeThing]);
});
