import { Global, Module, Logger } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { CommandBus, CqrsModule, type AsyncContext, type Command } from '@nestjs/cqrs';
import { Streams } from '../../../application/shared/streams.js';
import { Metrics } from '../observability/metrics.js';
import { Histogram } from 'prom-client';
import { traced } from '../observability/tracing.js';

/** `refused`: a rule of the domain rejected the command. `failed`: the handler threw an error. */
type Outcome = 'done' | 'refused' | 'failed';

export class ObservedCommandBus extends CommandBus {
  private readonly log = new Logger('Commands');
  private readonly durations: Histogram;

  constructor(moduleRef: ModuleRef, metrics: Metrics) {
    super(moduleRef);
    this.durations = new Histogram({
      name: 'command_duration_seconds',
      help: 'Time from a command to its outcome, by its name',
      labelNames: ['command', 'outcome'],
      buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [metrics.registry],
    });
  }

  override async execute<Result>(command: Command<Result>, context?: AsyncContext): Promise<Result> {
    const { name } = command.constructor;
    const stop = this.durations.startTimer({ command: name });
    const report = (outcome: Outcome): void =>
      this.log.debug(`${name} ${outcome} in ${Math.round(stop({ outcome }) * 1_000)} ms`);
    return traced(name, { kind: 'internal' }, async (span) => {
      try {
        const result = await super.execute(command, context);
        const outcome = isRefusal(result) ? 'refused' : 'done';
        report(outcome);
        span?.set({ outcome });
        return result;
      } catch (error) {
        report('failed');
        throw error;
      }
    });
  }
}

const isRefusal = (result: unknown): boolean =>
  typeof result === 'object' && result !== null && 'accepted' in result && result.accepted === false;

@Global()
@Module({
  // Replaces the CommandBus of CqrsModule with one that measures commands.
  imports: [
    {
      module: CqrsModule,
      global: true,
      providers: [
        {
          provide: CommandBus,
          useFactory: (moduleRef: ModuleRef, metrics: Metrics) => new ObservedCommandBus(moduleRef, metrics),
          inject: [ModuleRef, Metrics],
        },
      ],
    },
  ],
  providers: [Streams],
  exports: [CqrsModule, Streams],
})
export class CommandsModule {}
