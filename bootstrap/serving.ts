import { createServer, type RequestListener, type Server } from 'node:http';
import type { Serving } from './settings/http.js';
import { Logger } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { addressOf } from '../adapters/platform/http/request.js';
import { hourly } from '../adapters/platform/observability/hourly.js';

const LOOK_MS = 1_000;

/** Ends connections with slow headers and refuses connections above the limits. */
export function createLimitedServer(serving: Serving, routes: RequestListener): Server {
  const { headersMs, keepAliveMs, connections, connectionsPerAddress } = serving;
  const lookMs = Math.min(LOOK_MS, headersMs / 10);
  const server = createServer(
    {
      connectionsCheckingInterval: lookMs,
      // Node checks for late headers once per interval, so the timeout is one interval shorter.
      headersTimeout: headersMs - lookMs,
      keepAliveTimeout: keepAliveMs,
      // No limit, because an upload may take hours. Other code ends a request whose body pauses too long.
      requestTimeout: 0,
    },
    routes,
  );
  const log = new Logger('Connections');
  const refused = hourly((times) =>
    log.warn(`${times} refused: more than HTTP_MAX_CONNECTIONS, or than HTTP_MAX_CONNECTIONS_PER_ADDRESS`),
  );
  server.maxConnections = connections;
  server.on('drop', refused);
  if (connectionsPerAddress > 0) limitAddresses(server, connectionsPerAddress, refused);
  return server;
}

function limitAddresses(server: Server, most: number, refused: () => void): void {
  const held = new Map<string, number>();
  server.on('connection', (socket) => {
    const address = addressOf({ ip: socket.remoteAddress });
    const now = (held.get(address) ?? 0) + 1;
    held.set(address, now);
    socket.once('close', () => {
      const left = (held.get(address) ?? 1) - 1;
      if (left > 0) held.set(address, left);
      else held.delete(address);
    });
    if (now <= most) return;
    refused();
    socket.destroy();
  });
}

export class LimitedExpress extends ExpressAdapter {
  constructor(private readonly serving: Serving) {
    super();
  }

  override initHttpServer(): void {
    this.httpServer = createLimitedServer(this.serving, this.getInstance() as RequestListener);
  }
}

export function ownUrl({ host }: Serving, port: number): string {
  const address = ['0.0.0.0', '::', 'localhost'].includes(host) ? '127.0.0.1' : host;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

const OPERATIONS = new Set(['/healthz', '/readyz', '/metrics']);

export function createOperationsServer(serving: Serving, routes: RequestListener): Server {
  return createLimitedServer(serving, (request, response) => {
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

export async function closeServer(server: Server, limitMs: number): Promise<void> {
  // Connections become idle when their request ends, and would otherwise stay open for their keep-alive time.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_LOOK_MS);
  const limit = setTimeout(() => server.closeAllConnections(), limitMs);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearInterval(idle);
  clearTimeout(limit);
}
