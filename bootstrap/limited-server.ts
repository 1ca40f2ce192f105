import { createServer, type RequestListener, type Server } from 'node:http';
import { Logger } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { addressOf } from '../adapters/platform/http/request.js';
import { hourly } from '../adapters/platform/observability/hourly.js';
import type { Serving } from './settings/http.js';

/** How often a server looks for slow heads, at most. */
const LOOK_MS = 1_000;

/** A server that ends connections that bring their heads slowly, and refuses those that are too many. */
export function createLimitedServer(serving: Serving, routes: RequestListener): Server {
  const { headersMs, keepAliveMs, connections, connectionsPerAddress } = serving;
  const lookMs = Math.min(LOOK_MS, headersMs / 10);
  const server = createServer(
    {
      connectionsCheckingInterval: lookMs,
      // A head that is late is found at the next look.
      headersTimeout: headersMs - lookMs,
      keepAliveTimeout: keepAliveMs,
      // An upload may take hours while it progresses; a silent body is ended elsewhere.
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

/** Express behind such a server. */
export class LimitedExpress extends ExpressAdapter {
  constructor(private readonly serving: Serving) {
    super();
  }

  override initHttpServer(): void {
    this.httpServer = createLimitedServer(this.serving, this.getInstance() as RequestListener);
  }
}
