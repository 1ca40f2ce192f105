import { describe, expect, it } from '@jest/globals';
import { randomFrom } from '../../domain/shared/seeded-random.js';
import { openStrikes, strikeDecider, type StrikeEvent } from '../../domain/publishing/strikes.js';
import {
  copyDecider,
  mirrored,
  type CopyCommand,
  type CopyEvent,
  type CopyState,
  type Match,
} from '../../domain/publishing/suspicion.js';
import { SEED } from '../support/sizes.js';

const now = '2026-11-20T12:00:00.000Z';
const remark = { remarkId: 'r', remarkSha256: 'f' };
const match: Match = {
  by: 'fingerprint',
  tier: 'held',
  score: 97,
  frames: { agree: 118, of: 122 },
  stretch: { fromMs: 1_200, toMs: 17_700, likeFromMs: 1_600, likeToMs: 18_100 },
  offsetMs: 400,
  speed: 1.02,
  pitchCents: 34,
};
const suspect = (like = 'first', creatorId = 'teo'): CopyCommand => ({
  type: 'SuspectCopy',
  copyId: 's2-1',
  sampleId: 's2',
  audioVersion: 1,
  sha256: 'b'.repeat(64),
  packId: 'p2',
  creatorId: 'lio',
  like: { sampleId: like, audioVersion: 1, creatorId },
  ...match,
  isHeld: true,
  now,
});
const decideBy = (decision: 'allowed' | 'refused' | 'taken down', by = 'ines'): CopyCommand => ({
  type: 'DecideOnCopy',
  decision,
  by,
  remark,
  now,
});
const lapse: CopyCommand = { type: 'LapseSuspicion', now };
const show = (by: string): CopyCommand => ({ type: 'ShowLicence', by, kind: 'own work', remark, now });
const answer = (by: string): CopyCommand => ({ type: 'AnswerSuspicion', by, remark, now });
const decide = (state: CopyState, command: CopyCommand) => copyDecider.decide(command, state);
const after = (...commands: CopyCommand[]): CopyState =>
  commands.reduce<CopyState>((state, command) => {
    const decision = decide(state, command);
    return decision.accepted ? decision.events.reduce(copyDecider.evolve, state) : state;
  }, copyDecider.initialState);
const nothing = { accepted: true, events: [] };

describe('a suspected copy', () => {
  it('[COPY-30] is told once for each pair, and decided once, by nobody whose sound it is about', () => {
    const open = after(suspect());
    expect(decide(open, suspect())).toEqual(nothing);
    for (const by of ['lio', 'teo'])
      expect(decide(open, decideBy('allowed', by))).toMatchObject({ rejection: { code: 'OwnInterest' } });
    const refused = after(suspect(), decideBy('refused'));
    expect(decide(refused, decideBy('allowed', 'emil'))).toMatchObject({
      rejection: { code: 'AlreadyDecided', state: 'refused', by: 'ines' },
    });
    expect(decide(copyDecider.initialState, decideBy('allowed'))).toMatchObject({
      rejection: { code: 'NotFound' },
    });
    // A sample that is off sale causes no further suspicion.
    expect(decide(refused, suspect('other', 'mo'))).toEqual(nothing);
  });

  it('[COPY-31] that was allowed is opened again by another sound alone, with a reason of its own', () => {
    const allowed = after(suspect(), decideBy('allowed'));
    expect(decide(allowed, suspect())).toEqual(nothing);
    const again = decide(allowed, suspect('other', 'mo'));
    expect(again).toMatchObject({ events: [{ type: 'CopySuspected', data: { claimId: 's2-1.2' } }] });
    const open = after(suspect(), decideBy('allowed'), suspect('other', 'mo'));
    // The creators of both originals may answer, but neither may decide.
    for (const by of ['teo', 'mo']) {
      expect(decide(open, answer(by))).toMatchObject({ accepted: true });
      expect(decide(open, decideBy('refused', by))).toMatchObject({ rejection: { code: 'OwnInterest' } });
    }
    expect(decide(open, decideBy('refused'))).toMatchObject({ events: [{ data: { claimId: 's2-1.2' } }] });
  });

  it('[COPY-51] has its sides swapped while it is open, by nobody whose sound it is about, and back again', () => {
    const swap = (by = 'ines'): CopyCommand => ({ type: 'SwapSides', by, remark, now });
    const open = after(suspect(), { ...suspect('other', 'mo'), score: 99 } as CopyCommand);
    expect(open).toMatchObject({ closest: { sampleId: 'other', score: 99 } });
    for (const by of ['lio', 'teo', 'mo'])
      expect(decide(open, swap(by))).toMatchObject({ rejection: { code: 'OwnInterest' } });
    expect(decide(open, swap())).toMatchObject({
      events: [{ type: 'SidesSwapped', data: { claimId: 's2-1', creatorId: 'lio', by: 'ines' } }],
    });
    const swapped = after(suspect(), swap());
    for (const late of [swap(), decideBy('allowed'), show('lio')])
      expect(decide(swapped, late)).toMatchObject({
        rejection: { code: 'AlreadyDecided', state: 'swapped', by: 'ines' },
      });
    // A check that finds the known pair again changes nothing. An administrator can swap it back.
    expect(decide(swapped, suspect())).toEqual(nothing);
    const back = { ...suspect(), isSwapped: true } as CopyCommand;
    expect(decide(swapped, back)).toMatchObject({ events: [{ data: { claimId: 's2-1.2' } }] });
    expect(decide(after(suspect(), decideBy('refused')), back)).toEqual(nothing);
  });

  it('[COPY-32] hears its own creator and those of the originals, while it is open', () => {
    const open = after(suspect());
    expect(decide(open, show('lio'))).toMatchObject({ events: [{ type: 'LicenceShown' }] });
    for (const command of [show('teo'), show('mo'), answer('lio'), answer('mo')])
      expect(decide(open, command)).toMatchObject({ rejection: { code: 'NotFound' } });
    const gone = after(suspect(), lapse);
    for (const command of [show('lio'), answer('teo'), decideBy('allowed')])
      expect(decide(gone, command)).toMatchObject({ rejection: { code: 'AlreadyDecided', state: 'lapsed' } });
    expect(decide(gone, suspect())).toEqual(nothing);
  });

  it(`[COPY-30] ends in one decision whatever comes in which order (seed ${SEED})`, () => {
    const random = randomFrom(SEED);
    const pick = <Each>(all: readonly Each[]): Each => all[Math.floor(random() * all.length)] as Each;
    for (let history = 0; history < 300; history += 1) {
      const events: CopyEvent[] = [];
      let state: CopyState = copyDecider.initialState;
      for (let step = 0; step < 12; step += 1) {
        const people = ['lio', 'teo', 'mo', 'ines', 'emil'];
        const command = pick<CopyCommand>([
          suspect(pick(['first', 'other', 'third']), pick(['teo', 'mo'])),
          decideBy(pick(['allowed', 'refused', 'taken down']), pick(people)),
          show(pick(people)),
          answer(pick(people)),
          lapse,
        ]);
        const decision = decide(state, command);
        if (!decision.accepted) continue;
        events.push(...decision.events);
        state = decision.events.reduce(copyDecider.evolve, state);
      }
      const ends = events.flatMap((event) =>
        event.type === 'CopyDecided' || event.type === 'SuspicionLapsed' ? event.data.claimId : [],
      );
      expect(new Set(ends).size).toBe(ends.length);
      const final = events.findIndex(
        ({ type, data }) =>
          type === 'SuspicionLapsed' || (type === 'CopyDecided' && data.decision !== 'allowed'),
      );
      expect(final === -1 || final === events.length - 1).toBe(true);
      for (const { type, data } of events)
        if (type === 'CopyDecided') expect(['ines', 'emil', 'teo', 'mo']).toContain(data.by);
    }
  });

  it('[COPY-33] seen from the other side is the same twice', () => {
    expect(mirrored(match)).toMatchObject({
      stretch: { fromMs: 1_600, toMs: 18_100, likeFromMs: 1_200, likeToMs: 17_700 },
      offsetMs: -400,
      speed: 0.98,
      pitchCents: -34,
    });
    expect(mirrored(mirrored(match))).toEqual(match);
  });
});

it('[COPY-34] a strike counts once for its reason, and for a year', () => {
  const strike = (id: string, at: string) =>
    ({ type: 'RecordStrike', userId: 'lio', because: { kind: 'copy', id }, by: 'ines', now: at }) as const;
  let state = strikeDecider.initialState;
  for (const [id, at] of [
    ['one', '2025-11-01T00:00:00.000Z'],
    ['two', '2026-11-01T00:00:00.000Z'],
    ['two', '2026-11-02T00:00:00.000Z'],
  ] as const) {
    const decision = strikeDecider.decide(strike(id, at), state);
    const events: readonly StrikeEvent[] = decision.accepted ? decision.events : [];
    state = events.reduce(strikeDecider.evolve, state);
  }
  expect(state.of).toHaveLength(2);
  expect(openStrikes(state, new Date(now))).toBe(1);
});
