import { sql } from 'kysely';
import type { JobsAnswer } from '../../../application/administration/contract.js';
import type { DecidedJobs } from '../../../application/administration/decide-on-job.js';
import { DatabaseAdapter } from '../database/database.js';
import type { JobsJobState } from '../database/schema.js';

/** The name of a job for users: its key, else the kind of its mail, else the kind of the job. */
const NAME = sql<string>`coalesce(singleton_key, data ->> 'letter', name)`;

export type KindOfJobs = JobsAnswer['kinds'][number];

export type Chosen = { id: string } | { kind: string };

/** Raw SQL reads values in JSON, computes waiting times, and compares ids as text, as a given id may be invalid. */
export class StoredJobs extends DatabaseAdapter implements DecidedJobs {
  async list(limit: number): Promise<JobsAnswer> {
    return {
      kinds: await this.kinds(),
      running: await this.running(limit),
      items: await this.failed(limit),
    };
  }

  async kinds(): Promise<KindOfJobs[]> {
    const { rows } = await this.database.pool.query<KindOfJobs>(
      `select name as kind,
              count(*) filter (where state in ('created', 'retry')) as waiting,
              count(*) filter (where state = 'active') as running,
              count(*) filter (where state = 'failed') as failed,
              coalesce(extract(epoch from now() - min(start_after) filter (
                where state in ('created', 'retry') and start_after <= now())), 0)::float8 as "oldestSeconds"
         from jobs.queue left join jobs.job using (name)
        where name not like '\\_\\_pgboss%'
        group by name order by name`,
    );
    return rows;
  }

  async running(limit: number): Promise<JobsAnswer['running']> {
    const found = await this.database.db
      .selectFrom('jobs.job')
      .select(['id', 'name as kind', 'started_on as startedAt', NAME.as('name')])
      .select(({ eb }) => eb('retry_count', '+', 1).as('attempt'))
      .where('state', '=', 'active')
      .where('name', 'not like', '\\_\\_pgboss%')
      .orderBy('started_on')
      .orderBy('id')
      .limit(limit)
      .execute();
    return found.map(({ startedAt, ...job }) => ({ ...job, startedAt: (startedAt as Date).toISOString() }));
  }

  async failed(limit: number): Promise<JobsAnswer['items']> {
    const found = await this.database.db
      .selectFrom('jobs.job')
      .select(['id', 'name as kind', 'completed_on as failedAt', 'retry_count as repeats'])
      .select(NAME.as('name'))
      .select(sql<string>`coalesce(output ->> 'message', output -> 'value' ->> 'message', '')`.as('error'))
      .where('state', '=', 'failed')
      .orderBy('completed_on', 'desc')
      .orderBy('id')
      .limit(limit)
      .execute();
    return found.map(({ repeats, failedAt, ...job }) => ({
      ...job,
      attempts: repeats + 1,
      failedAt: (failedAt as Date).toISOString(),
    }));
  }

  /** Makes failed jobs due again. Skips a job if a waiting or running job has the same key. */
  async retry(chosen: Chosen): Promise<number> {
    const { numUpdatedRows } = await this.database.db
      .updateTable('jobs.job as j')
      .set({ state: 'retry', retry_count: 0, completed_on: null, start_after: sql<Date>`now()` })
      .where('j.state', '=', 'failed')
      .where(({ eb }) =>
        'id' in chosen ? eb(sql`j.id::text`, '=', chosen.id) : eb('j.name', '=', chosen.kind),
      )
      .where(({ exists, not, selectFrom }) =>
        not(
          exists(
            selectFrom('jobs.job as other')
              .select('other.id')
              .whereRef('other.name', '=', 'j.name')
              .whereRef('other.singleton_key', '=', 'j.singleton_key')
              .where('other.state', 'in', ['created', 'retry', 'active']),
          ),
        ),
      )
      .executeTakeFirst();
    return Number(numUpdatedRows);
  }

  discard(chosen: Chosen): Promise<number> {
    return this.delete(chosen, ['created', 'retry', 'failed']);
  }

  /** Deletes the rows of running jobs. Their workers notice this and abort the jobs. */
  cancel(chosen: Chosen): Promise<number> {
    return this.delete(chosen, ['active']);
  }

  private async delete(chosen: Chosen, states: readonly JobsJobState[]): Promise<number> {
    const { numDeletedRows } = await this.database.db
      .deleteFrom('jobs.job')
      .where('state', 'in', states)
      .where(({ eb }) => ('id' in chosen ? eb(sql`id::text`, '=', chosen.id) : eb('name', '=', chosen.kind)))
      .executeTakeFirst();
    return Number(numDeletedRows);
  }
}
