/** Raw SQL for the tables of the queue, which are the library's own. */
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

/** Of the queue's statements, none of which keeps a connection for long. */
const MAX_CONNECTIONS = 2;
/** A worker says this often that it lives; twice without a word, and its jobs go to another. */
const HEARTBEAT_SECONDS = 10;
const LOOK_AFTER_SECONDS = 5;
/** Workers are told of new jobs; they look by themselves for repeats whose pause is over, and where telling failed. */
const LOOK_SECONDS = 4;
/** Whether the jobs that run here were cancelled is asked this often. */
const LOOK_AT_RUNNING_MS = 1_000;
/** Work in which one job waits for others is not used: the library looks for such as seldom as it can. */
const A_DAY_SECONDS = 86_400;

/** Beside what a job carries, while its sender traces: the span that it goes on with. */
const TRACE_PARENT = 'traceparent';

/** All of a kind but what its jobs carry. */
type Manner = Omit<JobKind<object>, 'shape'>;

/** A job that this process works on. `cancel`: has it end. */
interface RunningJob {
  kind: string;
  name: string;
  cancel: AbortController;
}

/** The queue on PostgreSQL. What is done leaves nothing; what failed for good stays until somebody decides on it. */
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

  /** From now on this process works on jobs, and looks after those of workers that died. */
  async start(): Promise<void> {
    await (await this.open()).start();
  }

  /** @param name what the log calls a job */
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
          // There may be more: a loop that has done one looks again before it waits.
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

  /** Adds a job at the times that a cron expression says, in UTC, from one worker of all. */
  async repeat<Data extends object>(
    kind: JobKind<Data>,
    cron: string,
    { data, key }: NewJob<Data>,
  ): Promise<void> {
    const boss = await this.open();
    await this.declare(boss, kind);
    await boss.schedule(kind.name, cron, data, optionsOf(kind, key));
  }

  /** No job begins any more; those that run may finish within the limit, because they need the database that is closed next. */
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
      this.log.warn(`${name} did not end in time and is left for the next start`);
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
      // Without what else the error holds: that may be what a mail server quotes.
      throw new Error(message);
    } finally {
      this.running.delete(job.id);
    }
    await this.forget(kind, job, { itself: true });
  }

  /** A job is cancelled by deleting it: what runs here and is not kept any more is told to end. */
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
        // Undefined: it was done meanwhile.
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

  /** Former failures of what is done now, or has failed again, need nobody's decision any more. */
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
    // Only now: a process that sends no job needs nothing of it.
    const { PgBoss } = await import('pg-boss');
    const boss = new PgBoss({
      db: this.connection(),
      schema: 'jobs',
      // `offcut migrate` does.
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
      listen: async (channel, told, reconnected) => {
        const listening = new Listening(
          this.database,
          (what, payload) => (what === 'connected' ? reconnected() : told(payload ?? '')),
          channel,
        );
        await listening.start();
        return { close: () => listening.stop() };
      },
    };
  }

  /** The library may have no table for a new kind yet. */
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

  /** While the database is away every loop says so whenever it looks. */
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

/** Each job carries how it is repeated, so that what a later version says of its kind counts from its first job on. */
const optionsOf = (kind: Manner, key: string | undefined): JobInsert => ({
  ...(key !== undefined && { singletonKey: key }),
  retryLimit: kind.repeats,
  retryDelay: kind.firstPauseSeconds,
  retryBackoff: true,
  retryDelayMax: kind.longestPauseSeconds,
  expireInSeconds: kind.timeLimitSeconds,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  // Never: whoever has done a job deletes it, and one that failed waits for somebody.
  deleteAfterSeconds: 0,
});
