/** Raw SQL: it reads the JSON of the log. */
import type { ClientBase } from 'pg';
import { bookedAt, isOfEarlierMonth, type PeriodStep } from '../../domain/ledger/booking.js';
import type { AnyEvent, NewEvent } from '../../application/shared/event-store.js';
import { adding } from '../platform/projections/added-rows.js';
import type {
  AddedRows,
  AsyncProjection,
  Projected,
  ProjectedEvent,
} from '../platform/projections/projection.js';

export type Booked<Event extends NewEvent = AnyEvent> = Event & { bookedAt: Date };

async function booked(client: ClientBase, events: ProjectedEvent[]): Promise<Projected<Booked>[]> {
  const steps = events.some(isOfEarlierMonth) ? await periodSteps(client) : [];
  return events.map((event) => ({ ...event, bookedAt: bookedAt(event, steps) }));
}

/**
 * Reads every seal, closing and reopening of months. Those that affect an event precede it in the log, except
 * closings without a seal, which older versions made.
 */
async function periodSteps(client: ClientBase): Promise<PeriodStep[]> {
  const { rows } = await client.query(
    `select type, data->>'month' as month, position from readable_event
      where type in ('PeriodSealed', 'PeriodClosed', 'PeriodReopened') order by position`,
  );
  return rows as PeriodStep[];
}

export const addingBooked = (
  ...adds: readonly AddedRows<never>[]
): Pick<AsyncProjection, 'tables' | 'adds' | 'apply' | 'prepare'> => {
  const rows = adding<NewEvent>(...(adds as readonly AddedRows[]));
  return {
    ...rows,
    prepare: booked,
    apply: async (client, events) => rows.apply(client, await booked(client, events as ProjectedEvent[])),
  };
};
