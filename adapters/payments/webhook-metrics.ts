import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { WebhookCounter, type WebhookOutcome } from '../../application/payments/payment-events.js';
import { Metrics } from '../platform/observability/metrics.js';

@Injectable()
export class WebhookMetrics implements WebhookCounter {
  private readonly received: Counter;

  constructor({ registry }: Metrics) {
    this.received = new Counter({
      name: 'webhooks_total',
      help: "The payment provider's webhooks, by type and by what became of them",
      labelNames: ['type', 'outcome'],
      registers: [registry],
    });
  }

  count(type: string, outcome: WebhookOutcome): void {
    this.received.inc({ type, outcome });
  }
}
