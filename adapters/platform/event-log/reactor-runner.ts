import type { RecordedEvent } from '../../../application/shared/event-store.js';
import type { Reactor } from '../../../application/shared/reactor.js';
import { isOutage } from '../../../application/shared/lost-connection.js';
import type { Database } from '../database/database.js';
import { prepared } from '../database/prepared.js';
import type { PostgresEventStore } from './postgres-event-store.js';
import { ATTEMPTS_IN_PLACE, ParkedEvents, placeOf } from './parked-events.js';

const PAGE_EVENTS = 100;
const BATCH_PAGE_EVENTS = 500;

/** What people who run the product are told. */
export interface SubscriptionLog {
  warn(message: string): void;
  error(message: string): void;
}

/**
 * Hands one reactor its events. Whoever calls this holds the reactor's lease; no transaction is open while the
 * reactor works. An event that fails again and again is set aside with its stream, and the others go on.
 */
export class ReactorRunner {
  private readonly parked: ParkedEvents;
  private isKnown = false;
  private failing?: { position: number; attempts: number };

  constructor(
    private readonly database: Database,
    private readonly eventStore: PostgresEventStore,
    private readonly reactor: Reactor,
    private readonly log: SubscriptionLog,
  ) {
    this.parked = new ParkedEvents(database);
  }

  /** Handles the next events. @returns whether more wait */
  async step(stopping: () => boolean): Promise<boolean> {
    const { name, types } = this.reactor;
    const parked = await this.retryParked(stopping);
    const head = await this.eventStore.head();
    const from = await this.position();
    if (from >= head.position) return false;
    const limit = this.reactor.handleAll ? BATCH_PAGE_EVENTS : PAGE_EVENTS;
    const events = (await this.eventStore.readAll({ after: from, limit, types })).filter(
      (event) => event.position <= head.position,
    );
    let reached = from;
    try {
      const handled = await this.handleTogether(events, parked);
      for (const event of handled ? [] : events) {
        if (stopping()) return false;
        await this.handleOrPark(event, parked);
        reached = event.position;
      }
      reached = events.length < limit ? head.position : (events.at(-1)?.position ?? from);
    } finally {
      // Somebody who held the lease before may have been further.
      if (reached > from)
        await this.database.db
          .updateTable('checkpoint')
          .set({ position: reached })
          .where('name', '=', name)
          .where('position', '<', reached)
          .execute();
    }
    return events.length === limit;
  }

  private async position(): Promise<number> {
    const { db, pool } = this.database;
    const { name } = this.reactor;
    if (!this.isKnown)
      await db
        .insertInto('checkpoint')
        .values({ name, version: 1, position: 0 })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    this.isKnown = true;
    const { rows } = await pool.query<{ position: number }>(
      prepared('position-of-reactor', 'select position from checkpoint where name = $1', [name]),
    );
    return rows[0]?.position ?? 0;
  }

  /** @returns false where they have to be handled one by one */
  private async handleTogether(events: RecordedEvent[], parked: ReadonlySet<string>): Promise<boolean> {
    if (!this.reactor.handleAll || events.length < 2 || parked.size > 0) return false;
    try {
      await this.reactor.handleAll(events);
      return true;
    } catch (error) {
      if (isOutage(error)) throw error;
      return false;
    }
  }

  /** @param parked streams to which its own may be added */
  private async handleOrPark(event: RecordedEvent, parked: Set<string>): Promise<void> {
    const { name } = this.reactor;
    if (parked.has(event.stream)) return this.parked.park(name, event, '');
    try {
      await this.reactor.handle(event);
      this.failing = undefined;
    } catch (error) {
      if (isOutage(error)) throw error;
      const before = this.failing?.position === event.position ? this.failing.attempts : 0;
      this.failing = { position: event.position, attempts: before + 1 };
      const told = `${placeOf(event)}: ${(error as Error).message}`;
      if (this.failing.attempts < ATTEMPTS_IN_PLACE) throw new Error(told, { cause: error });
      await this.parked.park(name, event, (error as Error).message);
      parked.add(event.stream);
      this.log.error(`${name} set aside ${told}`);
    }
  }

  /** Tries what is due. @returns the streams that are parked still */
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
      // Where one was handled, the next of its stream is due.
      if (handled === 0) return new Set(firsts.map(({ stream }) => stream));
    }
  }

  private async isHandledAtLast(event: RecordedEvent): Promise<boolean> {
    const { name } = this.reactor;
    try {
      await this.reactor.handle(event);
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
