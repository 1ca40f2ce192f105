import { describe, expect, it } from '@jest/globals';
import { packDecider } from '../../domain/publishing/pack.js';
import { newlyOnSale, statusIn, type Pack } from '../../domain/publishing/pack-state.js';
import type { PackCommand, PackEvent, StaffCommand } from '../../domain/publishing/pack-messages.js';
import type { StatusCause, SampleStatusCommand } from '../../domain/publishing/sample-status.js';
import { randomFrom } from '../../domain/shared/seeded-random.js';
import { drafted, published, sampleAdded, someAudio } from '../support/pack-events.js';
import { SEED } from '../support/sizes.js';

const now = '2026-11-20T12:00:00.000Z';
const [A, B, C] = ['a', 'b', 'c'].map((letter) => letter.repeat(64)) as [string, string, string];
const copy: StatusCause = { kind: 'copy', id: '1' };
const complaint: StatusCause = { kind: 'complaint', id: '2' };

const packOf = (...events: PackEvent[]): Pack => events.reduce(packDecider.evolve, packDecider.initialState);
/** Two sounds, A and B. */
const draft = packOf(
  drafted(),
  sampleAdded({ sampleId: 's1', sha256: A, title: 'One' }),
  sampleAdded({ sampleId: 's2', sha256: B, title: 'Two' }),
);
const onSale = packDecider.evolve(draft, published('p1'));

const by = (type: SampleStatusCommand['type'], sampleId = 's1', because = copy, more: object = {}) =>
  ({ type, packId: 'p1', sampleId, because, now, ...more }) as SampleStatusCommand;
const owner = (command: object) => ({ packId: 'p1', actorId: 'ada', now, ...command }) as PackCommand;
const publish = owner({ type: 'PublishPack' });
const replace = (sha256: string) =>
  owner({ type: 'ReplaceSampleAudio', sampleId: 's1', audio: { ...someAudio, sha256 } });
const decide = (pack: Pack, command: PackCommand | StaffCommand) => packDecider.decide(command, pack);
const after = (pack: Pack, ...commands: (PackCommand | StaffCommand)[]): Pack =>
  commands.reduce((state, command) => {
    const decision = decide(state, command);
    if (!decision.accepted) throw new Error(`${command.type}: ${decision.rejection.code}`);
    return decision.events.reduce(packDecider.evolve, state);
  }, pack);
const statuses = (pack: Pack) =>
  pack.status === 'none' ? [] : pack.samples.map((sample) => statusIn(pack, sample));
const sold = (before: Pack, then: Pack) => newlyOnSale(before, then).map(({ sampleId }) => sampleId);

describe('the status of one sample', () => {
  it('[RIGHT-01] is that of the strictest thing that stands against its recording', () => {
    const held = after(onSale, by('HoldSample'));
    expect(statuses(held)).toEqual(['held', 'free']);
    const both = after(held, by('HoldSample', 's1', complaint));
    expect(statuses(after(both, by('ReleaseSample')))).toEqual(['held', 'free']);
    expect(statuses(after(both, by('ReleaseSample'), by('ReleaseSample', 's1', complaint)))).toEqual([
      'free',
      'free',
    ]);
    expect(statuses(after(both, by('RefuseSample', 's1', complaint)))).toEqual(['refused', 'free']);
    expect(statuses(after(both, by('TakeDownSample')))).toEqual(['taken_down', 'free']);
    expect(decide(onSale, by('HoldSample', 's9'))).toMatchObject({ rejection: { code: 'NotFound' } });
  });

  it('[RIGHT-01] is not made milder by what comes late or again, only by a release', () => {
    const remark = { remarkId: 'r', remarkSha256: 'f' };
    const nothing = { accepted: true, events: [] };
    const refused = after(onSale, by('RefuseSample', 's1', copy, { remark }));
    for (const command of [by('RefuseSample'), by('HoldSample')])
      expect(decide(refused, command)).toEqual(nothing);
    const down = after(refused, by('TakeDownSample'));
    for (const command of [by('TakeDownSample'), by('RefuseSample'), by('HoldSample')])
      expect(decide(down, command)).toEqual(nothing);
    const released = after(down, by('ReleaseSample'));
    expect(statuses(released)).toEqual(['free', 'free']);
    for (const command of [by('HoldSample'), by('ReleaseSample')])
      expect(decide(released, command)).toEqual(nothing);
    expect(statuses(after(released, by('RefuseSample')))).toEqual(['refused', 'free']);
  });

  it('[RIGHT-02] belongs to the recording: other audio is free, the former audio is not', () => {
    const held = after(onSale, by('HoldSample'));
    const replaced = after(held, replace(C));
    expect([statuses(replaced), sold(held, replaced)]).toEqual([['free', 'free'], ['s1']]);
    expect(statuses(after(replaced, replace(A)))).toEqual(['held', 'free']);
    // The finding is about the former audio, so it does not apply.
    expect(statuses(after(after(onSale, replace(C)), by('HoldSample', 's1', copy, { sha256: A })))).toEqual([
      'free',
      'free',
    ]);
    expect(statuses(after(replaced, by('ReleaseSample'), replace(A)))).toEqual(['free', 'free']);
  });

  it('[RIGHT-03] a pack is published without what is withheld, and not at all with nothing else', () => {
    const one = after(draft, by('HoldSample'));
    expect(sold(one, after(one, publish))).toEqual(['s2']);
    const none = after(one, by('HoldSample', 's2', complaint));
    expect(decide(none, publish)).toEqual({
      accepted: false,
      rejection: { code: 'DuplicateSuspected', sampleId: 's1', name: 'One' },
    });
    expect(decide(after(none, by('RefuseSample')), publish)).toMatchObject({
      rejection: { code: 'SampleHeld', sampleId: 's2' },
    });
    const nothing = after(none, by('RefuseSample'), by('TakeDownSample', 's2'));
    expect(decide(nothing, publish)).toMatchObject({ rejection: { code: 'PackHasNoSamples' } });
    const back = after(none, by('ReleaseSample'), publish);
    expect(sold(back, after(back, by('ReleaseSample', 's2', complaint)))).toEqual(['s2']);
  });

  it('[RIGHT-04] its owner removes what is held or refused; a taken-down one takes no other audio or file', () => {
    const remove = owner({ type: 'RemoveSample', sampleId: 's1' });
    for (const command of [by('HoldSample'), by('RefuseSample')])
      expect(decide(after(onSale, command), remove)).toMatchObject({ accepted: true });
    const down = after(onSale, by('TakeDownSample'));
    for (const command of [remove, replace(C), owner({ type: 'AttachMidi', sampleId: 's1', attachment: {} })])
      expect(decide(down, command)).toMatchObject({ rejection: { code: 'SampleTakenDown', sampleId: 's1' } });
    expect(
      decide(down, owner({ type: 'ChangeSample', sampleId: 's1', description: { bpm: 1 } })),
    ).toMatchObject({
      accepted: true,
    });
    // A sample that left the pack can still be taken from its buyers.
    const gone = after(onSale, remove);
    expect(decide(gone, by('TakeDownSample'))).toMatchObject({
      events: [{ type: 'SampleTakenDown', data: { sampleId: 's1', sha256: A } }],
    });
  });

  it('[RIGHT-05] what may be sold by decision is sold, though another published the same', () => {
    const held = after(onSale, by('HoldSample'));
    const allowed = after(held, by('ReleaseSample', 's1', copy, { allowed: true }));
    expect([statuses(allowed), sold(held, allowed)]).toEqual([['free', 'free'], []]);
    expect(sold(held, after(held, by('ReleaseSample')))).toEqual(['s1']);
    expect(sold(allowed, after(allowed, replace(C)))).toEqual(['s1']);
  });

  it(`[RIGHT-01] holds for any history: nothing withheld is ever on sale, and a repeat records nothing (seed ${SEED})`, () => {
    const random = randomFrom(SEED);
    const one = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
    let pack = draft;
    for (let n = 0; n < 3_000; n += 1) {
      const kind = one([
        'HoldSample',
        'RefuseSample',
        'TakeDownSample',
        'ReleaseSample',
        'ReleaseSample',
      ] as const);
      const command = one<PackCommand | StaffCommand>([
        by(kind, one(['s1', 's2']), one([copy, complaint]), one([{}, { sha256: one([A, B, C]) }])),
        replace(one([A, B, C])),
        publish,
        owner({ type: 'UnpublishPack' }),
      ]);
      const before = pack;
      const decision = decide(before, command);
      if (!decision.accepted) continue;
      pack = decision.events.reduce(packDecider.evolve, before);
      if ('because' in command) expect(decide(pack, command)).toEqual({ accepted: true, events: [] });
      if (pack.status === 'none') throw new Error('a pack stays');
      for (const sample of newlyOnSale(before, pack)) expect(statusIn(pack, sample)).toBe('free');
    }
  });
});
