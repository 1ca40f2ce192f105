import { accept, reject, unreachable, type Decider, type Decision } from '../shared/decision.js';

/** Enough for a release party, and few enough to decide each redemption from the whole stream. */
export const MOST_REDEMPTIONS = 1_000;
export const CODE_LENGTH = { min: 4, max: 32 } as const;
/** Letters and digits, in groups between single dashes. */
export const CODE_PATTERN = /^[A-Z0-9]+(-[A-Z0-9]+)*$/;
const LONGEST_MS = 366 * 86_400_000;

/** Returns the spelling under which a code is stored. Codes are compared without case and outer spaces. */
export const spelledCode = (code: string): string => code.trim().toUpperCase();

/** What a code gives, and to how many people. */
export interface PromotionTerms {
  creatorId: string;
  packId: string;
  /** The samples that the code gives. Absent if it gives every sample that the pack has when it is redeemed. */
  sampleIds?: readonly string[];
  /** How many people may redeem the code. */
  limit: number;
  /** ISO times. People can redeem the code from `from` on and before `until`. An absent time sets no limit. */
  from?: string;
  until?: string;
}

interface Redemption {
  /** Made from the request's idempotency key, so that a repeated request redeems once. */
  redemptionId: string;
  buyerId: string;
}

/** How many samples a person got. The purchases name them, so that the stream of the code stays small. */
interface Given {
  samples: number;
}
/** Redemptions from before `samples`. */
interface Listed {
  samples?: undefined;
  received: readonly { sampleId: string; purchaseId: string; certificateId: string }[];
}

export const samplesGiven = (redeemed: Given | Listed): number =>
  redeemed.samples ?? redeemed.received.length;

export type PromotionCommand =
  | { type: 'CreatePromotionCode'; code: string; terms: PromotionTerms; now: string }
  | ({ type: 'RedeemPromotionCode'; code: string; now: string } & Redemption & Given)
  | { type: 'EndPromotionCode'; code: string; by: string; now: string };

export type PromotionEvent =
  | { type: 'PromotionCodeCreated'; data: PromotionTerms & { code: string; at: string } }
  | { type: 'PromotionCodeRedeemed'; data: Redemption & (Given | Listed) & { code: string; at: string } }
  | { type: 'PromotionCodeEnded'; data: { code: string; by: string; at: string } };

export type PromotionRejection =
  | { code: 'NotFound' }
  | { code: 'PromotionCodeTaken' }
  /** The end is before the start, in the past, or more than a year away. */
  | { code: 'PromotionPeriodRefused' }
  | { code: 'PromotionNotStarted'; from: string }
  | { code: 'PromotionExpired'; until: string }
  | { code: 'PromotionEnded' }
  | { code: 'PromotionUsedUp' }
  /** The person redeemed this code before, in another request. */
  | { code: 'PromotionRedeemed' }
  | { code: 'OwnPromotion' };

interface Running {
  status: 'running' | 'ended';
  terms: PromotionTerms;
  /** The ids of redemptions by person. */
  redemptions: ReadonlyMap<string, string>;
}
export type Promotion = { status: 'none' } | Running;

function create(
  { code, terms, now: at }: Extract<PromotionCommand, { type: 'CreatePromotionCode' }>,
  state: Promotion,
): Decision<PromotionEvent, PromotionRejection> {
  if (state.status !== 'none')
    return isOpen(state, at) && isSame(state.terms, terms)
      ? accept()
      : reject({ code: 'PromotionCodeTaken' });
  const { from = at, until } = terms;
  const start = Math.max(Date.parse(from), Date.parse(at));
  const last = Date.parse(until ?? from);
  if (last > Date.parse(at) + LONGEST_MS || (until !== undefined && last <= start))
    return reject({ code: 'PromotionPeriodRefused' });
  return accept({ type: 'PromotionCodeCreated', data: { code, ...terms, at } });
}

/**
 * Whether people can redeem the code, now or from its start. A repeated request to make a code succeeds only while
 * the code is open.
 */
const isOpen = ({ status, terms, redemptions }: Running, now: string): boolean =>
  status === 'running' && redemptions.size < terms.limit && (terms.until === undefined || now < terms.until);

const isSame = (a: PromotionTerms, b: PromotionTerms): boolean =>
  JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());

/** Returns why a person cannot redeem the code now. */
export function obstacleToRedeeming(
  { buyerId, now }: { buyerId: string; now: string },
  state: Promotion,
): PromotionRejection | undefined {
  if (state.status === 'none') return { code: 'NotFound' };
  const { creatorId, limit, from, until } = state.terms;
  if (creatorId === buyerId) return { code: 'OwnPromotion' };
  if (state.redemptions.has(buyerId)) return { code: 'PromotionRedeemed' };
  if (state.status === 'ended') return { code: 'PromotionEnded' };
  if (from !== undefined && now < from) return { code: 'PromotionNotStarted', from };
  if (until !== undefined && now >= until) return { code: 'PromotionExpired', until };
  return state.redemptions.size >= limit ? { code: 'PromotionUsedUp' } : undefined;
}

function decide(command: PromotionCommand, state: Promotion): Decision<PromotionEvent, PromotionRejection> {
  switch (command.type) {
    case 'CreatePromotionCode':
      return create(command, state);
    case 'RedeemPromotionCode': {
      const { type: _, now: at, ...redemption } = command;
      const { buyerId, redemptionId } = redemption;
      if (state.status !== 'none' && state.redemptions.get(buyerId) === redemptionId) return accept();
      const obstacle = obstacleToRedeeming(command, state);
      if (obstacle) return reject(obstacle);
      return accept<PromotionEvent>({ type: 'PromotionCodeRedeemed', data: { ...redemption, at } });
    }
    case 'EndPromotionCode': {
      const { code, by, now: at } = command;
      if (state.status === 'none' || state.terms.creatorId !== by) return reject({ code: 'NotFound' });
      if (state.status === 'ended') return accept();
      return accept<PromotionEvent>({ type: 'PromotionCodeEnded', data: { code, by, at } });
    }
    default:
      return unreachable(command);
  }
}

function evolve(state: Promotion, event: PromotionEvent): Promotion {
  if (event.type === 'PromotionCodeCreated') {
    const { code: _, at: _at, ...terms } = event.data;
    return { status: 'running', terms, redemptions: new Map() };
  }
  if (state.status === 'none') return state;
  if (event.type === 'PromotionCodeEnded') return { ...state, status: 'ended' };
  const { redemptionId, buyerId } = event.data;
  return { ...state, redemptions: new Map([...state.redemptions, [buyerId, redemptionId]]) };
}

/**
 * Stream `promotion-{CODE}`: a creator's code, and everyone who redeemed it. All redemptions are in one stream, so
 * that concurrent requests can neither exceed the limit nor redeem twice for one person.
 */
export const promotionDecider: Decider<PromotionCommand, Promotion, PromotionEvent, PromotionRejection> = {
  streamOf: (code) => `promotion-${code}`,
  initialState: { status: 'none' },
  decide,
  evolve,
};
