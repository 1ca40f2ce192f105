import { setTimeout as pause } from 'node:timers/promises';
import type { Reactor } from '../../../application/shared/event-store.js';
import { ReadModelProgress } from '../../../application/shared/read-model-progress.js';
import type { Database } from '../database/database.js';
import { Checkpoints } from './checkpoints.js';
import { appendedOf, type Appended } from './log-writer.js';
import type { PostgresEventStore } from './postgres-event-store.js';
import { Listening } from './listening.js';
import type { AsyncProjection } from '../projections/projection.js';
import { Projector } from '../projections/projector.js';
import { ReactorRunner } from './reactor-runner.js';
import { Subscription, type Follower, type SubscriptionLog } from './log-subscription.js';

/** A poll finds events whose notification was lost. The shorter interval applies without a listening connection. */
const POLL_MS = 5_000;
const DEAF_POLL_MS = 1_000;
/** Spreads the polls of processes that were started together. */
const JITTER = 0.2;
const CAUGHT_UP_POLL_MS = 10;

/**
 * Keeps async projections and reactors up to date with the log. Each one wakes after appends of its types: in this
 * process directly, in others by NOTIFY. A poll finds appends that were not announced.
 */
export class LogSubscriptions implements ReadModelProgress {
  readonly projector: Projector;
  private readonly checkpoints: Checkpoints;
  private readonly listening: Listening;
  private readonly stopping = new AbortController();
  private subscriptions: readonly Subscription[] = [];
  private running: readonly Promise<void>[] = [];

  constructor(
    private readonly database: Database,
    private readonly eventStore: PostgresEventStore,
    private readonly projections: readonly AsyncProjection[],
    private readonly log: SubscriptionLog,
  ) {
    this.projector = new Projector(database, eventStore, log);
    this.checkpoints = new Checkpoints(database);
    this.listening = new Listening(database, (what, payload = '') =>
      what === 'connected' ? hurry(this.subscriptions) : this.wake(appendedOf(payload)),
    );
  }

  async start(reactors: readonly Reactor[]): Promise<void> {
    const { signal } = this.stopping;
    const subscribed = (follower: Follower) => new Subscription(follower, this.log, signal);
    const projecting = this.projections.map((projection) =>
      subscribed({
        name: projection.name,
        types: projection.types,
        step: () => this.projector.step(projection),
      }),
    );
    const reacting = reactors.map((reactor) => subscribed(this.following(reactor)));
    this.subscriptions = [...projecting, ...reacting];
    this.eventStore.onAppend((appended) => this.wake(appended));
    await this.listening.start(reactors.map(leaseOf), () => hurry(reacting));
    this.running = [...this.subscriptions.map((subscription) => subscription.run()), this.poll(signal)];
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.running);
    await this.listening.stop();
  }

  async caughtUp(
    position: number,
    timeoutMs: number,
    names: readonly string[] = this.projections.map((projection) => projection.name),
  ): Promise<boolean> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      if (await this.checkpoints.haveReached(position, names)) return true;
      if (Date.now() >= deadline) return false;
      await pause(CAUGHT_UP_POLL_MS);
    }
  }

  private following(reactor: Reactor): Follower {
    const runner = new ReactorRunner(this.database, this.eventStore, reactor, this.log);
    const { name, types } = reactor;
    const isStopping = () => this.stopping.signal.aborted;
    return {
      name,
      types,
      step: async () => (this.listening.holds(leaseOf(reactor)) ? runner.step(isStopping) : undefined),
    };
  }

  private wake({ position, types }: Appended): void {
    for (const subscription of this.subscriptions)
      if (!types || subscription.follows(types)) subscription.wake(position);
  }

  private async poll(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const pauseMs = this.listening.hears ? POLL_MS : DEAF_POLL_MS;
      const jitter = 1 + JITTER * (2 * Math.random() - 1);
      await pause(pauseMs * jitter, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      const names = this.subscriptions.map(({ name }) => name);
      // If the database does not answer, wake all subscriptions: each of them logs the outage.
      const waiting = new Set(await this.checkpoints.settle(names).catch(() => names));
      for (const subscription of this.subscriptions)
        if (waiting.has(subscription.name)) subscription.wake(Number.POSITIVE_INFINITY);
    }
  }
}

const hurry = (subscriptions: readonly Subscription[]): void => {
  for (const subscription of subscriptions) subscription.hurry();
};

const leaseOf = ({ name }: Reactor): string => `reaction ${name}`;
