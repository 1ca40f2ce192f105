import { Logger } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DecideOnJob } from './commands.js';
import { DecidedJobs } from './decided-jobs.js';

@CommandHandler(DecideOnJob)
export class DecideOnJobHandler implements ICommandHandler<DecideOnJob> {
  private readonly log = new Logger('Jobs');

  constructor(private readonly jobs: DecidedJobs) {}

  async execute({ jobId, decision, by }: DecideOnJob): Promise<boolean> {
    const isDecided = (await this.jobs[decision]({ id: jobId })) > 0;
    if (isDecided) this.log.log(`${by} decided to ${decision} the job ${jobId}`);
    return isDecided;
  }
}
