import { Injectable, Logger } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';

/** What has to be done now and again, under the name that the log uses. */
export type Jobs = Readonly<Record<string, () => Promise<unknown>>>;

/** Runs jobs now and at an interval, each at most once at a time; one that fails is tried again at the next. */
@Injectable()
export class JobRunner {
  private readonly running = new Map<string, Promise<void>>();
  private state: 'running' | 'stopping' | 'left' = 'running';

  private readonly log = new Logger('Jobs');

  constructor(private readonly scheduler: SchedulerRegistry) {}

  start(jobs: Jobs, everyMs: number): void {
    for (const [name, job] of Object.entries(jobs)) {
      const run = () => this.run(name, job, everyMs);
      this.scheduler.addInterval(name, setInterval(run, everyMs));
      run();
    }
  }

  /** No job begins any more; those that run may finish within the limit, because they need the database that is closed next. */
  async stop(limitMs: number): Promise<void> {
    for (const name of this.scheduler.getIntervals()) this.scheduler.deleteInterval(name);
    this.state = 'stopping';
    let limit: NodeJS.Timeout | undefined;
    const isOver = new Promise<void>((resolve) => (limit = setTimeout(resolve, limitMs)));
    await Promise.race([Promise.all(this.running.values()), isOver]);
    clearTimeout(limit);
    this.state = 'left';
    for (const name of this.running.keys())
      this.log.warn(`${name} did not end in time and is left for the next start`);
  }

  private run(name: string, job: () => Promise<unknown>, everyMs: number): void {
    if (this.running.has(name)) return;
    const one = this.attempt(name, job, everyMs).finally(() => this.running.delete(name));
    this.running.set(name, one);
  }

  private async attempt(name: string, job: () => Promise<unknown>, everyMs: number): Promise<void> {
    try {
      await job();
    } catch (error) {
      const again = this.state === 'running' ? `, again in ${everyMs / 60_000} minutes` : '';
      if (this.state !== 'left') this.log.warn(`${name} failed${again}: ${(error as Error).message}`);
    }
  }
}
