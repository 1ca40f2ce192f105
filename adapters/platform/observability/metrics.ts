import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { HttpRequest, HttpResponse } from '../http/request.js';

/** What Prometheus reads from this node. Other adapters register their own metrics here. */
export class Metrics {
  readonly registry = new Registry();
  private readonly durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from request to the end of the answer, by route',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /** Middleware that times every request. */
  observe = (request: HttpRequest, response: HttpResponse, next: () => void): void => {
    const stop = this.durations.startTimer();
    response.once('close', () => {
      // The route's pattern, not the path: a label per id would grow for ever.
      const route = request.route?.path ?? 'unmatched';
      stop({ method: request.method ?? 'GET', route, status: String(response.statusCode) });
    });
    next();
  };
}
