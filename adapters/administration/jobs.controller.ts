import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { DecideOnJob, type JobDecision } from '../../application/administration/decide-on-job.js';
import { cancelJob, discardJob, listJobs, retryJob } from '../../application/administration/endpoints.js';
import { StoredJobs } from '../platform/jobs/stored-jobs.js';
import { Route, type Call } from '../platform/http/route.js';

const SHOWN = 100;

/** Running jobs and jobs that failed for good, for administrators. */
@Controller()
export class JobsController {
  constructor(
    private readonly jobs: StoredJobs,
    private readonly commands: CommandBus,
  ) {}

  @Route(listJobs)
  list() {
    return this.jobs.list(SHOWN);
  }

  @Route(retryJob)
  retry(call: Call<typeof retryJob>): Promise<void> {
    return this.decide(call, 'retry');
  }

  @Route(discardJob)
  discard(call: Call<typeof discardJob>): Promise<void> {
    return this.decide(call, 'discard');
  }

  @Route(cancelJob)
  cancel(call: Call<typeof cancelJob>): Promise<void> {
    return this.decide(call, 'cancel');
  }

  private async decide(
    { actor, params, refuse }: Call<typeof cancelJob>,
    decision: JobDecision,
  ): Promise<void> {
    const outcome = await this.commands.execute(new DecideOnJob(params.id, decision, actor.userId));
    if (!outcome.accepted) return refuse(outcome.rejection);
  }
}
