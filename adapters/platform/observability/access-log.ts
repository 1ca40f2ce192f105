import { createHmac } from 'node:crypto';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { WallClock } from '../../../application/shared/clock.js';
import type { Middleware } from '../http/middleware.js';
import type { HttpRequest, HttpResponse } from '../http/request.js';

/** Load balancers and monitoring call these routes constantly, so only failures are logged. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics']);
/** Collects lines for this time, because writing them together is cheaper on a busy node. */
const TOGETHER_MS = 50;

/**
 * Writes one line of JSON at the end of each request. The line has the route's pattern but nothing that a client
 * sent, because paths, queries, headers and bodies contain ids and tokens. A signed-in user appears under a
 * pseudonym, which changes every month and does not identify the person.
 */
export class AccessLog implements OnApplicationShutdown {
  private lines = '';
  private month = '';
  private key = Buffer.alloc(0);
  private readonly names = new Map<string, string>();

  constructor(
    private readonly logging: 'on' | 'errors' | 'off',
    private readonly secret: Buffer,
    private readonly clock: WallClock,
  ) {}

  observe: Middleware = (request, response, next) => {
    if (this.logging !== 'off') {
      const startedAt = performance.now();
      const { bytesWritten } = request.socket;
      response.once('close', () => this.note(request, response, startedAt, bytesWritten));
    }
    next();
  };

  onApplicationShutdown(): void {
    this.flush();
  }

  /** Public, so that tests can replace it. */
  write(lines: string): void {
    process.stdout.write(lines);
  }

  private note(request: HttpRequest, response: HttpResponse, startedAt: number, bytesBefore: number): void {
    const { statusCode: status } = response;
    const route = request.route?.path ?? 'unmatched';
    const isWrong = status >= 400 || !response.writableFinished;
    if (!isWrong && (this.logging === 'errors' || PROBES.has(route))) return;
    const line = {
      time: this.clock.now().toISOString(),
      requestId: request.id,
      method: request.method,
      route,
      status,
      ms: Math.round((performance.now() - startedAt) * 10) / 10,
      bytes: request.socket.bytesWritten - bytesBefore,
      ...(request.actor && { by: this.nameOf(request.actor.userId) }),
      // The client disconnected before the end of the answer.
      ...(!response.writableFinished && { aborted: true }),
    };
    if (this.lines === '') setTimeout(() => this.flush(), TOGETHER_MS).unref();
    this.lines += `${JSON.stringify(line)}\n`;
  }

  private nameOf(userId: string): string {
    const month = this.clock.now().toISOString().slice(0, 7);
    if (month !== this.month || this.names.size > 10_000) {
      this.month = month;
      this.key = createHmac('sha256', this.secret).update(month).digest();
      this.names.clear();
    }
    const known = this.names.get(userId);
    if (known) return known;
    const name = createHmac('sha256', this.key).update(userId).digest('base64url').slice(0, 16);
    this.names.set(userId, name);
    return name;
  }

  private flush(): void {
    const { lines } = this;
    this.lines = '';
    if (lines !== '') this.write(lines);
  }
}
