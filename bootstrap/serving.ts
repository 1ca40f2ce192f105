import { createServer, type RequestListener, type Server } from 'node:http';
import * as z from 'zod';

const duration = z.coerce.number().int().min(0).max(3_600_000);
const ms = (usual: number) => duration.default(usual);

/** How the server takes requests, and how it lets the last ones finish. */
export const SERVING_ENVIRONMENT = {
  /** The network has no access unless a setting grants it. */
  HOST: z.string().min(1).default('127.0.0.1'),
  // Longer than load balancers keep an idle connection, commonly 60 s, so that each of theirs still works.
  HTTP_KEEP_ALIVE_MS: ms(75_000),
  HTTP_HEADERS_TIMEOUT_MS: ms(20_000),
  HTTP_SILENCE_TIMEOUT_MS: ms(30_000),
  SHUTDOWN_DELAY_MS: duration.optional(),
  SHUTDOWN_LIMIT_MS: ms(20_000),
} as const;

export interface Serving {
  /** The address or name to listen on. */
  host: string;
  /** How long an idle connection is kept. */
  keepAliveMs: number;
  /** The time in which a request's head must arrive. */
  headersMs: number;
  /** The time after which a request is ended if its body brings no byte. */
  silenceMs: number;
  /** How long the server keeps listening after it reported that it is no longer ready. */
  shutdownDelayMs: number;
  /** How long running requests may take after that. */
  shutdownLimitMs: number;
}

/** A load balancer that asks every two seconds has asked twice by then. */
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

/** Limits that a server gets before it listens. */
export function limitServer(server: Server, { keepAliveMs, headersMs }: Serving): void {
  server.keepAliveTimeout = keepAliveMs;
  server.headersTimeout = headersMs;
  // An upload may take hours while it progresses; a silent body is ended elsewhere.
  server.requestTimeout = 0;
}

/** The address at which this process reaches itself. */
export function ownUrl({ host }: Serving, port: number): string {
  const address = ['0.0.0.0', '::', 'localhost'].includes(host) ? '127.0.0.1' : host;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

const OPERATIONS = new Set(['/healthz', '/readyz', '/metrics']);

/** The answers of a worker: whether it lives, whether it is ready, and its metrics. */
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

/** Takes no more connections, lets running requests finish, and cuts those that exceed the limit. */
export async function closeServer(server: Server, limitMs: number): Promise<void> {
  // A connection that a running request leaves behind would be kept as long as any idle one.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_LOOK_MS);
  const limit = setTimeout(() => server.closeAllConnections(), limitMs);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearInterval(idle);
  clearTimeout(limit);
}
