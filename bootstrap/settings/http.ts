import * as z from 'zod';
import { timeout, url, type Values } from './fields.js';

const duration = z.coerce.number().int().min(0).max(3_600_000);
const ms = (usual: number) => duration.default(usual);

/** Where it listens, how it takes requests, and how it lets the last ones finish. */
export const SERVING = {
  /** The network has no access unless a setting grants it. */
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  PUBLIC_URL: url.optional(),
  TRUST_PROXY: z.coerce.number().int().min(0).max(10).default(0),
  RATE_LIMIT_SCALE: z.coerce.number().int().min(1).max(1_000_000).default(1),
  PURCHASE_TIMEOUT_MS: timeout(8_000),
  SESSION_MEMORY_MS: z.coerce.number().int().min(0).max(10_000).default(1_000),
  // Longer than load balancers keep an idle connection, commonly 60 s, so that each of theirs still works.
  HTTP_KEEP_ALIVE_MS: ms(75_000),
  HTTP_HEADERS_TIMEOUT_MS: timeout(20_000),
  HTTP_SILENCE_TIMEOUT_MS: ms(30_000),
  // Each needs a file of the process and some 20 kB.
  HTTP_MAX_CONNECTIONS: z.coerce.number().int().min(1).max(1_000_000).default(10_000),
  HTTP_MAX_CONNECTIONS_PER_ADDRESS: z.coerce.number().int().min(0).max(1_000_000).optional(),
  SHUTDOWN_DELAY_MS: duration.optional(),
  SHUTDOWN_LIMIT_MS: ms(20_000),
};

export interface Serving {
  /** The address or name to listen on. */
  host: string;
  /** How long an idle connection is kept. */
  keepAliveMs: number;
  /** The time in which a request's head must arrive. */
  headersMs: number;
  /** How many connections it holds, and how many of them from one address; 0: as many as there are. */
  connections: number;
  connectionsPerAddress: number;
  /** The time after which a request is ended if its body brings no byte. */
  silenceMs: number;
  /** How long the server keeps listening after it reported that it is no longer ready. */
  shutdownDelayMs: number;
  /** How long running requests may take after that. */
  shutdownLimitMs: number;
}

export interface ServingConfig {
  port: number;
  serving: Serving;
  publicUrl: string;
  /** How many proxies in front are ours; 0 ignores `X-Forwarded-For`. */
  trustProxyHops: number;
  /** Multiplies every limit on attempts, for load tests. */
  rateLimitScale: number;
  /** How long somebody who buys waits for an answer. */
  purchaseTimeoutMs: number;
  /** How long it is remembered whose a session is; 0 asks with every request. */
  sessionMemoryMs: number;
}

/** A house of a thousand people shares one. */
const CONNECTIONS_PER_ADDRESS = 1_000;
/** A load balancer that asks every two seconds has asked twice by then. */
const PRODUCTION_DELAY_MS = 5_000;

export const servingConfig = (value: Values<typeof SERVING>, production: boolean): ServingConfig => ({
  port: value.PORT,
  serving: {
    host: value.HOST,
    keepAliveMs: value.HTTP_KEEP_ALIVE_MS,
    headersMs: value.HTTP_HEADERS_TIMEOUT_MS,
    connections: value.HTTP_MAX_CONNECTIONS,
    // Behind a balancer all of them come from its address.
    connectionsPerAddress:
      value.HTTP_MAX_CONNECTIONS_PER_ADDRESS ?? (value.TRUST_PROXY > 0 ? 0 : CONNECTIONS_PER_ADDRESS),
    silenceMs: value.HTTP_SILENCE_TIMEOUT_MS,
    shutdownDelayMs: value.SHUTDOWN_DELAY_MS ?? (production ? PRODUCTION_DELAY_MS : 0),
    shutdownLimitMs: value.SHUTDOWN_LIMIT_MS,
  },
  publicUrl: (value.PUBLIC_URL ?? `http://localhost:${value.PORT}`).replace(/\/$/, ''),
  trustProxyHops: value.TRUST_PROXY,
  rateLimitScale: value.RATE_LIMIT_SCALE,
  purchaseTimeoutMs: value.PURCHASE_TIMEOUT_MS,
  sessionMemoryMs: value.SESSION_MEMORY_MS,
});
