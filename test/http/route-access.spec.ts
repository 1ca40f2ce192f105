import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { beforeAll, expect, it } from '@jest/globals';
import { ACCESS, type Access } from '../../adapters/http/access.js';

interface Route {
  method: string;
  path: string;
  access: Access | undefined;
}

type Constructor = new (...args: never[]) => object;

/** Every route of a controller, as Nest's own metadata says. */
function routesOf(controller: Constructor): Route[] {
  const prefixes = [Reflect.getMetadata(PATH_METADATA, controller) ?? ''].flat() as string[];
  const routes: Route[] = [];
  for (const name of Object.getOwnPropertyNames(controller.prototype)) {
    const handler = (controller.prototype as Record<string, object>)[name] as object;
    const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
    if (method === undefined) continue;
    const access = (Reflect.getMetadata(ACCESS, handler) ?? Reflect.getMetadata(ACCESS, controller)) as
      Access | undefined;
    for (const prefix of prefixes)
      for (const path of [Reflect.getMetadata(PATH_METADATA, handler)].flat() as string[])
        routes.push({ method: RequestMethod[method] as string, path: join('/', prefix, path), access });
  }
  return routes;
}

const folder = new URL('../../adapters/http/', import.meta.url);
let routes: Route[] = [];

beforeAll(async () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.controller.ts'))) {
    const module = (await import(new URL(file, folder).href)) as Record<string, unknown>;
    for (const exported of Object.values(module))
      if (typeof exported === 'function' && Reflect.hasMetadata(PATH_METADATA, exported))
        routes.push(...routesOf(exported as Constructor));
  }
  routes = routes.filter(({ path }) => path !== undefined);
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
  Reflect.defineMetadata(ACCESS, 'user', Forgetful.prototype.closed);
  expect(routesOf(Forgetful)).toEqual([
    { method: 'GET', path: '/api/forgetful/open', access: undefined },
    { method: 'GET', path: '/api/forgetful/closed', access: 'user' },
  ]);
});

/** What visitors may change: signing in and out, proving an address, checking a certificate. */
const OPEN_TO_VISITORS = [
  /^\/api\/auth\/(sign-up|sign-in|sign-out|refresh|verify-email|password\/(forgot|reset))$/,
  /^\/api\/certificates\/verify$/,
  /^\/api\/mailing-list/,
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
