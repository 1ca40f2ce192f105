import type { ExecutionContext } from '@nestjs/common';
import type { Endpoint } from '../../../application/shared/endpoint.js';

const endpoints = new WeakMap<object, Endpoint>();

export const setEndpoint = (handler: object, endpoint: Endpoint): void =>
  void endpoints.set(handler, endpoint);

/** Returns the endpoint of a request; undefined if the handler declares none, which is a programming error. */
export const endpointOf = (context: Pick<ExecutionContext, 'getHandler'>): Endpoint | undefined =>
  endpoints.get(context.getHandler());
