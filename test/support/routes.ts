import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, MODULE_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { endpointOf } from '../../adapters/platform/http/endpoint-of.js';
import type { Access, Endpoint } from '../../application/shared/endpoint.js';

export interface Route {
  method: string;
  path: string;
  access: Access | undefined;
}

type Constructor = new (...args: never[]) => object;

/** Returns every route of a controller, from Nest's metadata. */
export function routesOf(controller: Constructor): Route[] {
  const prefixes = [Reflect.getMetadata(PATH_METADATA, controller) ?? ''].flat() as string[];
  const routes: Route[] = [];
  for (const name of Object.getOwnPropertyNames(controller.prototype)) {
    const handler = (controller.prototype as Record<string, object>)[name] as object;
    const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
    if (method === undefined) continue;
    const access = endpointOf({ getHandler: () => handler as never })?.access;
    for (const prefix of prefixes)
      for (const path of [Reflect.getMetadata(PATH_METADATA, handler)].flat() as string[])
        routes.push({
          method: RequestMethod[method] as string,
          path: join('/', prefix, path).replace(/(.)\/$/, '$1'),
          access,
        });
  }
  return routes;
}

const folder = new URL('../../adapters/', import.meta.url);

/** The controllers of files of their own, and those that modules list. */
async function allControllers(): Promise<Constructor[]> {
  const controllers = new Set<Constructor>();
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => /\.(controller|module)\.ts$/.test(name))) {
    const exported = Object.values((await import(new URL(file, folder).href)) as Record<string, unknown>);
    for (const each of exported.filter((value) => typeof value === 'function')) {
      if (Reflect.hasMetadata(PATH_METADATA, each)) controllers.add(each as Constructor);
      const listed = Reflect.getMetadata(MODULE_METADATA.CONTROLLERS, each) as Constructor[] | undefined;
      for (const controller of listed ?? []) controllers.add(controller);
    }
  }
  return [...controllers];
}

/** Returns the routes of all controllers. */
export const allRoutes = async (): Promise<Route[]> => (await allControllers()).flatMap(routesOf);

export function endpointsOf(controller: Constructor): Endpoint[] {
  const methods = Object.values(Object.getOwnPropertyDescriptors(controller.prototype as object));
  return methods.flatMap(({ value }) => {
    const endpoint = typeof value === 'function' && endpointOf({ getHandler: () => value as never });
    return endpoint ? [endpoint] : [];
  });
}

/** Returns the endpoints of all controllers. */
export const allEndpoints = async (): Promise<Endpoint[]> => (await allControllers()).flatMap(endpointsOf);
