import * as library from './library/endpoints.js';
import * as purchases from './purchases/endpoints.js';
import type { Endpoint } from './shared/endpoint.js';

/** The contracts of all contexts; the client takes their types from here. */
export const CONTRACTS = [library, purchases] as const;

/** Every endpoint there is. */
export const ENDPOINTS: readonly Endpoint[] = CONTRACTS.flatMap((contract): Endpoint[] =>
  Object.values(contract),
);
