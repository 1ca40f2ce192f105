import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { beforeAll, expect, it } from '@jest/globals';
import { setEndpoint } from '../../adapters/platform/http/endpoint-of.js';
import { endpoint } from '../../application/shared/endpoint.js';
import { allRoutes, routesOf, type Route } from '../support/routes.js';

let routes: Route[] = [];

beforeAll(async () => {
  routes = await allRoutes();
});

it('every route declares who may call it', () => {
  expect(routes.length).toBeGreaterThan(20);
  expect(routes.filter(({ access }) => access === undefined)).toEqual([]);
});

it('a route that declares nobody would be noticed', () => {
  class Forgetful {
    open() {}
    closed() {}
  }
  Reflect.defineMetadata(PATH_METADATA, 'api/forgetful', Forgetful);
  for (const handler of [Forgetful.prototype.open, Forgetful.prototype.closed]) {
    Reflect.defineMetadata(METHOD_METADATA, RequestMethod.GET, handler);
    Reflect.defineMetadata(PATH_METADATA, handler.name, handler);
  }
  const closed = { summary: 'x', tag: 'x', access: 'user', answers: { 200: null } } as const;
  setEndpoint(Forgetful.prototype.closed, endpoint('GET /api/forgetful/closed', closed));
  expect(routesOf(Forgetful)).toEqual([
    { method: 'GET', path: '/api/forgetful/open', access: undefined },
    { method: 'GET', path: '/api/forgetful/closed', access: 'user' },
  ]);
});

/**
 * Routes with which visitors may change something: signing in and out, proving an address, checking a
 * certificate, searching by a sound, asking for a missing part, complaining, reporting a crash.
 */
const OPEN_TO_VISITORS = [
  /^\/api\/auth\/(sign-up|sign-in|sign-out|refresh|verify-email|undo-email|password\/(forgot|reset)|(second-factor|passkey)(\/options)?)$/,
  /^\/api\/certificates\/verify$/,
  /^\/api\/samples\/by-sound$/,
  /^\/api\/workbenches\/suggestions$/,
  /^\/api\/mailing-list/,
  /^\/api\/complaints(\/:id\/(confirm|withdraw))?$/,
  /^\/api\/withdrawals$/,
  /^\/api\/crashes$/,
];

it('[ROLE-01] visitors change nothing else: saving, downloading, paying and creating need a session', () => {
  const open = routes.filter(
    ({ method, path, access }) =>
      access === 'public' && method !== 'GET' && !OPEN_TO_VISITORS.some((pattern) => pattern.test(path)),
  );
  expect(open).toEqual([]);
});

it('[ROLE-04] finance and administration routes need their roles', () => {
  const loose = routes.filter(
    ({ path, access }) =>
      (path.startsWith('/api/finance/') && access !== 'finance') ||
      (path.startsWith('/api/admin/') && access !== 'admin'),
  );
  expect(loose).toEqual([]);
});
