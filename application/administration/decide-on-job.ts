import { Logger } from '@nestjs/common';
import { Command, CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import { reject, type Outcome } from '../../domain/shared/decision.js';

export type JobDecision = 'retry' | 'discard' | 'cancel';

export abstract class DecidedJobs {
  /** Retries a job, unless a job with the same key waits or runs. @returns the number of retried jobs */
  abstract retry(chosen: { id: string }): Promise<number>;
  abstract discard(chosen: { id: string }): Promise<number>;
  /** Cancels a job; its worker aborts it within two seconds. @returns the number of cancelled jobs */
  abstract cancel(chosen: { id: string }): Promise<number>;
}

export class DecideOnJob extends Command<Outcome<object, { code: 'NotFound' }>> {
  constructor(
    readonly jobId: string,
    readonly decision: JobDecision,
    readonly by: string,
  ) {
    super();
  }
}

@CommandHandler(DecideOnJob)
export class DecideOnJobHandler implements ICommandHandler<DecideOnJob> {
  private readonly log = new Logger('Jobs');

  constructor(private readonly jobs: DecidedJobs) {}

  async execute({ jobId, decision, by }: DecideOnJob): Promise<CommandResult<DecideOnJob>> {
    if ((await this.jobs[decision]({ id: jobId })) === 0) return reject({ code: 'NotFound' });
    this.log.log(`${by} decided to ${decision} the job ${jobId}`);
    return { accepted: true };
  }
}
