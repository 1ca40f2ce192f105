import type { Reactor } from '../../../application/shared/reactor.js';
import { ReadModelProgress } from '../../../application/shared/read-model-progress.js';
import { isOutage } from '../../../application/shared/lost-connection.js';
import type { Database } from '../database/database.js';
import type { PostgresEventStore } from './postgres-event-store.js';
import { Listening } from './listening.js';
import type { AsyncProjection } from '../projections/projection.js';
import { Projector } from '../projections/projector.js';
import { ReactorRunner, type SubscriptionLog } from './reactor-runner.js';

const POLL_MS = 1_000;
const RETRY_MS = [200, 1_000, 5_000, 30_000];
/** A part that does not answer is asked again this soon: it may be back at any moment. */
const OUTAGE_MS = 1_000;

/**
 * Keeps async projections and reactors up with the log: woken by appends in this process, by NOTIFY from
 * others, and by a poll in case both were missed. A follower that fails is tried again with growing pauses; what
 * fails again and again is set aside.
 */
export class LogSubscriptions implements ReadModelProgress {
  readonly projector: Projector;
  private readonly wakes = new Set<(isBack: boolean) => void>();
  private readonly loops: Promise<void>[] = [];
  private readonly listening: Listening;
  private stopping = false;

  constructor(
    private readonly database: Database,
    private readonly eventStore: PostgresEventStore,
    private readonly projections: readonly AsyncProjection[],
    private readonly log: SubscriptionLog,
  ) {
    this.projector = new Projector(database, eventStore, log);
    this.listening = new Listening(database, (what) => this.wakeAll(what === 'connected'));
  }

  async start(reactors: readonly Reactor[]): Promise<void> {
    this.eventStore.onAppend(() => this.wakeAll());
    await this.listening.start();
    for (const projection of this.projections) {
      this.loops.push(
        this.follow(projection.name, async () => (await this.projector.advance(projection)) === 'behind'),
      );
    }
    for (const reactor of reactors) {
      const runner = new ReactorRunner(this.database, this.eventStore, reactor, this.log);
      this.loops.push(
        this.follow(
          reactor.name,
          async () =>
            (await this.listening.lease(`reaction ${reactor.name}`)) && runner.step(() => this.stopping),
        ),
      );
    }
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.wakeAll(true);
    await Promise.all(this.loops);
    await this.listening.stop();
  }

  async caughtUp(
    position: number,
    timeoutMs: number,
    names: readonly string[] = this.projections.map((projection) => projection.name),
  ): Promise<boolean> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const checkpoints = await this.database.db
        .selectFrom('checkpoint')
        .select(['name', 'position'])
        .where(({ eb, fn, val }) => eb('name', '=', fn.any(val(names))))
        .execute();
      const reached = new Map(checkpoints.map((checkpoint) => [checkpoint.name, checkpoint.position]));
      if (names.every((name) => (reached.get(name) ?? 0) >= position)) return true;
      if (Date.now() >= deadline) return false;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  private async follow(name: string, step: () => Promise<boolean>): Promise<void> {
    let failures = 0;
    let woken = true;
    let wake: (isBack: boolean) => void = () => {};
    this.wakes.add((isBack) => {
      woken = true;
      wake(isBack);
    });
    while (!this.stopping) {
      woken = false;
      let pauseMs = POLL_MS;
      try {
        while (!this.stopping && (await step()));
        failures = 0;
      } catch (error) {
        pauseMs = isOutage(error) ? OUTAGE_MS : (RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] as number);
        failures += 1;
        woken = false;
        if (!this.stopping)
          this.log.warn(`${name} failed ${failures}×, again in ${pauseMs} ms: ${(error as Error).message}`);
      }
      if (woken || this.stopping) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pauseMs);
        // After a failure the pause is kept, whatever is appended meanwhile, unless the database is back.
        wake = (isBack) => {
          if (failures > 0 && !isBack) return;
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  private wakeAll(isBack = false): void {
    for (const wake of this.wakes) wake(isBack);
  }
}
