import { describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Test } from '@nestjs/testing';
import { CommandsModule, ObservedCommandBus } from '../../adapters/platform/commands/commands.module.js';
import { Metrics } from '../../adapters/platform/observability/metrics.js';
import { EventStore } from '../../application/shared/event-store.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';

type Answer = { accepted: true; guests: number } | { accepted: false; rejection: { code: 'Full' } };

/** Commands of one kind may share a handler, but each keeps its name. */
abstract class Admission extends Command<Answer> {
  constructor(readonly guests: number) {
    super();
  }
}
class AdmitGuests extends Admission {}
class AdmitMembers extends Admission {}

@CommandHandler(Admission)
class AdmissionHandler implements ICommandHandler<Admission> {
  async execute({ guests }: Admission): Promise<Answer> {
    if (guests < 0) throw new Error('nobody is not admitted');
    return guests > 9 ? { accepted: false, rejection: { code: 'Full' } } : { accepted: true, guests };
  }
}

@Module({ providers: [AdmissionHandler] })
class HouseModule {}

describe('[OPS-81] the bus of commands', () => {
  it('brings each to its handler, and counts and times it by its name and outcome', async () => {
    const metrics = new Metrics();
    const fixture = await Test.createTestingModule({
      imports: [
        {
          module: class Surroundings {},
          global: true,
          providers: [
            { provide: Metrics, useValue: metrics },
            { provide: EventStore, useValue: new InMemoryEventStore() },
          ],
          exports: [Metrics, EventStore],
        },
        CommandsModule,
        HouseModule,
      ],
    }).compile();
    const app = await fixture.init();
    const bus = app.get(CommandBus);
    expect(bus).toBeInstanceOf(ObservedCommandBus);
    expect(await bus.execute(new AdmitGuests(2))).toEqual({ accepted: true, guests: 2 });
    expect(await bus.execute(new AdmitMembers(10))).toMatchObject({ accepted: false });
    await expect(bus.execute(new AdmitGuests(-1))).rejects.toThrow('nobody');
    const told = (await metrics.registry.metrics()).split('\n');
    const counted = told.filter((line) => line.startsWith('command_duration_seconds_count'));
    expect(counted).toEqual([
      'command_duration_seconds_count{command="AdmitGuests",outcome="done"} 1',
      'command_duration_seconds_count{command="AdmitMembers",outcome="refused"} 1',
      'command_duration_seconds_count{command="AdmitGuests",outcome="failed"} 1',
    ]);
    await app.close();
  });
});
