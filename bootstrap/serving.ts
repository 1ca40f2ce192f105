import type { RequestListener, Server } from 'node:http';
import { createLimitedServer } from './limited-server.js';
import type { Serving } from './settings/http.js';

/** Returns the address at which this process reaches itself. */
export function ownUrl({ host }: Serving, port: number): string {
  const address = ['0.0.0.0', '::', 'localhost'].includes(host) ? '127.0.0.1' : host;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

const OPERATIONS = new Set(['/healthz', '/readyz', '/metrics']);

/** Creates the server of a worker, with only its health, readiness and metrics. */
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

/** Stops accepting connections, lets running requests finish, and ends those that exceed the limit. */
export async function closeServer(server: Server, limitMs: number): Promise<void> {
  // Connections become idle when their request ends. Without this, they would stay open until their keep-alive
  // time.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_LOOK_MS);
  const limit = setTimeout(() => server.closeAllConnections(), limitMs);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearInterval(idle);
  clearTimeout(limit);
}
