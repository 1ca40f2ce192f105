import { assert } from './decision.js';
import { floorRatio, sumOf } from './micro-usd.js';

/** The creators' part of a purchase's value. Old versions stay, and each sale names its version. */
export interface SharePolicy {
  policyVersion: number;
  /** The share in basis points of the value, 0 to 8000. */
  shareBps: number;
}

export const CURRENT_SHARE_POLICY: SharePolicy = { policyVersion: 1, shareBps: 6_000 };

export const WHOLE_BPS = 10_000;

/** A creator's part of the share, in basis points. The parts of a sale sum to 10,000. */
export interface Part {
  creatorId: string;
  bps: number;
}

export interface CreatorShare extends Part {
  shareMicroUsd: number;
}

/** The share of a sale and how it was divided. Events from before splits have no `shares`. */
export interface DividedShare {
  creatorId: string;
  shareMicroUsd: number;
  shares?: readonly CreatorShare[];
}

/** Divides the share of a sale. Each part is rounded down, and the first part gets the remainder. */
export function divideShare(shareMicroUsd: number, parts: readonly Part[]): CreatorShare[] {
  assert(sumOf(parts.map(({ bps }) => bps)) === WHOLE_BPS, 'the parts of a share sum to 10,000');
  const shares = parts.map((part) => ({
    ...part,
    shareMicroUsd: floorRatio(shareMicroUsd, part.bps, WHOLE_BPS),
  }));
  const [first] = shares;
  if (first) first.shareMicroUsd += shareMicroUsd - sumOf(shares.map((each) => each.shareMicroUsd));
  return shares;
}

/** Returns who earns from a sale. A sale from before splits has one share. */
export const sharesOf = ({ creatorId, shareMicroUsd, shares }: DividedShare): readonly CreatorShare[] =>
  shares ?? [{ creatorId, bps: WHOLE_BPS, shareMicroUsd }];
