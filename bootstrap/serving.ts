import { createServer, type RequestListener, type Server } from 'node:http';
import * as z from 'zod';

const duration = z.coerce.number().int().min(0).max(3_600_000);
const ms = (usual: number) => duration.default(usual);

/** How requests come in, and how the last ones are let finish. */
export const SERVING_ENVIRONMENT = {
  /** Not the network's business unless somebody says so. */
  HOST: z.string().min(1).default('127.0.0.1'),
  // Longer than balancers keep an idle connection, commonly 60 s: they may then use each that they have.
  HTTP_KEEP_ALIVE_MS: ms(75_000),
  HTTP_HEADERS_TIMEOUT_MS: ms(20_000),
  HTTP_SILENCE_TIMEOUT_MS: ms(30_000),
  SHUTDOWN_DELAY_MS: duration.optional(),
  SHUTDOWN_LIMIT_MS: ms(20_000),
} as const;

export interface Serving {
  /** Where it listens: an address or a name of this machine. */
  host: string;
  /** An idle connection is kept so long. */
  keepAliveMs: number;
  /** A request's head arrives within this. */
  headersMs: number;
  /** A request whose body brings no byte for so long is ended. */
  silenceMs: number;
  /** How long it goes on listening after it said that it is no longer ready. */
  shutdownDelayMs: number;
  /** How long running requests may take after that. */
  shutdownLimitMs: number;
}

/** A balancer that asks every two seconds has heard twice by then that this node is going. */
const PRODUCTION_DELAY_MS = 5_000;

const Parsed = z.object(SERVING_ENVIRONMENT);

export const servingOf = (value: z.infer<typeof Parsed>, production: boolean): Serving => ({
  host: value.HOST,
  keepAliveMs: value.HTTP_KEEP_ALIVE_MS,
  headersMs: value.HTTP_HEADERS_TIMEOUT_MS,
  silenceMs: value.HTTP_SILENCE_TIMEOUT_MS,
  shutdownDelayMs: value.SHUTDOWN_DELAY_MS ?? (production ? PRODUCTION_DELAY_MS : 0),
  shutdownLimitMs: value.SHUTDOWN_LIMIT_MS,
});

/** What is said of a server before it listens. */
export function limitServer(server: Server, { keepAliveMs, headersMs }: Serving): void {
  server.keepAliveTimeout = keepAliveMs;
  server.headersTimeout = headersMs;
  // An upload may last for hours as long as it progresses; a body that falls silent is ended elsewhere.
  server.requestTimeout = 0;
}

/** Where this process finds itself. */
export function ownUrl({ host }: Serving, port: number): string {
  const address = ['0.0.0.0', '::', 'localhost'].includes(host) ? '127.0.0.1' : host;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

const OPERATIONS = new Set(['/healthz', '/readyz', '/metrics']);

/** What a worker answers: whether it lives, whether it is ready, what it measures. */
export function createOperationsServer(routes: RequestListener): Server {
  return createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    if (OPERATIONS.has(path)) return routes(request, response);
    response.writeHead(404, { 'Content-Type': 'text/plain' }).end('This is a worker.\n');
  });
}

export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

const IDLE_LOOK_MS = 50;

/** Takes no more connections and lets the requests that run finish; what has not by then is cut. */
export async function closeServer(server: Server, limitMs: number): Promise<void> {
  // A connection that a running request leaves behind would be kept as long as any idle one.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_LOOK_MS);
  const limit = setTimeout(() => server.closeAllConnections(), limitMs);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearInterval(idle);
  clearTimeout(limit);
}
