import { describe, expect, it } from '@jest/globals';
import { StreamVersionConflict } from '../../application/shared/event-store.js';
import { MAX_ATTEMPTS, Streams } from '../../application/shared/streams.js';
import { accept, reject, decideInOrder, type Decider } from '../../domain/shared/decision.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';

type Seats = { left: number; takenBy: string[] };
type SeatCommand = { type: 'TakeSeats'; by: string; seats: number };
type SeatEvent = { type: 'SeatsTaken'; data: { by: string; seats: number } };

const HALL = 60;
/** A limited number of seats, at most one per person. */
const hall: Decider<SeatCommand, Seats, SeatEvent, { code: 'Full'; left: number }> = {
  streamOf: (id) => `hall-${id}`,
  initialState: { left: HALL, takenBy: [] },
  decide: ({ by, seats }, { left, takenBy }) => {
    if (takenBy.includes(by)) return accept();
    return seats > left
      ? reject({ code: 'Full', left })
      : accept({ type: 'SeatsTaken', data: { by, seats } });
  },
  evolve: ({ left, takenBy }, { data }) => ({ left: left - data.seats, takenBy: [...takenBy, data.by] }),
};
const METADATA = { actor: 'ada', correlationId: 'evening' };
const take = (by: string, seats = 1): SeatCommand => ({ type: 'TakeSeats', by, seats });

/** Another person takes a seat just before each of the next appends. */
function overtaken(log: InMemoryEventStore, times: number): void {
  const append = log.append.bind(log);
  let left = times;
  log.append = async (appends, metadata) => {
    if (left-- > 0) {
      const expectedVersion = (await log.readStream('hall-a')).length;
      const events = [{ type: 'SeatsTaken', data: { by: `rival ${left}`, seats: 0 } }];
      await append([{ stream: 'hall-a', expectedVersion, events }], metadata);
    }
    return append(appends, metadata);
  };
}

describe('[OPS-80] commands on streams', () => {
  it('answer the state and the events, and record nothing when refused or known', async () => {
    const log = new InMemoryEventStore();
    const streams = new Streams(log);
    expect(await streams.execute(hall, 'a', take('ada', 59), METADATA)).toEqual({
      accepted: true,
      state: { left: 1, takenBy: ['ada'] },
      events: [{ type: 'SeatsTaken', data: { by: 'ada', seats: 59 } }],
    });
    expect(await streams.execute(hall, 'a', take('ada', 59), METADATA)).toMatchObject({ events: [] });
    expect(await streams.execute(hall, 'a', take('ben', 2), METADATA)).toEqual({
      accepted: false,
      rejection: { code: 'Full', left: 1 },
    });
    expect(log.events).toHaveLength(1);
    expect(log.events[0]).toMatchObject({ stream: 'hall-a', version: 1, metadata: METADATA });
    expect(await streams.history(hall, 'a')).toMatchObject([{ type: 'SeatsTaken', data: { by: 'ada' } }]);
    expect(await streams.load(hall, 'nowhere')).toBe(hall.initialState);
  });

  it('are each decided on what was recorded before, however many come at once from several nodes', async () => {
    const log = new InMemoryEventStore();
    const nodes = [new Streams(log), new Streams(log)];
    // With as many commands as attempts, the last command loses to all others and is still decided.
    const crowd = Array.from({ length: MAX_ATTEMPTS }, (_, at) => take(`guest ${at % 30}`, 3));
    const outcomes = await Promise.all(
      crowd.map((command, at) => (nodes[at % 2] as Streams).execute(hall, 'a', command, METADATA)),
    );
    expect(log.events.map(({ version }) => version)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
    const { left, takenBy } = await (nodes[0] as Streams).load(hall, 'a');
    expect(left).toBe(0);
    expect(new Set(takenBy).size).toBe(20);
    for (const [at, outcome] of outcomes.entries())
      expect(outcome.accepted).toBe(takenBy.includes((crowd[at] as SeatCommand).by));
  });

  it('are given up when others were first too often', async () => {
    const log = new InMemoryEventStore();
    overtaken(log, MAX_ATTEMPTS - 1);
    const streams = new Streams(log);
    expect(await streams.execute(hall, 'a', take('ada'), METADATA)).toMatchObject({ accepted: true });
    overtaken(log, MAX_ATTEMPTS);
    await expect(streams.execute(hall, 'a', take('eve'), METADATA)).rejects.toThrow(StreamVersionConflict);
    expect((await streams.load(hall, 'a')).takenBy).not.toContain('eve');
  });

  it('touch all streams that they open or none, and know where they were recorded', async () => {
    const log = new InMemoryEventStore();
    const streams = new Streams(log);
    overtaken(log, 1);
    const [first, second] = await streams.transact(METADATA, async (work) => {
      const opened = [await work.open(hall, 'b'), await work.open(hall, 'a')] as const;
      for (const stream of opened) stream.decide(take('ada', 2));
      return opened;
    });
    expect(log.events.map(({ stream, data }) => `${stream} ${data.by as string}`)).toEqual([
      'hall-a rival 0',
      'hall-b ada',
      'hall-a ada',
    ]);
    expect([first.position, first.version, second.position, second.version]).toEqual([2, 1, 3, 2]);
    const given = streams.transact(METADATA, async (work) => {
      (await work.open(hall, 'a')).decide(take('ben'));
      throw new Error('the lights went out');
    });
    await expect(given).rejects.toThrow('lights');
    expect(log.events).toHaveLength(3);
  });

  it('are refused only by what was there when their streams were read', async () => {
    const log = new InMemoryEventStore();
    const streams = new Streams(log);
    // Takes the last seats, then reads separately what is free.
    const lastSeats = (meanwhile: () => Promise<unknown>) =>
      streams.transact(METADATA, async (work) => {
        const stream = await work.open(hall, 'a');
        await meanwhile();
        const { left } = await streams.load(hall, 'a');
        if (stream.state.takenBy.includes('ada')) return 'ada sits';
        return left < HALL ? 'full' : stream.decide(take('ada', HALL)).accepted;
      });
    expect(await lastSeats(() => lastSeats(async () => undefined))).toBe('ada sits');
    expect(log.events).toHaveLength(1);
  });

  it('see what was written long ago in its shape of today', async () => {
    const upcasters = { SeatsTaken: (data: Record<string, unknown>) => ({ seats: 1, ...data }) };
    const log = new InMemoryEventStore(undefined, upcasters);
    const old = { type: 'SeatsTaken', data: { by: 'ada' } };
    await log.append([{ stream: 'hall-a', expectedVersion: 0, events: [old] }], METADATA);
    expect(await new Streams(log).load(hall, 'a')).toEqual({ left: HALL - 1, takenBy: ['ada'] });
  });
});

describe('commands that are decided in their order', () => {
  it('see what the ones before brought, and end at the first refusal', () => {
    const before = { left: 3, takenBy: [] };
    const commands = [take('ada', 2), take('ada', 2), take('ben', 2), take('eve', 1)];
    expect(decideInOrder(hall, commands, before)).toEqual({
      events: [{ type: 'SeatsTaken', data: { by: 'ada', seats: 2 } }],
      rejection: { code: 'Full', left: 1 },
    });
  });
});
