import { Controller, Logger } from '@nestjs/common';
import type { ReadinessReport } from '../../../application/operations/contract.js';
import {
  readHealth,
  readMetrics,
  readReadiness,
  reportCrash,
} from '../../../application/operations/endpoints.js';
import { Readiness } from '../../../application/operations/readiness.js';
import { Draining } from '../http/draining.js';
import { Metrics } from './metrics.js';
import { ProblemException } from '../http/request.js';
import { Route, type Call } from '../http/route.js';

const CHECKED_EVERY_MS = 1_000;

@Controller()
export class OperationsController {
  private latest: { at: number; report: Promise<ReadinessReport> } | undefined;

  constructor(
    private readonly readiness: Readiness,
    private readonly metrics: Metrics,
    private readonly draining: Draining,
  ) {}

  @Route(readHealth)
  health(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Route(readReadiness)
  async ready(): Promise<ReadinessReport> {
    if (this.draining.isDraining)
      throw new ProblemException('ServiceUnavailable', { ready: false, detail: 'This node is stopping.' });
    const report = await this.checked();
    if (!report.ready)
      throw new ProblemException('ServiceUnavailable', { ...report }, { 'Retry-After': '5' });
    return report;
  }

  /** Checks readiness at most once a second, however many requests arrive. */
  private checked(): Promise<ReadinessReport> {
    if (!this.latest || Date.now() - this.latest.at > CHECKED_EVERY_MS)
      this.latest = { at: Date.now(), report: this.readiness.check() };
    return this.latest.report;
  }

  @Route(readMetrics)
  async prometheus(): Promise<string> {
    return this.metrics.registry.metrics();
  }
}

/** Accepts error reports of pages. Anyone can send them, so they are only logged, with a limit per IP address. */
@Controller()
export class CrashesController {
  private readonly logger = new Logger('Client');

  @Route(reportCrash)
  report({ body: crash }: Call<typeof reportCrash>): void {
    this.logger.warn(crash);
  }
}
