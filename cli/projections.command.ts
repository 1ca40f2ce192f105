import { CommandBus } from '@nestjs/cqrs';
import { Checkpoints } from '../adapters/platform/event-log/checkpoints.js';
import { ParkedEvents, placeOf } from '../adapters/platform/event-log/parked-events.js';
import { Projector } from '../adapters/platform/projections/projector.js';
import { PROJECTIONS } from '../bootstrap/projections.js';
import { AccountStore } from '../application/accounts/account-store.js';
import { StaffQueries } from '../application/accounts/staff/staff-queries.js';
import { SkipParkedEvent } from '../application/administration/log-commands.js';
import { CommandRefused } from './refused.js';
import type { Print, Tools } from './tools.js';

export async function listProjections(
  { database, eventStore }: Tools,
  { json }: { json: boolean },
  print: Print,
): Promise<number> {
  const { position } = await eventStore.head();
  const checkpoints = await new Checkpoints(database).list();
  const parked = await new ParkedEvents(database).list();
  const code = parked.length > 0 ? 1 : 0;
  if (json) {
    print(JSON.stringify({ position, items: checkpoints, parked }, null, 2));
    return code;
  }
  print(`The log ends at position ${position}.`);
  for (const { name, version, position, types, behind } of checkpoints) {
    const place = types?.length === 0 ? 'written with the events' : `position ${position}  ${behind} behind`;
    print(`${name.padEnd(24)} version ${version}  ${place}`);
  }
  if (parked.length > 0) print('Parked events:');
  for (const event of parked) {
    const why = event.error === '' ? 'waits for an earlier event of its stream' : event.error;
    print(
      `${event.follower}: ${placeOf(event)}: ${why}; ${event.attempts} attempts, next ${event.retryAt.toISOString()}`,
    );
  }
  return code;
}

export async function rebuild({ database, eventStore }: Tools, name: string, print: Print): Promise<number> {
  const projection = PROJECTIONS.all.find((each) => each.name === name);
  if (!projection) {
    print(
      `There is no read model ${name}: there are ${PROJECTIONS.all.map((each) => each.name).join(', ')}.`,
    );
    return 1;
  }
  const applied = await new Projector(database, eventStore).rebuildAlone(projection);
  print(
    applied === undefined
      ? `Another process rebuilds ${name} now.`
      : `${name} was rebuilt from ${applied} events.`,
  );
  return applied === undefined ? 1 : 0;
}

/** Skips a parked event, and records who did so and why. @throws CommandRefused */
export async function skipParked(
  { app, database }: Tools,
  { name, position, reason, by }: { name: string; position: number; reason: string; by: string },
  print: Print,
): Promise<void> {
  const account = await app.get(AccountStore).findByEmail(by);
  const members = await app.get(StaffQueries).members();
  if (!members.some(({ userId, role }) => userId === account?.userId && role === 'admin'))
    throw new CommandRefused(`${by} is not an administrator`);
  const parked = new ParkedEvents(database);
  const event = (await parked.list()).find((each) => each.follower === name && each.position === position);
  if (!event) throw new CommandRefused(`${name} has not set aside an event at position ${position}`);
  if (event.error === '')
    throw new CommandRefused(`${placeOf(event)} only waits for an earlier event of its stream`);
  // The skip is recorded first, so that the command can be repeated after a crash.
  await app
    .get(CommandBus)
    .execute(new SkipParkedEvent(name, position, reason, (account as { userId: string }).userId));
  await parked.skip(name, event);
  print(`${name} skips ${placeOf(event)} and goes on.`);
}

export async function retryParked(
  { database }: Tools,
  { name, stream }: { name: string; stream?: string },
  print: Print,
): Promise<number> {
  const events = await new ParkedEvents(database).retry(name, stream);
  print(
    events === 0
      ? `${name} has no parked events there.`
      : `${events} events will be retried by a worker now.`,
  );
  return events === 0 ? 1 : 0;
}
