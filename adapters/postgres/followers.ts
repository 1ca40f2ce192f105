import pg from 'pg';
import type { Reaction } from '../../application/ports/reaction.js';
import { ReadModelProgress } from '../../application/ports/read-model-progress.js';
import type { Database } from './database.js';
import type { PostgresEventStore } from './event-store.js';
import type { AsyncProjection } from './projection.js';
import { Projector } from './projector.js';

const POLL_MS = 1_000;
const RETRY_MS = [200, 1_000, 5_000, 30_000];
const CHANNEL = 'event_appended';

/** What a follower is told besides its events. */
export interface FollowerLog {
  warn(message: string): void;
}

/**
 * Keeps async projections and reactions up with the log: woken by appends in this process, by NOTIFY from
 * others, and by a poll in case both were missed. A follower that fails is tried again with growing pauses
 * and never skips an event.
 */
export class Followers extends ReadModelProgress {
  readonly projector: Projector;
  private readonly wakes = new Set<() => void>();
  private readonly loops: Promise<void>[] = [];
  private listener?: pg.Client;
  private stopping = false;

  constructor(
    private readonly database: Database,
    private readonly eventStore: PostgresEventStore,
    private readonly projections: readonly AsyncProjection[],
    private readonly log: FollowerLog,
  ) {
    super();
    this.projector = new Projector(database, eventStore);
  }

  async start(reactions: readonly Reaction[]): Promise<void> {
    this.eventStore.onAppend(() => this.wakeAll());
    await this.listen();
    for (const projection of this.projections) {
      this.loops.push(
        this.follow(projection.name, async () => (await this.projector.advance(projection)) === 'behind'),
      );
    }
    for (const reaction of reactions) {
      this.loops.push(this.follow(reaction.name, () => this.react(reaction)));
    }
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.wakeAll();
    await Promise.all(this.loops);
    await this.listener?.end().catch(() => {});
  }

  override async caughtUp(
    position: number,
    timeoutMs: number,
    names: readonly string[] = this.projections.map((projection) => projection.name),
  ): Promise<boolean> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const behind = await this.database.pool.query({
        name: 'followers-behind',
        text: `select count(*)::int as rows from unnest($1::text[]) as wanted(name)
                 left join checkpoint using (name) where coalesce(position, 0) < $2`,
        values: [names, position],
      });
      if ((behind.rows[0] as { rows: number }).rows === 0) return true;
      if (Date.now() >= deadline) return false;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** One reaction's next events, holding its checkpoint's row as the lease; the checkpoint moves after each. */
  private async react(reaction: Reaction): Promise<boolean> {
    await this.database.pool.query(
      `insert into checkpoint (name, version, position) values ($1, 1, 0) on conflict do nothing`,
      [reaction.name],
    );
    const client = await this.database.pool.connect();
    try {
      const head = await this.eventStore.head();
      await client.query('begin');
      const lease = await client.query(
        `select position from checkpoint where name = $1 for update skip locked`,
        [reaction.name],
      );
      const from = (lease.rows[0] as { position: number } | undefined)?.position;
      if (from === undefined || from === head.position) return false;
      const limit = 100;
      const events = (await this.eventStore.readAll({ after: from, limit, types: reaction.types })).filter(
        (event) => event.position <= head.position,
      );
      let reached = from;
      try {
        for (const event of events) {
          if (this.stopping) return false;
          await reaction.handle(event);
          reached = event.position;
        }
        if (events.length < limit) reached = head.position;
      } finally {
        if (reached > from)
          await client.query(`update checkpoint set position = $2 where name = $1`, [reaction.name, reached]);
        await client.query('commit');
      }
      return events.length === limit;
    } finally {
      await client.query('rollback').catch(() => {});
      client.release();
    }
  }

  private async follow(name: string, step: () => Promise<boolean>): Promise<void> {
    let failures = 0;
    let woken = true;
    let wake: () => void = () => {};
    this.wakes.add(() => {
      woken = true;
      wake();
    });
    while (!this.stopping) {
      woken = false;
      let pauseMs = POLL_MS;
      try {
        while (!this.stopping && (await step()));
        failures = 0;
      } catch (error) {
        pauseMs = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] as number;
        failures += 1;
        woken = false;
        if (!this.stopping)
          this.log.warn(`${name} failed ${failures}×, again in ${pauseMs} ms: ${(error as Error).message}`);
      }
      if (woken || this.stopping) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pauseMs);
        // After a failure the pause is kept, whatever is appended meanwhile; only stopping ends it.
        wake = () => {
          if (failures > 0 && !this.stopping) return;
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  private wakeAll(): void {
    for (const wake of this.wakes) wake();
  }

  /** A connection of its own for LISTEN; when it breaks, the poll carries on until it is back. */
  private async listen(): Promise<void> {
    if (this.stopping) return;
    const client = new pg.Client({ connectionString: this.database.url });
    client.on('error', () => {});
    client.on('notification', () => this.wakeAll());
    client.on('end', () => {
      if (!this.stopping) setTimeout(() => void this.listen(), 1_000).unref();
    });
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      this.listener = client;
    } catch {
      await client.end().catch(() => {});
    }
  }
}
