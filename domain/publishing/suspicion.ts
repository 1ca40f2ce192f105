import { evolveBy } from '../shared/by-type.js';
import { accept, reject, unreachable, type Decision, type Decider } from '../shared/decision.js';
import type { Remark } from '../shared/remark.js';

export interface Recording {
  sampleId: string;
  audioVersion: number;
}

export const copyIdOf = ({ sampleId, audioVersion }: Recording): string => `${sampleId}-${audioVersion}`;

export interface Match {
  by: 'hash' | 'fingerprint';
  /** `held`: off sale until a decision. `listed`: stays on sale until a decision. */
  tier: 'held' | 'listed';
  /** How alike the recordings are, from 0 to 100. */
  score: number;
  /** How many of the compared frames agree. */
  frames: { agree: number; of: number };
  /** The matching part, as times in this recording and in the similar recording. */
  stretch: { fromMs: number; toMs: number; likeFromMs: number; likeToMs: number };
  /** How much later the match is in the similar recording. Negative if it is earlier there. */
  offsetMs: number;
  /** How much faster this recording is than the similar one. 1.02 means two per cent faster. */
  speed: number;
  /** How much higher this recording is than the similar one, in hundredths of a semitone. */
  pitchCents: number;
}

/** Returns a match as seen from the other recording. */
export function mirrored<Each extends Match>(match: Each): Each {
  const { stretch, offsetMs, speed, pitchCents } = match;
  const { fromMs, toMs, likeFromMs, likeToMs } = stretch;
  return {
    ...match,
    stretch: { fromMs: likeFromMs, toMs: likeToMs, likeFromMs: fromMs, likeToMs: toMs },
    offsetMs: -offsetMs || 0,
    speed: Math.round(1_000 / speed) / 1_000,
    pitchCents: -pitchCents || 0,
  };
}

function matchOf(copy: Match): Match {
  const { by, tier, score, frames, stretch, offsetMs, speed, pitchCents } = copy;
  return { by, tier, score, frames, stretch, offsetMs, speed, pitchCents };
}

export type LikedRecording = Recording & { creatorId: string };

export interface SuspectedCopy extends Recording, Match {
  copyId: string;
  sha256: string;
  packId: string;
  creatorId: string;
  like: LikedRecording;
  isHeld: boolean;
  /** Set if an administrator decided that this recording is the later one of the pair. */
  isSwapped?: true;
}

export const COPY_DECISIONS = ['allowed', 'refused', 'taken down'] as const;
export type CopyDecision = (typeof COPY_DECISIONS)[number];
export const COPY_STATUSES = ['open', ...COPY_DECISIONS, 'lapsed', 'swapped'] as const;
export type CopyStatus = (typeof COPY_STATUSES)[number];

export type CopyState =
  | { status: 'none' }
  | {
      status: CopyStatus;
      /** How often the suspicion was opened. A further similar recording, or swapped sides, may reopen it. */
      round: number;
      copyId: string;
      creatorId: string;
      sampleId: string;
      audioVersion: number;
      sha256: string;
      /** The similar recordings of all rounds so far. */
      likes: LikedRecording[];
      closest: LikedRecording & Match;
      decidedBy?: string;
    };

/** Each round has its own claim, so that the decision of one round does not affect the next. */
const claimIdOf = (copyId: string, round: number): string => (round === 1 ? copyId : `${copyId}.${round}`);

export type CopyCommand = { now: string } & (
  | ({ type: 'SuspectCopy' } & SuspectedCopy)
  /** The creator of the suspected recording explains why they may sell it. */
  | { type: 'ShowLicence'; by: string; kind: 'licence' | 'own work'; remark: Remark }
  | { type: 'AnswerSuspicion'; by: string; remark: Remark }
  | {
      type: 'DecideOnCopy';
      decision: CopyDecision;
      by: string;
      /** Whether an `allowed` pair also stops suspicions about all other pairs of these two creators. */
      andOthers?: boolean;
      remark?: Remark;
    }
  /** The similar recording is the later one, so that recording is suspected instead. */
  | { type: 'SwapSides'; by: string; remark: Remark }
  | { type: 'LapseSuspicion' }
);

type Fact<Type extends string, Data> = { type: Type; data: { copyId: string; at: string } & Data };
/** What reactors need to know to apply a decision to the sample. */
interface About {
  claimId: string;
  sampleId: string;
  sha256: string;
  creatorId: string;
}

export type CopyEvent =
  | Fact<'CopySuspected', SuspectedCopy & { claimId: string }>
  | Fact<'LicenceShown', { by: string; kind: 'licence' | 'own work' } & Remark>
  | Fact<'SuspicionAnswered', { by: string } & Remark>
  | Fact<'CopyDecided', About & { decision: CopyDecision; by: string; andOthers?: true } & Partial<Remark>>
  | Fact<'SidesSwapped', About & { by: string } & Remark>
  | Fact<'SuspicionLapsed', About>;

export type CopyRejection =
  | { code: 'NotFound' }
  /** The administrator is the creator of one of the recordings, and so may not decide. */
  | { code: 'OwnInterest' }
  | { code: 'AlreadyDecided'; state: CopyStatus; by?: string };

const isSame = (one: Recording, other: Recording): boolean => copyIdOf(one) === copyIdOf(other);

/** Returns whether this pair was decided or waits for a decision. */
export const knows = (state: CopyState, like: Recording): boolean =>
  state.status !== 'none' && state.likes.some((each) => isSame(each, like));

/** A refused, taken down or lapsed recording is not suspected again. Only swapped sides reopen a known pair. */
function mayOpen(state: CopyState, { like, isSwapped }: SuspectedCopy): boolean {
  if (state.status === 'none') return true;
  if (isSwapped && (state.status === 'allowed' || state.status === 'swapped')) return true;
  return (state.status === 'open' || state.status === 'allowed') && !knows(state, like);
}

function decide(command: CopyCommand, state: CopyState): Decision<CopyEvent, CopyRejection> {
  const { now: at } = command;
  if (command.type === 'SuspectCopy') {
    const { type: _, now: __, ...suspected } = command;
    if (!mayOpen(state, suspected)) return accept();
    const round = state.status === 'none' ? 1 : state.round + (state.status === 'open' ? 0 : 1);
    const claimId = claimIdOf(suspected.copyId, round);
    return accept<CopyEvent>({ type: 'CopySuspected', data: { ...suspected, claimId, at } });
  }
  if (state.status === 'none') return reject({ code: 'NotFound' });
  const { copyId, round, sampleId, sha256, creatorId, status, likes, decidedBy } = state;
  const about = { copyId, claimId: claimIdOf(copyId, round), sampleId, sha256, creatorId, at };
  const isOriginals = (userId: string) => likes.some((like) => like.creatorId === userId);
  const closed = reject({ code: 'AlreadyDecided' as const, state: status, by: decidedBy });
  switch (command.type) {
    case 'ShowLicence': {
      const { by, kind, remark } = command;
      if (by !== creatorId) return reject({ code: 'NotFound' });
      if (status !== 'open') return closed;
      return accept<CopyEvent>({ type: 'LicenceShown', data: { copyId, at, by, kind, ...remark } });
    }
    case 'AnswerSuspicion': {
      const { by, remark } = command;
      if (!isOriginals(by)) return reject({ code: 'NotFound' });
      if (status !== 'open') return closed;
      return accept<CopyEvent>({ type: 'SuspicionAnswered', data: { copyId, at, by, ...remark } });
    }
    case 'DecideOnCopy': {
      const { decision, by, remark } = command;
      if (by === creatorId || isOriginals(by)) return reject({ code: 'OwnInterest' });
      if (status !== 'open') return closed;
      const others = command.andOthers && decision === 'allowed' ? ({ andOthers: true } as const) : {};
      return accept({ type: 'CopyDecided', data: { ...about, decision, by, ...others, ...remark } });
    }
    case 'SwapSides': {
      const { by, remark } = command;
      if (by === creatorId || isOriginals(by)) return reject({ code: 'OwnInterest' });
      if (status !== 'open') return closed;
      return accept<CopyEvent>({ type: 'SidesSwapped', data: { ...about, by, ...remark } });
    }
    case 'LapseSuspicion':
      return status === 'open' ? accept<CopyEvent>({ type: 'SuspicionLapsed', data: about }) : accept();
    default:
      return unreachable(command);
  }
}

const evolveSuspected = evolveBy<
  Exclude<CopyState, { status: 'none' }>,
  Exclude<CopyEvent, { type: 'CopySuspected' }>
>({
  LicenceShown: (state) => state,
  SuspicionAnswered: (state) => state,
  CopyDecided: (state, { decision, by }) => ({ ...state, status: decision, decidedBy: by }),
  SidesSwapped: (state, { by }) => ({ ...state, status: 'swapped', decidedBy: by }),
  SuspicionLapsed: (state) => ({ ...state, status: 'lapsed' }),
});

function evolve(state: CopyState, event: CopyEvent): CopyState {
  if (event.type === 'CopySuspected') {
    const { copyId, sampleId, audioVersion, sha256, creatorId, like } = event.data;
    const before = state.status === 'none' ? { round: 0, likes: [] } : state;
    const isOpen = state.status === 'open';
    const round = isOpen ? before.round : before.round + 1;
    const closest =
      isOpen && state.closest.score >= event.data.score ? state.closest : { ...matchOf(event.data), ...like };
    const likes = [...before.likes, like];
    return { status: 'open', round, copyId, sampleId, audioVersion, sha256, creatorId, likes, closest };
  }
  return state.status === 'none' ? state : evolveSuspected(state, event);
}

/** Stream `copy-{sampleId}-{audioVersion}`: whether a recording is a copy of another creator's recording. */
export const copyDecider: Decider<CopyCommand, CopyState, CopyEvent, CopyRejection> = {
  streamOf: (copyId) => `copy-${copyId}`,
  initialState: { status: 'none' },
  decide,
  evolve,
};
