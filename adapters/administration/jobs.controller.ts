import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { DecideOnJob } from '../../application/administration/commands.js';
import { discardJob, listJobs, retryJob } from '../../application/administration/endpoints.js';
import { JobQueries } from '../../application/administration/queries.js';
import { Route, type Call } from '../platform/http/route.js';

const SHOWN = 100;

/** Jobs that failed for good, for administrators. */
@Controller()
export class JobsController {
  constructor(
    private readonly jobs: JobQueries,
    private readonly commands: CommandBus,
  ) {}

  @Route(listJobs)
  list() {
    return this.jobs.list(SHOWN);
  }

  @Route(retryJob)
  async retry({ actor, params, refuse }: Call<typeof retryJob>): Promise<void> {
    const isDecided = await this.commands.execute(new DecideOnJob(params.id, 'retry', actor.userId));
    if (!isDecided) return refuse({ code: 'NotFound' });
  }

  @Route(discardJob)
  async discard({ actor, params, refuse }: Call<typeof discardJob>): Promise<void> {
    const isDecided = await this.commands.execute(new DecideOnJob(params.id, 'discard', actor.userId));
    if (!isDecided) return refuse({ code: 'NotFound' });
  }
}
