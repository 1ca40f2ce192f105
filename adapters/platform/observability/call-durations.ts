import { Histogram, type Registry } from 'prom-client';
import type { ObserveCall } from '../../../application/shared/outgoing-calls.js';
import { traced } from './tracing.js';

export type Service = 'stripe' | 'storage' | 'smtp';

export class OutgoingCalls {
  private readonly durations = new Histogram({
    name: 'outgoing_call_duration_seconds',
    help: 'Time of a call to another service, by operation',
    labelNames: ['service', 'operation', 'outcome'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [],
  });

  register(registry: Registry): void {
    registry.registerMetric(this.durations);
  }

  to(service: Service): ObserveCall {
    return (operation, call, statusOf) =>
      traced(`${service} ${operation}`, { kind: 'client', 'peer.service': service }, async (span) => {
        const stop = this.durations.startTimer({ service, operation });
        const settled = await call().then(
          (result) => ({ result, status: statusOf?.(result) ?? 200 }),
          (error: unknown) => ({ error, status: statusOf?.(error) ?? 500 }),
        );
        const { status } = settled;
        const outcome = status < 400 ? 'done' : status < 500 ? 'refused' : 'failed';
        stop({ outcome });
        span?.set({ outcome });
        if ('error' in settled) throw settled.error;
        return settled.result;
      });
  }
}
