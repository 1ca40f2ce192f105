/** Raw SQL for the tables of the queue, which belong to the library. */
import { Logger } from '@nestjs/common';
import type { Db, JobInsert, JobWithMetadata, PgBoss } from 'pg-boss';
import type pg from 'pg';
import {
  JobCancelled,
  JobQueue,
  type Attempt,
  type JobKind,
  type NewJob,
} from '../../../application/shared/job-queue.js';
import type { Database } from '../database/database.js';
import { Listening } from '../event-log/listening.js';
import { traced, traceParent } from '../observability/tracing.js';

const MAX_CONNECTIONS = 2;
/** Interval of a worker's heartbeats. After two missed heartbeats, another worker gets its jobs. */
const HEARTBEAT_SECONDS = 10;
const LOOK_AFTER_SECONDS = 5;
/** Workers are notified of new jobs. This poll finds retries that are due, and jobs whose notification was lost. */
const LOOK_SECONDS = 4;
const LOOK_AT_RUNNING_MS = 1_000;
/** No job waits for other jobs, so the library searches for such jobs as rarely as it can. */
const A_DAY_SECONDS = 86_400;

/** Key in a job's data for the `traceparent` of the sender, whose trace the job continues. */
const TRACE_PARENT = 'traceparent';

type Manner = Omit<JobKind<object>, 'shape'>;

interface RunningJob {
  kind: string;
  name: string;
  cancel: AbortController;
}

/** Completed jobs leave no row. Jobs that failed for good stay until an administrator decides. */
export class BossJobQueue implements JobQueue {
  private readonly pool: pg.Pool;
  private opened?: Promise<PgBoss>;
  private readonly declared = new Map<string, Promise<void>>();
  private readonly loops = new Set<string>();
  private readonly running = new Map<string, RunningJob>();
  private looking?: NodeJS.Timeout;
  private state: 'open' | 'stopping' | 'left' = 'open';
  private readonly log = new Logger('Jobs');

  constructor(private readonly database: Database) {
    this.pool = database.connections.open(database.directUrl, database.limits, { max: MAX_CONNECTIONS });
  }

  async send<Data extends object>(kind: JobKind<Data>, jobs: readonly NewJob<Data>[]): Promise<void> {
    const boss = await this.open();
    await this.declare(boss, kind);
    const parent = traceParent();
    await boss.insert(
      kind.name,
      jobs.map(({ id, key, data, priority = 0 }) => ({
        id,
        priority,
        data: parent ? { ...data, [TRACE_PARENT]: parent } : data,
        ...optionsOf(kind, key),
      })),
    );
  }

  async cancel({ name }: { name: string }, key: string): Promise<void> {
    await this.pool.query(`delete from jobs.job where name = $1 and singleton_key = $2`, [name, key]);
  }

  async start(): Promise<void> {
    await (await this.open()).start();
  }

  async work<Data extends object>(
    kind: JobKind<Data>,
    work: (attempt: Attempt<Data>) => Promise<unknown>,
    name: (data: Data) => string = () => kind.name,
  ): Promise<void> {
    const boss = await this.open();
    await this.declare(boss, kind);
    this.loops.add(kind.name);
    for (let loop = 0; loop < kind.atOnce; loop += 1) {
      const id: string = await boss.work(
        kind.name,
        {
          includeMetadata: true,
          pollingIntervalSeconds: LOOK_SECONDS,
          notifyPollingIntervalSeconds: LOOK_SECONDS,
        },
        async ([job]: JobWithMetadata<object>[]) => {
          if (!job) return;
          // More jobs may wait: look for the next job right after this job, without waiting for the poll.
          boss.notifyWorker(id);
          const data = kind.shape.parse(job.data);
          const { [TRACE_PARENT]: parent } = job.data as { [TRACE_PARENT]?: string };
          await traced(`job ${kind.name}`, { kind: 'consumer', ...(parent && { parent }) }, () =>
            this.attempt(kind, job, name(data), (signal) => work({ ...attemptAt(job), data, signal })),
          );
        },
      );
    }
  }

  /** Adds a job at the times of a cron expression, in UTC. However many workers run, each time adds one job. */
  async repeat<Data extends object>(
    kind: JobKind<Data>,
    cron: string,
    { data, key }: NewJob<Data>,
  ): Promise<void> {
    const boss = await this.open();
    await this.declare(boss, kind);
    await boss.schedule(kind.name, cron, data, optionsOf(kind, key));
  }

  /** Waits up to the limit for running jobs, because they need the database, which closes next. */
  async stop(limitMs: number): Promise<void> {
    if (!this.opened) return;
    const boss = await this.opened;
    this.state = 'stopping';
    let limit: NodeJS.Timeout | undefined;
    const isOver = new Promise<void>((resolve) => (limit = setTimeout(resolve, limitMs)));
    const ended = [...this.loops].map((kind) => boss.offWork(kind, { wait: true }));
    await Promise.race([Promise.all(ended), isOver]);
    clearTimeout(limit);
    clearTimeout(this.looking);
    this.state = 'left';
    for (const { name } of this.running.values())
      this.log.warn(`${name} did not finish in time; it continues after the next start`);
    await boss.stop({ graceful: false, close: false });
  }

  async close(): Promise<void> {
    if (this.state === 'open') await this.stop(0);
    await this.pool.end();
  }

  private async attempt(
    kind: Manner,
    job: JobWithMetadata<object>,
    name: string,
    work: (signal: AbortSignal) => Promise<unknown>,
  ): Promise<void> {
    const cancel = new AbortController();
    this.running.set(job.id, { kind: kind.name, name, cancel });
    this.looking ??= setTimeout(() => void this.look(), LOOK_AT_RUNNING_MS);
    try {
      await work(AbortSignal.any([cancel.signal, job.signal]));
    } catch (error) {
      if (cancel.signal.aborted) return;
      const { message } = error as Error;
      const { number, isLast } = attemptAt(job);
      if (this.state !== 'left') this.log.warn(`${name} failed (attempt ${number}): ${message}`);
      if (isLast) await this.forget(kind, job, { itself: false });
      // The library stores this error. Keep only the message: other members may quote what a mail server sent.
      throw new Error(message);
    } finally {
      this.running.delete(job.id);
    }
    await this.forget(kind, job, { itself: true });
  }

  /** Aborts jobs that run here and were cancelled. A job without a row was cancelled or has just finished. */
  private async look(): Promise<void> {
    const { running } = this;
    try {
      const asked = [...running];
      const { rows } = await this.pool.query<{ id: string }>(
        `select mine.id from unnest($1::text[], $2::uuid[]) as mine (name, id)
          where not exists (select from jobs.job as j where j.name = mine.name and j.id = mine.id)`,
        [asked.map(([, { kind }]) => kind), asked.map(([id]) => id)],
      );
      for (const { id } of rows) {
        const job = running.get(id);
        // If the job does not run here any more, it finished in the meantime.
        if (!job || job.cancel.signal.aborted) continue;
        this.log.log(`${job.name} was cancelled`);
        job.cancel.abort(new JobCancelled());
      }
    } catch (error) {
      this.warn((error as Error).message);
    }
    this.looking =
      running.size > 0 && this.state !== 'left'
        ? setTimeout(() => void this.look(), LOOK_AT_RUNNING_MS)
        : undefined;
  }

  /** Deletes earlier failed jobs with this job's key, which need no decision any more. With `itself`, also this job. */
  private async forget(kind: Manner, job: JobWithMetadata<object>, { itself }: { itself: boolean }) {
    await this.pool.query(
      `delete from jobs.job
        where name = $1 and (($2 and id = $3) or (state = 'failed' and id <> $3 and singleton_key = $4))`,
      [kind.name, itself, job.id, job.singletonKey],
    );
  }

  private open(): Promise<PgBoss> {
    this.opened ??= this.create();
    return this.opened;
  }

  private async create(): Promise<PgBoss> {
    // Imported only now, because a process without jobs does not need the library.
    const { PgBoss } = await import('pg-boss');
    const boss = new PgBoss({
      db: this.connection(),
      schema: 'jobs',
      // `offcut migrate` creates the library's tables.
      migrate: false,
      useListenNotify: true,
      superviseIntervalSeconds: LOOK_AFTER_SECONDS,
      monitorIntervalSeconds: LOOK_AFTER_SECONDS,
      flowIntervalSeconds: A_DAY_SECONDS,
      reindex: false,
      monitorVacuum: false,
    });
    boss.on('error', ({ message }) => this.warn(message));
    boss.on('warning', ({ message }) => this.warn(message));
    return boss;
  }

  private connection(): Db {
    return {
      executeSql: (text, values) => this.pool.query(text, values),
      listen: async (channel, notify, reconnected) => {
        const listening = new Listening(
          this.database,
          (what, payload) => (what === 'connected' ? reconnected() : notify(payload ?? '')),
          channel,
        );
        await listening.start();
        return { close: () => listening.stop() };
      },
    };
  }

  private declare(boss: PgBoss, { name, isKeyed }: Manner): Promise<void> {
    const known = this.declared.get(name);
    if (known) return known;
    const declared = boss
      .createQueue(name, { policy: isKeyed ? 'exclusive' : 'standard', notify: true })
      .catch((error: Error) => {
        this.declared.delete(name);
        throw error;
      });
    this.declared.set(name, declared);
    return declared;
  }

  private lastWarning = { message: '', at: 0 };

  /** Logs the same warning at most once a minute, because every loop repeats it during an outage. */
  private warn(said: string): void {
    const message = said.replace(/ \(Queue: .*$/, '');
    const now = performance.now();
    if (this.state === 'left' || (message === this.lastWarning.message && now - this.lastWarning.at < 60_000))
      return;
    this.lastWarning = { message, at: now };
    this.log.warn(message);
  }
}

const attemptAt = ({ id, retryCount, retryLimit }: JobWithMetadata<object>) => ({
  jobId: id,
  number: retryCount + 1,
  isLast: retryCount >= retryLimit,
});

/** Each job stores its own retry options, so that a change of the options applies to every job sent from then on. */
const optionsOf = (kind: Manner, key: string | undefined): JobInsert => ({
  ...(key !== undefined && { singletonKey: key }),
  retryLimit: kind.repeats,
  retryDelay: kind.firstPauseSeconds,
  retryBackoff: true,
  retryDelayMax: kind.longestPauseSeconds,
  expireInSeconds: kind.timeLimitSeconds,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  // Never delete automatically: the worker deletes a completed job, and a failed one waits for a decision.
  deleteAfterSeconds: 0,
});
