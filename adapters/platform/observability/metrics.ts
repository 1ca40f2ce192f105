import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { readBearer, ProblemException, type HttpRequest, type HttpResponse } from '../http/request.js';
import { timingSafeEqual } from 'node:crypto';
import { hashToken } from '../../../application/accounts/sessions/sessions.js';
import type { Middleware } from '../http/middleware.js';
import { answerProblem } from '../http/problem.filter.js';
import type { BegunBatch } from '../../../application/shared/batcher.js';

/** The metrics of this node for Prometheus. Other adapters register their own metrics here. */
export class Metrics {
  readonly registry = new Registry();
  private readonly durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from request to the end of the answer, by route',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });

  private readonly known = new Map<string, Histogram.Internal<string>>();

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  observe = (request: HttpRequest, response: HttpResponse, next: () => void): void => {
    const startedAt = performance.now();
    response.once('close', () => {
      // Use the route's pattern, not the path: one label value per id would grow without limit.
      const route = request.route?.path ?? 'unmatched';
      this.series(request.method ?? 'GET', route, String(response.statusCode)).observe(
        (performance.now() - startedAt) / 1_000,
      );
    });
    next();
  };

  /** Returns a cached series, because finding it by its labels costs more than adding a value. */
  private series(method: string, route: string, status: string): Histogram.Internal<string> {
    const name = `${method} ${status} ${route}`;
    const series = this.known.get(name) ?? this.durations.labels(method, route, status);
    this.known.set(name, series);
    return series;
  }
}

export interface MetricsAccess {
  token?: string;
  port?: number;
  /** Admits every request if neither `token` nor `port` is set. */
  isOpen: boolean;
}

/** Guards `/metrics`. Must come before `answerCache`, which would answer without checking access. */
export function metricsAccess({ token, port, isOpen }: MetricsAccess): Middleware {
  const digest = (text: string) => Buffer.from(hashToken(text), 'hex');
  const expected = token === undefined ? undefined : digest(token);
  return (request, response, next) => {
    if (port !== undefined && request.socket.localPort === port) return next();
    if (!expected) {
      if (isOpen && port === undefined) return next();
      return answerProblem(request, response, new ProblemException('NotFound'));
    }
    if (timingSafeEqual(digest(readBearer(request) ?? ''), expected)) return next();
    const wanted = { 'WWW-Authenticate': 'Bearer realm="offcut"' };
    answerProblem(request, response, new ProblemException('NotSignedIn', {}, wanted));
  };
}

export class BatchMetrics {
  private readonly commands = new Histogram({
    name: 'credit_batch_commands',
    help: 'Commands in a credit batch',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers: [],
  });
  private readonly waits = new Histogram({
    name: 'credit_batch_wait_seconds',
    help: 'How long the first command of a batch waited until the batch began',
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [],
  });

  register(registry: Registry): void {
    for (const metric of [this.commands, this.waits]) registry.registerMetric(metric);
  }

  observe = ({ commands, waitedMs }: BegunBatch): void => {
    this.commands.observe(commands);
    this.waits.observe(waitedMs / 1_000);
  };
}
