import type { ExecutionContext } from '@nestjs/common';
import type { DiscoveryService } from '@nestjs/core';
import type { BodyKind, Endpoint } from '../../../application/shared/endpoint.js';

export const MEDIA_TYPES: Partial<Record<BodyKind, string>> = {
  json: 'application/json',
  csv: 'text/csv',
  multipart: 'multipart/form-data',
};

const endpoints = new WeakMap<object, Endpoint>();

export const setEndpoint = (handler: object, endpoint: Endpoint): void =>
  void endpoints.set(handler, endpoint);

export const endpointOf = (context: Pick<ExecutionContext, 'getHandler'>): Endpoint | undefined =>
  endpoints.get(context.getHandler());

export function handlersIn(
  discovery: Pick<DiscoveryService, 'getControllers'>,
): ReadonlyMap<string, { endpoint: Endpoint; handle: (call: object) => unknown }> {
  return new Map(
    discovery.getControllers().flatMap(({ instance }) =>
      Object.values(
        instance ? Object.getOwnPropertyDescriptors(Object.getPrototypeOf(instance)) : {},
      ).flatMap(({ value }) => {
        const endpoint = typeof value === 'function' ? endpoints.get(value) : undefined;
        return endpoint ? [[endpoint.key, { endpoint, handle: value.bind(instance) }] as const] : [];
      }),
    ),
  );
}
