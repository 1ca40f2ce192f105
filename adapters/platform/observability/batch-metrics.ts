import { Histogram, type Registry } from 'prom-client';
import type { BegunBatch } from '../../../application/shared/batcher.js';

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
