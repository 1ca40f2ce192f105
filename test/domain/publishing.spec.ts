import { describe, expect, it } from '@jest/globals';
import type { Origin } from '../../domain/shared/origin.js';
import type { SampleAudio } from '../../domain/publishing/audio.js';
import {
  creatorDecider,
  obstacleToPublishing,
  type CreatorCommand,
  type CreatorEvent,
} from '../../domain/publishing/creator-access.js';
import { notAccepted, packDecider } from '../../domain/publishing/pack.js';
import type {
  PackCommand,
  PackEvent,
  StaffCommand,
  TakeDownPack,
} from '../../domain/publishing/pack-messages.js';
import { slugCandidate, slugFrom } from '../../domain/publishing/slug.js';

const now = '2026-11-20T12:00:00.000Z';
const later = '2026-11-21T12:00:00.000Z';
const owner = { packId: 'p1', actorId: 'ada', now };
const stranger = { ...owner, actorId: 'mallory' };

type Loose<Command> = Command extends unknown
  ? Omit<Command, 'packId' | 'actorId' | 'now'> & Partial<typeof owner>
  : never;
const by = (who: typeof owner, command: Loose<PackCommand>): PackCommand =>
  ({ ...who, ...command }) as PackCommand;
const does = (command: Loose<PackCommand>): PackCommand => by(owner, command);

const given = (...events: PackEvent[]) => {
  const pack = events.reduce(packDecider.evolve, packDecider.initialState);
  return {
    pack,
    when: (command: PackCommand | StaffCommand) => {
      const decision = packDecider.decide(command, pack);
      return {
        then: (...expected: object[]) => expect(decision).toMatchObject({ accepted: true, events: expected }),
        nothing: () => expect(decision).toEqual({ accepted: true, events: [] }),
        refused: (rejection: object) =>
          expect(decision).toEqual({ accepted: false, rejection: expect.objectContaining(rejection) }),
        events: () => (decision.accepted ? decision.events : []),
      };
    },
  };
};

const draft: PackCommand = does({
  type: 'DraftPack',
  name: 'Dusty Keys',
  slug: 'dusty-keys',
  folder: 'dusty-keys',
  genre: 'Lofi',
  mood: 'Chill',
  description: '',
});
const audio: Omit<SampleAudio, 'audioVersion'> = {
  filename: 'keys.wav',
  originalPath: 'Packs/dusty-keys/samples/1_a.wav',
  sha256: 'a'.repeat(64),
  sizeBytes: 1_000,
  format: 'wav',
  contentType: 'audio/wav',
  sampleRateHz: 44_100,
  bitDepth: 16,
  channels: 2,
  durationMs: 4_000,
  previewKey: 'media/previews/b.mp3',
  waveform: Array<number>(50).fill(10),
  waveformFine: Array<number>(400).fill(10),
  loudnessLufs: -14,
  suggestions: { tempo: null, key: null },
};
const description = { title: 'Keys', bpm: 90, key: 'C Minor', instruments: ['Piano'], isRoyaltyFree: true };
const add = (sampleId: string, priceCredits?: number): PackCommand =>
  does({
    type: 'AddSample',
    sampleId,
    description,
    audio,
    ...(priceCredits === undefined ? {} : { priceCredits }),
  });

/** Returns the events of a pack after these commands. */
const after = (...commands: Array<PackCommand | StaffCommand>): PackEvent[] =>
  commands.reduce<PackEvent[]>((events, command) => {
    const decision = packDecider.decide(command, events.reduce(packDecider.evolve, packDecider.initialState));
    if (!decision.accepted) throw new Error(`${command.type}: ${decision.rejection.code}`);
    return [...events, ...decision.events];
  }, []);

const takenDown: TakeDownPack = {
  type: 'TakeDownPack',
  packId: 'p1',
  actorId: 'pia',
  reason: 'not theirs',
  now,
};
const publish = does({ type: 'PublishPack' });

describe('a pack', () => {
  it('[RIGHT-751] with a sample of a refused origin is not sold, however long ago it was stated', () => {
    const statedAs = (origin: Origin) =>
      does({ type: 'ChangeSample', sampleId: 's1', description: { origin } });
    const { pack } = given(...after(draft, add('s1'), statedAs('ai-assisted')));
    const onSale = after(draft, add('s1'), statedAs('ai-assisted'), does({ type: 'PublishPack' }));
    const published = given(...onSale).pack;
    const refusal = { code: 'OriginNotAccepted', sampleId: 's1', origin: 'ai-assisted' };
    expect(notAccepted(['ai-assisted'], pack, published)).toMatchObject(refusal);
    expect(notAccepted(['ai-generated'], pack, published)).toBeUndefined();
    expect(notAccepted(['ai-assisted'], given(...after(draft, add('s1'))).pack, pack)).toMatchObject(refusal);
    expect(notAccepted(['ai-assisted'], published, published)).toBeUndefined();
  });

  it('[NEWP-03] starts as a draft with its date, default cost 1 and no samples', () => {
    given()
      .when(draft)
      .then({
        type: 'PackDrafted',
        data: expect.objectContaining({ at: now, creatorId: 'ada', defaultCostCredits: 1 }),
      });
    expect(given(...after(draft)).pack).toMatchObject({ status: 'draft', samples: [] });
  });

  it('is drafted once however often it is asked for, and not over another creator’s', () => {
    given(...after(draft))
      .when(draft)
      .nothing();
    given(...after(draft))
      .when({ ...draft, actorId: 'mallory' })
      .refused({ code: 'NotFound' });
  });

  it('[ROLE-03] answers a stranger like an absent pack, whatever is asked', () => {
    for (const command of [
      publish,
      add('s2'),
      does({ type: 'DeletePack' }),
      does({ type: 'ReorderSamples', sampleIds: [] }),
    ]) {
      given(...after(draft, add('s1')))
        .when({ ...command, actorId: stranger.actorId })
        .refused({ code: 'NotFound' });
      given().when(command).refused({ code: 'NotFound' });
    }
  });

  it('[PUB-01] is not published without samples', () => {
    given(...after(draft))
      .when(publish)
      .refused({ code: 'PackHasNoSamples' });
    given(...after(draft, add('s1'), does({ type: 'RemoveSample', sampleId: 's1' })))
      .when(publish)
      .refused({ code: 'PackHasNoSamples' });
  });

  it('[PUB-02] is published with its time; a second press is refused', () => {
    given(...after(draft, add('s1')))
      .when(publish)
      .then({ type: 'PackPublished', data: { packId: 'p1', at: now, publishedAt: now } });
    given(...after(draft, add('s1'), publish))
      .when({ ...publish, now: later })
      .refused({ code: 'PackAlreadyPublished', publishedAt: now });
  });

  it('[PUB-04] is unpublished and published again with its first date, but not after a takedown', () => {
    const published = after(draft, add('s1'), publish);
    given(...published)
      .when(does({ type: 'UnpublishPack' }))
      .then({ type: 'PackUnpublished' });
    given(...after(draft, add('s1')))
      .when(does({ type: 'UnpublishPack' }))
      .refused({ code: 'PackNotPublished' });
    given(...after(draft, add('s1'), publish, does({ type: 'UnpublishPack' })))
      .when({ ...publish, now: later })
      .then({ type: 'PackPublished', data: { packId: 'p1', at: later, publishedAt: now } });
    for (const command of [publish, does({ type: 'UnpublishPack' }), does({ type: 'DeletePack' }), add('s2')])
      given(...after(draft, add('s1'), publish, takenDown))
        .when(command)
        .refused({ code: 'PackTakenDown', reason: 'not theirs' });
  });

  it('is taken down once, published or not, and only when it exists', () => {
    given(...after(draft))
      .when(takenDown)
      .then({ type: 'PackTakenDown', data: { packId: 'p1', at: now, reason: 'not theirs' } });
    given(...after(draft, takenDown))
      .when(takenDown)
      .nothing();
    given().when(takenDown).refused({ code: 'NotFound' });
  });

  it('[EDIT-11] is deleted once; then nothing can be done with it', () => {
    const deleted = after(draft, add('s1'), publish, does({ type: 'DeletePack' }));
    given(...deleted)
      .when(does({ type: 'DeletePack' }))
      .nothing();
    for (const command of [publish, add('s2'), does({ type: 'RenamePack', name: 'x', slug: 'x' })])
      given(...deleted)
        .when(command)
        .refused({ code: 'PackDeleted' });
  });

  it('records only what changed of name, description, genre, mood and cover', () => {
    const drafted = after(draft);
    given(...drafted)
      .when(does({ type: 'RenamePack', name: 'Dusty Keys', slug: 'dusty-keys' }))
      .nothing();
    given(...drafted)
      .when(does({ type: 'DescribePack', description: '' }))
      .nothing();
    given(...drafted)
      .when(does({ type: 'ClassifyPack', genre: 'Lofi', mood: 'Chill' }))
      .nothing();
    given(...drafted)
      .when(does({ type: 'ClassifyPack', genre: 'Trap', mood: 'Chill' }))
      .then({ type: 'PackClassified' });
    given(...drafted)
      .when(does({ type: 'ReplaceCover', coverKey: 'media/covers/a.webp', drawn: false }))
      .then({ type: 'PackCoverReplaced' });
    given(...drafted)
      .when(does({ type: 'RenamePack', name: 'Dust', slug: 'dust' }))
      .then({ type: 'PackRenamed', data: { packId: 'p1', at: now, name: 'Dust', slug: 'dust' } });
  });
});

describe('a sample of a pack', () => {
  it('[SMOD-08] is added with every fact about its audio, at the default cost unless told', () => {
    given(...after(draft, does({ type: 'ChangeDefaultCost', priceCredits: 3, applyToAll: false })))
      .when(add('s1'))
      .then({
        type: 'SampleAdded',
        data: expect.objectContaining({
          ...audio,
          ...description,
          sampleId: 's1',
          priceCredits: 3,
          audioVersion: 1,
          creatorId: 'ada',
        }),
      });
    given(...after(draft))
      .when(add('s1', 5))
      .then({ type: 'SampleAdded', data: expect.objectContaining({ priceCredits: 5 }) });
  });

  it('is added once under one id, and never again after its removal', () => {
    given(...after(draft, add('s1')))
      .when(add('s1'))
      .nothing();
    given(...after(draft, add('s1'), does({ type: 'RemoveSample', sampleId: 's1' })))
      .when(add('s1'))
      .refused({ code: 'NotFound' });
  });

  it('is refused beyond 1000', () => {
    const full = after(draft, ...Array.from({ length: 1 }, (_, index) => add(`s${index}`)));
    const added = full.at(-1) as Extract<PackEvent, { type: 'SampleAdded' }>;
    const many = Array.from({ length: 999 }, (_, index) => ({
      ...added,
      data: { ...added.data, sampleId: `t${index}` },
    }));
    given(...full, ...many.slice(1))
      .when(add('last'))
      .then({ type: 'SampleAdded' });
    given(...full, ...many)
      .when(add('last'))
      .refused({ code: 'TooManySamples', limit: 1_000 });
  });

  it('changes words and price apart, and neither when nothing differs', () => {
    const events = after(draft, add('s1', 2));
    const change = (rest: object): PackCommand =>
      does({ type: 'ChangeSample', sampleId: 's1', description: {}, ...rest } as Loose<PackCommand>);
    given(...events)
      .when(change({}))
      .nothing();
    given(...events)
      .when(change({ description: { bpm: 90 }, priceCredits: 2 }))
      .nothing();
    given(...events)
      .when(change({ description: { bpm: 91 } }))
      .then({
        type: 'SampleDescribed',
        data: { packId: 'p1', at: now, sampleId: 's1', ...description, bpm: 91 },
      });
    given(...events)
      .when(change({ priceCredits: 4 }))
      .then({ type: 'SamplePriceChanged', data: { packId: 'p1', at: now, sampleId: 's1', priceCredits: 4 } });
    given(...events)
      .when({ ...change({}), sampleId: 'nope' } as PackCommand)
      .refused({ code: 'NotFound' });
  });

  it('counts the versions of its audio', () => {
    const replace = does({ type: 'ReplaceSampleAudio', sampleId: 's1', audio });
    given(...after(draft, add('s1')))
      .when(replace)
      .then({ type: 'SampleAudioReplaced', data: expect.objectContaining({ audioVersion: 2 }) });
    given(...after(draft, add('s1'), replace))
      .when(replace)
      .then({ type: 'SampleAudioReplaced', data: expect.objectContaining({ audioVersion: 3 }) });
  });

  it('takes stems and MIDI', () => {
    const attachment = {
      filename: 'a.mid',
      path: 'Packs/x/midi/a.mid',
      sha256: 'c',
      sizeBytes: 3,
      contentType: 'audio/midi',
    };
    given(...after(draft, add('s1')))
      .when(does({ type: 'AttachMidi', sampleId: 's1', attachment }))
      .then({ type: 'MidiAttached' });
    given(...after(draft, add('s1')))
      .when(does({ type: 'AttachStems', sampleId: 's1', attachment }))
      .then({ type: 'StemsAttached' });
    given(...after(draft))
      .when(does({ type: 'AttachStems', sampleId: 's1', attachment }))
      .refused({ code: 'NotFound' });
  });

  it('keeps the order given; an order that misses, adds or repeats one is refused', () => {
    const events = after(draft, add('s1'), add('s2'), add('s3'));
    const order = (...sampleIds: string[]): PackCommand => does({ type: 'ReorderSamples', sampleIds });
    given(...events)
      .when(order('s1', 's2', 's3'))
      .nothing();
    for (const wrong of [['s1', 's2'], ['s1', 's2', 's2'], ['s1', 's2', 's3', 's4'], []])
      given(...events)
        .when(order(...wrong))
        .refused({ code: 'SampleOrderMismatch' });
    const moved = given(
      ...events,
      ...given(...events)
        .when(order('s3', 's1', 's2'))
        .events(),
    ).pack;
    expect(moved).toMatchObject({ samples: [{ sampleId: 's3' }, { sampleId: 's1' }, { sampleId: 's2' }] });
  });

  it('[EDIT-08] follows a default cost applied to all, where it differs', () => {
    const events = after(draft, add('s1', 1), add('s2', 4));
    given(...events)
      .when(does({ type: 'ChangeDefaultCost', priceCredits: 4, applyToAll: true }))
      .then(
        { type: 'DefaultCostChanged', data: { packId: 'p1', at: now, priceCredits: 4 } },
        { type: 'SamplePriceChanged', data: { packId: 'p1', at: now, sampleId: 's1', priceCredits: 4 } },
      );
    given(...events)
      .when(does({ type: 'ChangeDefaultCost', priceCredits: 1, applyToAll: false }))
      .nothing();
  });

  it('raced: of two removals decided on the same state, replaying the loser finds nothing', () => {
    const events = after(draft, add('s1'));
    const remove = does({ type: 'RemoveSample', sampleId: 's1' });
    const winner = given(...events)
      .when(remove)
      .events();
    given(...events, ...winner)
      .when(remove)
      .refused({ code: 'NotFound' });
  });
});

describe('[ACC-03] a creator', () => {
  const one = { userId: 'ada', now };
  const apply: CreatorCommand = { type: 'ApplyAsCreator', autoApprove: false, ...one };
  const approve: CreatorCommand = { type: 'ApproveCreator', by: 'root', ...one };
  const decline: CreatorCommand = { type: 'DeclineCreator', by: 'root', reason: 'no sounds', ...one };
  const suspend: CreatorCommand = { type: 'SuspendCreator', by: 'root', reason: 'theft', ...one };
  const reinstate: CreatorCommand = { type: 'ReinstateCreator', by: 'root', ...one };
  const creatorAfter = (...commands: CreatorCommand[]) =>
    commands.reduce((state, command) => {
      const decision = creatorDecider.decide(command, state);
      if (!decision.accepted) throw new Error(decision.rejection.code);
      return decision.events.reduce(creatorDecider.evolve, state);
    }, creatorDecider.initialState);
  const types = (command: CreatorCommand, ...before: CreatorCommand[]): string[] => {
    const decision = creatorDecider.decide(command, creatorAfter(...before));
    return decision.accepted
      ? decision.events.map((event: CreatorEvent) => event.type)
      : [decision.rejection.code];
  };

  it('applies once, and is approved at once where configured', () => {
    expect(types(apply)).toEqual(['CreatorApplied']);
    expect(types(apply, apply)).toEqual(['ApplicationExists']);
    expect(types({ ...apply, autoApprove: true } as CreatorCommand)).toEqual([
      'CreatorApplied',
      'CreatorApproved',
    ]);
    expect(types({ ...apply, autoApprove: true } as CreatorCommand, apply)).toEqual(['CreatorApproved']);
    expect(types(apply, apply, approve)).toEqual(['ApplicationExists']);
    expect(types(apply, apply, decline)).toEqual(['CreatorApplied']);
  });

  it('is approved, declined, suspended and reinstated by an admin, each with one effect', () => {
    expect(types(approve)).toEqual(['NotFound']);
    expect(types(approve, apply)).toEqual(['CreatorApproved']);
    expect(types(approve, apply, approve)).toEqual([]);
    expect(types(decline, apply)).toEqual(['CreatorDeclined']);
    expect(types(decline, apply, decline)).toEqual([]);
    expect(types(decline, apply, approve)).toEqual(['NotFound']);
    expect(types(suspend, apply)).toEqual(['NotFound']);
    expect(types(suspend, apply, approve)).toEqual(['CreatorSuspended']);
    expect(types(suspend, apply, approve, suspend)).toEqual([]);
    expect(types(reinstate, apply, approve, suspend)).toEqual(['CreatorReinstated']);
    expect(types(apply, apply, approve, suspend)).toEqual(['CreatorSuspended']);
  });

  it('[ROLE-05] publishes only while approved', () => {
    expect(obstacleToPublishing(creatorAfter().status)).toEqual({ code: 'CreatorAccessRequired' });
    expect(obstacleToPublishing(creatorAfter(apply).status)).toEqual({ code: 'CreatorAccessRequired' });
    expect(obstacleToPublishing(creatorAfter(apply, approve).status)).toBeUndefined();
    expect(obstacleToPublishing(creatorAfter(apply, approve, suspend).status)).toEqual({
      code: 'CreatorSuspended',
    });
    expect(obstacleToPublishing(creatorAfter(apply, approve, suspend, reinstate).status)).toBeUndefined();
  });
});

describe('[NEWP-02] a slug', () => {
  it('is the name lowercased, other characters one dash, none at the ends', () => {
    expect(slugFrom('  Dusty   Keys! ')).toBe('dusty-keys');
    expect(slugFrom('Neo R&B / Vol. 2')).toBe('neo-r-b-vol-2');
    expect(slugFrom('Café Noir')).toBe('cafe-noir');
    expect(slugFrom('東京')).toBe('pack');
    expect(slugFrom('a'.repeat(200))).toHaveLength(100);
  });
  it('counts on when taken', () => {
    expect([1, 2, 3].map((attempt) => slugCandidate('drums', attempt))).toEqual([
      'drums',
      'drums-2',
      'drums-3',
    ]);
  });
});
