import type { Decider } from '../shared/decider.js';
import { accept, reject, unreachable, type Decision } from '../shared/decision.js';
import type { Remark } from '../shared/remark.js';

/** Stream `copy-{sampleId}-{audioVersion}`: whether a recording is a copy of another creator's. */
const streamOf = (copyId: string): string => `copy-${copyId}`;

export interface Recording {
  sampleId: string;
  audioVersion: number;
}

/** The id of what is suspected of a recording. */
export const copyIdOf = ({ sampleId, audioVersion }: Recording): string => `${sampleId}-${audioVersion}`;

/** How alike two recordings are. */
export interface Match {
  by: 'hash' | 'fingerprint';
  /** Held: so alike that it is not sold until somebody has decided. Listed: on sale meanwhile. */
  tier: 'held' | 'listed';
  /** 0 to 100. */
  score: number;
  /** Moments of the fingerprint. */
  frames: { agree: number; of: number };
  /** What is the same, on the clock of each. */
  stretch: { fromMs: number; toMs: number; likeFromMs: number; likeToMs: number };
  /** How much later the same moment comes in the one that it is like; negative: earlier. */
  offsetMs: number;
  /** How much faster it is than the one that it is like: 1.02 is two per cent. */
  speed: number;
  /** How much higher it is, in hundredths of a semitone. */
  pitchCents: number;
}

/** The same match, seen from the other recording. */
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

const matchOf = ({ by, tier, score, frames, stretch, offsetMs, speed, pitchCents }: Match): Match => ({
  by,
  tier,
  score,
  frames,
  stretch,
  offsetMs,
  speed,
  pitchCents,
});

/** What another one is like. */
export type LikedRecording = Recording & { creatorId: string };

export interface SuspectedCopy extends Recording, Match {
  copyId: string;
  /** Of the original's bytes. */
  sha256: string;
  packId: string;
  creatorId: string;
  like: LikedRecording;
  /** Whether it leaves the shop until somebody has decided. */
  isHeld: boolean;
  /** An administrator said that it is the later one of the two. */
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
      /** How often it was opened: what was allowed may turn out to be like another one. */
      round: number;
      copyId: string;
      creatorId: string;
      sampleId: string;
      audioVersion: number;
      sha256: string;
      /** What it is like, and was like in earlier rounds. */
      likes: LikedRecording[];
      /** What it is most like in the present round, and how much. */
      closest: LikedRecording & Match;
      decidedBy?: string;
    };

/** What a recording is withheld for: a decision of an earlier round says nothing about a later one. */
const claimIdOf = (copyId: string, round: number): string => (round === 1 ? copyId : `${copyId}.${round}`);

export type CopyCommand = { now: string } & (
  | ({ type: 'SuspectCopy' } & SuspectedCopy)
  /** The creator of the recording says why it is theirs to sell. */
  | { type: 'ShowLicence'; by: string; kind: 'licence' | 'own work'; remark: Remark }
  /** The creator of what it is like says what they know. */
  | { type: 'AnswerSuspicion'; by: string; remark: Remark }
  | {
      type: 'DecideOnCopy';
      decision: CopyDecision;
      by: string;
      /** Allowed: nor is anything else of these creators a copy of each other's. */
      andOthers?: boolean;
      remark?: Remark;
    }
  /** What it is like came later: that one is suspected instead. */
  | { type: 'SwapSides'; by: string; remark: Remark }
  /** The recording is gone. */
  | { type: 'LapseSuspicion' }
);

type Fact<Type extends string, Data> = { type: Type; data: { copyId: string; at: string } & Data };
/** Enough to carry out what follows. */
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

export const COPY_EVENT_TYPES = [
  'CopySuspected',
  'LicenceShown',
  'SuspicionAnswered',
  'CopyDecided',
  'SidesSwapped',
  'SuspicionLapsed',
] as const satisfies readonly CopyEvent['type'][];

export type CopyRejection =
  | { code: 'NotFound' }
  /** It is about a sound of their own. */
  | { code: 'OwnInterest' }
  | { code: 'AlreadyDecided'; state: CopyStatus; by?: string };

const initialState: CopyState = { status: 'none' };

const isSame = (one: Recording, other: Recording): boolean => copyIdOf(one) === copyIdOf(other);

/** Whether it was decided that these two may both be sold, or is being decided. */
export const knows = (state: CopyState, like: Recording): boolean =>
  state.status !== 'none' && state.likes.some((each) => isSame(each, like));

/** What is gone or not sold is suspected of nothing more; a pair that is known is opened again by an administrator alone. */
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
  const closed = reject({
    code: 'AlreadyDecided' as const,
    state: status,
    ...(decidedBy !== undefined && { by: decidedBy }),
  });
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
      return accept<CopyEvent>({
        type: 'CopyDecided',
        data: { ...about, decision, by, ...others, ...remark },
      });
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
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'LicenceShown':
    case 'SuspicionAnswered':
      return state;
    case 'CopyDecided':
      return { ...state, status: event.data.decision, decidedBy: event.data.by };
    case 'SidesSwapped':
      return { ...state, status: 'swapped', decidedBy: event.data.by };
    case 'SuspicionLapsed':
      return { ...state, status: 'lapsed' };
    default:
      return unreachable(event);
  }
}

export const copyDecider: Decider<CopyCommand, CopyState, CopyEvent, CopyRejection> = {
  streamOf,
  initialState,
  decide,
  evolve,
};
