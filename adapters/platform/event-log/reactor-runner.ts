/** Raw SQL: one named statement, which runs after every event that a reactor handles. */
import type { RecordedEvent, Reactor } from '../../../application/shared/event-store.js';
import { isOutage } from '../database/lost-connection.js';
import { prepared, type Database } from '../database/database.js';
import { traced } from '../observability/tracing.js';
import { ensureCheckpoint, eventAt, positionsAfter } from './checkpoints.js';
import { LOG_END } from './log-writer.js';
import { COLUMNS, type EventRow, type PostgresEventStore } from './postgres-event-store.js';
import { ATTEMPTS_IN_PLACE, ParkedEvents, placeOf } from './parked-events.js';
import type { Step, SubscriptionLog } from './log-subscription.js';

const PAGE_EVENTS = 100;
const BATCH_PAGE_EVENTS = 500;

interface Handling {
  parked: Set<string>;
  stopping: () => boolean;
  /** The first error. A failed event delays only its own stream, but an outage ends the whole page of events. */
  failure?: unknown;
  isOver: boolean;
}

/**
 * Runs one reactor. The caller must hold the reactor's lease. No transaction is open while the reactor works. Several
 * streams may run concurrently, each in order. An event that fails repeatedly is parked with its stream, and the
 * other streams continue.
 */
export class ReactorRunner {
  private readonly parked: ParkedEvents;
  private isBegun = false;
  private readonly attempts = new Map<string, { position: number; failed: number }>();
  /** Positions after the checkpoint whose events are handled, although an earlier event is not. */
  private readonly ahead = new Set<number>();

  constructor(
    private readonly database: Database,
    private readonly eventStore: PostgresEventStore,
    private readonly reactor: Reactor,
    private readonly log: SubscriptionLog,
  ) {
    this.parked = new ParkedEvents(database);
  }

  /**
   * Handles the next events. Moves the checkpoint up to the first event that is neither handled nor parked.
   * @throws the first failure, after the rest of the page is handled
   */
  async step(stopping: () => boolean): Promise<Step> {
    const limit = this.reactor.handleAll ? BATCH_PAGE_EVENTS : PAGE_EVENTS;
    const { from, head, hasParked, events } = await this.readPage(limit);
    const parked = hasParked ? await this.retryParked(stopping) : new Set<string>();
    const handling: Handling = { parked, stopping, isOver: false };
    const open = events.filter(({ position }) => !this.ahead.has(position));
    if (await this.areHandledTogether(open, parked))
      for (const { position } of open) this.ahead.add(position);
    else await this.handleStreams(open, handling);
    const more = events.length === limit;
    const first = open.find(({ position }) => !this.ahead.has(position));
    const end = more ? (events.at(-1) as RecordedEvent).position : head;
    const reached = first ? first.position - 1 : end;
    if (reached > from) await this.moveTo(reached);
    if (handling.failure) throw handling.failure;
    return { reached, more: more && first === undefined };
  }

  private async readPage(limit: number) {
    const { name, types } = this.reactor;
    const { pool } = this.database;
    if (!this.isBegun) await ensureCheckpoint(pool, { name, version: 1, types });
    this.isBegun = true;
    const { rows } = await pool.query<EventRow & { from: number; head: number; has_parked: boolean }>(
      prepared(
        `events-of-reactor-${limit}`,
        `select c.position as "from", newest.position as head, event.*,
                exists (select from parked_event where follower = $1) as has_parked
           from checkpoint c cross join (${LOG_END}) as newest
           left join lateral (${positionsAfter('$2::text[]', 'c.position', limit)}) as next on true
           left join ${eventAt(COLUMNS, 'next.position')} on true
          where c.name = $1 order by event.position`,
        [name, types],
      ),
    );
    const [row] = rows;
    if (!row) throw new Error(`the checkpoint of ${name} is missing`);
    const events = rows.filter(({ position }) => position !== null);
    return {
      from: row.from,
      head: row.head,
      hasParked: row.has_parked,
      events: events.map((event) => this.eventStore.fromRow(event)),
    };
  }

  private traced(events: readonly RecordedEvent[], handle: () => Promise<unknown>): Promise<unknown> {
    const [parent] = events.flatMap(({ metadata }) => metadata.traceparent ?? []);
    return traced(`reactor ${this.reactor.name}`, { kind: 'consumer', ...(parent && { parent }) }, handle);
  }

  /** Never moves the checkpoint back: another process that held the lease may have moved it further. */
  private async moveTo(position: number): Promise<void> {
    await this.database.pool.query(
      prepared(
        'move-checkpoint-on',
        'update checkpoint set position = $2 where name = $1 and position < $2',
        [this.reactor.name, position],
      ),
    );
    for (const handled of this.ahead) if (handled <= position) this.ahead.delete(handled);
  }

  /** Tries `handleAll`. @returns false if the events must be handled one by one */
  private async areHandledTogether(events: RecordedEvent[], parked: ReadonlySet<string>): Promise<boolean> {
    if (!this.reactor.handleAll || events.length < 2 || parked.size > 0) return false;
    try {
      const { handleAll } = this.reactor;
      await this.traced(events, () => handleAll.call(this.reactor, events));
      return true;
    } catch (error) {
      if (isOutage(error)) throw error;
      return false;
    }
  }

  private async handleStreams(events: readonly RecordedEvent[], handling: Handling): Promise<void> {
    const byStream = new Map<string, RecordedEvent[]>();
    for (const event of events) byStream.set(event.stream, [...(byStream.get(event.stream) ?? []), event]);
    const streams = byStream.values();
    const lane = async (): Promise<void> => {
      // All lanes share this iterator, so only one lane takes each stream.
      for (const stream of streams) await this.handleStream(stream, handling);
    };
    await Promise.all(Array.from({ length: this.reactor.streamsAtOnce ?? 1 }, lane));
  }

  private async handleStream(events: readonly RecordedEvent[], handling: Handling): Promise<void> {
    try {
      for (const event of events) {
        if (handling.isOver || handling.stopping()) return;
        await this.handleOrPark(event, handling.parked);
        this.ahead.add(event.position);
      }
    } catch (error) {
      handling.failure ??= error;
      handling.isOver ||= isOutage(error);
    }
  }

  private async handleOrPark(event: RecordedEvent, parked: Set<string>): Promise<void> {
    const { name } = this.reactor;
    const { stream, position } = event;
    if (parked.has(stream)) return this.parked.park(name, event, '');
    try {
      await this.traced([event], () => this.reactor.handle(event));
      this.attempts.delete(stream);
    } catch (error) {
      if (isOutage(error)) throw error;
      const before = this.attempts.get(stream);
      const failed = before?.position === position ? before.failed + 1 : 1;
      this.attempts.set(stream, { position, failed });
      const failure = `${placeOf(event)}: ${(error as Error).message}`;
      if (failed < ATTEMPTS_IN_PLACE) throw new Error(failure, { cause: error });
      await this.parked.park(name, event, (error as Error).message);
      this.attempts.delete(stream);
      parked.add(stream);
      this.log.error(`${name} set aside ${failure}`);
    }
  }

  private async retryParked(stopping: () => boolean): Promise<Set<string>> {
    const { name } = this.reactor;
    for (;;) {
      const firsts = await this.parked.firsts(name);
      let handled = 0;
      for (const { position, isDue } of firsts) {
        if (!isDue || stopping()) continue;
        const [event] = await this.eventStore.readAll({ after: position - 1, limit: 1 });
        if (event && (await this.isHandledAtLast(event))) handled += 1;
      }
      // Repeat, because each handled event makes the next parked event of its stream due.
      if (handled === 0) return new Set(firsts.map(({ stream }) => stream));
    }
  }

  private async isHandledAtLast(event: RecordedEvent): Promise<boolean> {
    const { name } = this.reactor;
    try {
      await this.traced([event], () => this.reactor.handle(event));
    } catch (error) {
      if (isOutage(error)) throw error;
      await this.parked.park(name, event, (error as Error).message);
      this.log.error(`${name} failed again at ${placeOf(event)}: ${(error as Error).message}`);
      return false;
    }
    await this.parked.release(name, event);
    this.log.warn(`${name} handled what it had set aside: ${placeOf(event)}`);
    return true;
  }
}
