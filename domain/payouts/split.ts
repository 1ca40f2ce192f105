import { accept, reject, unreachable, type Decider, type Decision } from '../shared/decision.js';
import { sumOf } from '../shared/micro-usd.js';
import { WHOLE_BPS, type Part } from '../shared/share-policy.js';

/** Enough for a band. The number is small because each sale adds a journal line for each collaborator. */
export const MOST_COLLABORATORS = 10;

export type SplitStatus = 'proposed' | 'accepted' | 'declined' | 'ended';

interface Named {
  splitId: string;
  packId: string;
  /** The creator of the pack, who proposed the split. */
  ownerId: string;
  /** The collaborator. */
  creatorId: string;
  /** The collaborator's part of the share of each later sale, in basis points. */
  bps: number;
}

/** `parts`: how the share of the next sale is divided, the creator of the pack first. */
type InForce = Named & { parts: readonly Part[]; at: string };

export type SplitEvent =
  | { type: 'SplitProposed'; data: Named & { at: string } }
  | { type: 'SplitAccepted'; data: InForce }
  | { type: 'SplitDeclined'; data: Named & { at: string } }
  /** Ends an accepted split, or withdraws a proposal. The collaborator keeps what was earned before. */
  | { type: 'SplitEnded'; data: InForce & { by: string } };

export type SplitAnswer = 'AcceptSplit' | 'DeclineSplit' | 'EndSplit';
export type SplitCommand =
  | ({ type: 'ProposeSplit'; now: string } & Named)
  | { type: SplitAnswer; splitId: string; by: string; now: string };

export type SplitRejection =
  | { code: 'NotFound' }
  /** The collaborator is the creator of the pack. */
  | { code: 'SplitWithSelf' }
  /** The collaborator already has a part of this pack, or a proposal for one. */
  | { code: 'AlreadyShared' }
  /** The part exceeds `leftBps`: what other parts leave, less the basis point that the creator must keep. */
  | { code: 'SharesExceedWhole'; leftBps: number }
  | { code: 'TooManyCollaborators' }
  /** The id belongs to another proposal. */
  | { code: 'IdempotencyKeyReused' }
  | { code: 'SplitClosed'; state: SplitStatus };

type Split = Named & { status: SplitStatus };
type Splits = readonly Split[];

const isOpen = ({ status }: Split): boolean => status === 'proposed' || status === 'accepted';

/**
 * Returns how the share of a sale is divided now, the creator of the pack first. A proposed part stays with the
 * creator of the pack until it is accepted.
 */
export function partsOf(ownerId: string, splits: Splits): Part[] {
  const accepted = splits.filter(({ status }) => status === 'accepted');
  const given = accepted.map(({ creatorId, bps }) => ({ creatorId, bps }));
  return [{ creatorId: ownerId, bps: WHOLE_BPS - sumOf(given.map(({ bps }) => bps)) }, ...given];
}

function propose(
  { type: _, now: at, ...named }: Extract<SplitCommand, { type: 'ProposeSplit' }>,
  splits: Splits,
): Decision<SplitEvent, SplitRejection> {
  const known = splits.find(({ splitId }) => splitId === named.splitId);
  if (known)
    return known.creatorId === named.creatorId && known.bps === named.bps
      ? accept()
      : reject({ code: 'IdempotencyKeyReused' });
  if (named.creatorId === named.ownerId) return reject({ code: 'SplitWithSelf' });
  const open = splits.filter(isOpen);
  if (open.some(({ creatorId }) => creatorId === named.creatorId)) return reject({ code: 'AlreadyShared' });
  if (open.length >= MOST_COLLABORATORS) return reject({ code: 'TooManyCollaborators' });
  const leftBps = WHOLE_BPS - 1 - sumOf(open.map(({ bps }) => bps));
  if (named.bps > leftBps) return reject({ code: 'SharesExceedWhole', leftBps });
  return accept({ type: 'SplitProposed', data: { ...named, at } });
}

function decide(command: SplitCommand, splits: Splits): Decision<SplitEvent, SplitRejection> {
  if (command.type === 'ProposeSplit') return propose(command, splits);
  const { type, splitId, by, now: at } = command;
  const split = splits.find((each) => each.splitId === splitId);
  const mayAct = split?.creatorId === by || (type === 'EndSplit' && split?.ownerId === by);
  if (!split || !mayAct) return reject({ code: 'NotFound' });
  const { status, ...named } = split;
  const others = splits.filter((each) => each !== split);
  const after = (then: SplitStatus): Part[] =>
    partsOf(named.ownerId, [...others, { ...split, status: then }]);
  const closed = reject({ code: 'SplitClosed', state: status } as const);
  switch (type) {
    case 'AcceptSplit':
      if (status === 'accepted') return accept();
      if (status !== 'proposed') return closed;
      return accept({ type: 'SplitAccepted', data: { ...named, parts: after('accepted'), at } });
    case 'DeclineSplit':
      if (status === 'declined') return accept();
      if (status !== 'proposed') return closed;
      return accept({ type: 'SplitDeclined', data: { ...named, at } });
    case 'EndSplit':
      if (status === 'ended') return accept();
      if (!isOpen(split)) return closed;
      return accept({ type: 'SplitEnded', data: { ...named, parts: after('ended'), by, at } });
    default:
      return unreachable(type);
  }
}

const STATUS_AFTER: Record<SplitEvent['type'], SplitStatus> = {
  SplitProposed: 'proposed',
  SplitAccepted: 'accepted',
  SplitDeclined: 'declined',
  SplitEnded: 'ended',
};

function evolve(splits: Splits, { type, data }: SplitEvent): Splits {
  const { splitId, packId, ownerId, creatorId, bps } = data;
  const after = { splitId, packId, ownerId, creatorId, bps, status: STATUS_AFTER[type] };
  // The order of acceptance is the order of the parts.
  return [...splits.filter((each) => each.splitId !== splitId), after];
}

/** Stream `splits-{packId}`: the collaborators of a pack, each with a part of the share of its sales. */
export const splitDecider: Decider<SplitCommand, Splits, SplitEvent, SplitRejection> = {
  streamOf: (packId) => `splits-${packId}`,
  initialState: [],
  decide,
  evolve,
};
