import type { Decider } from '../shared/decider.js';
import { TOGETHER_MICRO_USD, TOGETHER_WINDOW_MS, type Limits } from '../shared/limits.js';
import type { StaffRole } from '../shared/staff-role.js';
import { reasonIn, type Reason, type Remark } from '../shared/remark.js';
import { obstacleTo, type Approver, type ApproverRejection } from '../shared/second-person.js';
import { accept, reject, unreachable, type Decision } from '../shared/decision.js';
import type { MadeGood } from './making-good.js';

/** Stream `adjustment-{id}`: credits that one administrator gives or takes, alone or with a second one's consent. */
const streamOf = (adjustmentId: string): string => `adjustment-${adjustmentId}`;

/** An administrator gives nothing to a user who bought from the administrator's own packs this recently. */
export const RELATED_BUYER_DAYS = 30;

export interface RequestedAdjustment extends Partial<Remark> {
  adjustmentId: string;
  userId: string;
  /** Above 0 given, below taken. */
  credits: number;
  valueMicroUsd: number;
  /** The lot or the purchase that the credits compensate; without one they are worth no money. */
  makesGood?: string;
  /** The paid lot that their value counts against; older events do not name it. */
  paidLotId?: string;
  /** Empty where a remark holds it. */
  explanation: string;
  by: string;
}

/** One adjustment, as far as the limits of its administrator are concerned. */
export type AdjustedAmount = Pick<RequestedAdjustment, 'credits' | 'valueMicroUsd'>;

/** Up to here one person is enough, for all their adjustments of the window together. */
export type AdjustmentLimits = Pick<Limits, 'adjustmentCredits' | 'adjustmentMicroUsd'>;

/** What the decision about a request depends on. */
export interface AdjustmentFacts {
  /** The user bought from packs of the administrator's own, at most RELATED_BUYER_DAYS ago. */
  boughtFromThem: boolean;
  /**
   * The administrator's other adjustments of the last 24 hours, on all accounts; declined and failed ones do not
   * count.
   */
  others: readonly AdjustedAmount[];
  limits: AdjustmentLimits;
  /** The highest price of a credit in a plan on sale. */
  mostMicroUsdPerCredit: number;
  /**
   * What may still be made good of the lot or the purchase that `makesGood` names; undefined: that user has no such
   * one.
   */
  leftToMakeGoodMicroUsd?: number | undefined;
}

export function needsSecondPerson(
  asked: AdjustedAmount,
  others: readonly AdjustedAmount[],
  limits: AdjustmentLimits,
): boolean {
  const all = [asked, ...others];
  return (
    all.reduce((sum, { credits }) => sum + Math.abs(credits), 0) > limits.adjustmentCredits ||
    all.reduce((sum, { valueMicroUsd }) => sum + valueMicroUsd, 0) > limits.adjustmentMicroUsd
  );
}

export type AdjustmentState =
  | { status: 'none' }
  | ({ status: 'waiting' } & RequestedAdjustment)
  /** Without `approvedBy` one person was enough. */
  | ({ status: 'approved'; approvedBy?: string } & RequestedAdjustment)
  | ({ status: 'declined' } & RequestedAdjustment)
  | ({ status: 'failed'; balance: number; mostMicroUsd?: number } & RequestedAdjustment);

export type AdjustmentCommand =
  | ({ type: 'RequestAdjustment'; now: string; facts: AdjustmentFacts } & RequestedAdjustment)
  | ({ type: 'ApproveAdjustment'; now: string; together: readonly AgreedTogether[] } & Approver)
  /** By who asked for it, it is withdrawn. */
  | ({ type: 'DeclineAdjustment'; now: string } & Approver & Partial<Reason>)
  /** What was approved, or needed no approval, cannot be applied. */
  | ({ type: 'FailAdjustment'; now: string } & Failure);

interface Failure {
  /** The credits there were. */
  balance: number;
  /** Only this much could still be made good; absent if there were too few credits to take. */
  mostMicroUsd?: number;
}

export type AdjustmentEvent =
  | { type: 'AdjustmentRequested'; data: RequestedAdjustment & { at: string } }
  /** One person was enough. */
  | { type: 'AdjustmentMadeAlone'; data: { adjustmentId: string; by: string; at: string } }
  | { type: 'AdjustmentApproved'; data: { adjustmentId: string; by: string; at: string } }
  | { type: 'AdjustmentDeclined'; data: { adjustmentId: string; by: string; at: string } & Partial<Reason> }
  | { type: 'AdjustmentFailed'; data: { adjustmentId: string; at: string } & Failure };

/** In the stream of the administrator. */
export interface CountAdjustment extends AdjustedAmount {
  type: 'CountAdjustment';
  adjustmentId: string;
  by: string;
  now: string;
}

export interface AdjustmentCounted {
  type: 'AdjustmentCounted';
  data: { adjustmentId: string; by: string; at: string } & AdjustedAmount;
}

/** What two people gave, one who asked and one who agreed. */
export interface AgreedTogether {
  adjustmentId: string;
  by: string;
  approvedBy: string;
  valueMicroUsd: number;
  at: string;
}

/** In the stream of the two people. */
export type CountTogether = { type: 'CountTogether'; now: string } & Omit<AgreedTogether, 'at'>;

export interface AgreementCounted {
  type: 'AgreementCounted';
  data: AgreedTogether;
}

/** In the stream of the user. */
export interface CountMadeGood extends MadeGood {
  type: 'CountMadeGood';
  userId: string;
  now: string;
}

export interface MadeGoodCounted {
  type: 'MadeGoodCounted';
  data: MadeGood & { userId: string; at: string };
}

export type AdjustmentRejection =
  | ApproverRejection
  /** The two people give more together than they may. */
  | { code: 'FinanceNeeded' }
  | { code: 'NotFound' }
  | { code: 'CreditsWorthTooMuch'; mostMicroUsd: number }
  /** Goodwill is worth nothing: credits with a value name a lot or a purchase of that user. */
  | { code: 'NothingToMakeGood' }
  /** No more of the lot or the purchase was spent or destroyed, and neither given back nor made good. */
  | { code: 'MadeGoodAlready'; mostMicroUsd: number }
  | { code: 'AlreadyDecided'; state: 'approved' | 'declined' | 'failed' };

const initialState: AdjustmentState = { status: 'none' };

function decide(
  command: AdjustmentCommand,
  state: AdjustmentState,
): Decision<AdjustmentEvent, AdjustmentRejection> {
  if (command.type === 'RequestAdjustment') {
    if (state.status !== 'none') return accept();
    return request(command);
  }
  if (state.status === 'none') return reject({ code: 'NotFound' });
  const { adjustmentId } = state;
  const asked = { by: state.by, beneficiary: state.userId };
  const { now: at } = command;
  switch (command.type) {
    case 'ApproveAdjustment': {
      const obstacle = obstacleTo(command, asked, decidedBy(state));
      if (obstacle) return reject(obstacle);
      if (state.status === 'approved') return accept();
      if (state.status !== 'waiting') return reject({ code: 'AlreadyDecided', state: state.status });
      if (!command.roles.has('finance') && isTooMuchTogether(state, command))
        return reject({ code: 'FinanceNeeded' });
      return accept<AdjustmentEvent>({
        type: 'AdjustmentApproved',
        data: { adjustmentId, by: command.by, at },
      });
    }
    case 'DeclineAdjustment': {
      const obstacle = command.by === state.by ? undefined : obstacleTo(command, asked, decidedBy(state));
      if (obstacle) return reject(obstacle);
      if (state.status === 'declined') return accept();
      const { reason, ...more } = command;
      const said = reason === undefined ? {} : reasonIn({ reason, ...more });
      if (state.status !== 'waiting') return reject({ code: 'AlreadyDecided', state: state.status });
      return accept<AdjustmentEvent>({
        type: 'AdjustmentDeclined',
        data: { adjustmentId, by: command.by, ...said, at },
      });
    }
    case 'FailAdjustment':
      if (state.status === 'failed') return accept();
      if (state.status !== 'approved') return reject({ code: 'NotFound' });
      return accept<AdjustmentEvent>({
        type: 'AdjustmentFailed',
        data: { adjustmentId, ...failureIn(command), at },
      });
    default:
      return unreachable(command);
  }
}

/** Finance agrees to what costs money, too. */
export const decidedBy = ({ valueMicroUsd }: AdjustedAmount): readonly StaffRole[] =>
  valueMicroUsd > 0 ? ['admin', 'finance'] : ['admin'];

function isTooMuchTogether(
  { valueMicroUsd }: AdjustedAmount,
  { together, now }: { together: readonly AgreedTogether[]; now: string },
): boolean {
  const since = new Date(Date.parse(now) - TOGETHER_WINDOW_MS).toISOString();
  const recent = together.filter(({ at }) => at > since);
  const sum = recent.reduce((total, each) => total + each.valueMicroUsd, valueMicroUsd);
  return valueMicroUsd > 0 && sum > TOGETHER_MICRO_USD;
}

function request({
  type: _,
  now: at,
  facts,
  ...asked
}: Extract<AdjustmentCommand, { type: 'RequestAdjustment' }>): Decision<
  AdjustmentEvent,
  AdjustmentRejection
> {
  const { adjustmentId, by, credits, valueMicroUsd, makesGood } = asked;
  if (by === asked.userId || facts.boughtFromThem) return reject({ code: 'OwnInterest' });
  const mostMicroUsd = Math.max(0, credits) * facts.mostMicroUsdPerCredit;
  if (valueMicroUsd > mostMicroUsd) return reject({ code: 'CreditsWorthTooMuch', mostMicroUsd });
  const { leftToMakeGoodMicroUsd: left } = facts;
  if (left === undefined && (makesGood !== undefined || valueMicroUsd > 0))
    return reject({ code: 'NothingToMakeGood' });
  if (left !== undefined && valueMicroUsd > left)
    return reject({ code: 'MadeGoodAlready', mostMicroUsd: left });
  const requested: AdjustmentEvent = { type: 'AdjustmentRequested', data: { ...asked, at } };
  if (needsSecondPerson(asked, facts.others, facts.limits)) return accept(requested);
  return accept<AdjustmentEvent>(requested, { type: 'AdjustmentMadeAlone', data: { adjustmentId, by, at } });
}

const failureIn = ({ balance, mostMicroUsd }: Failure): Failure => ({
  balance,
  ...(mostMicroUsd !== undefined && { mostMicroUsd }),
});

function evolve(state: AdjustmentState, event: AdjustmentEvent): AdjustmentState {
  if (event.type === 'AdjustmentRequested') {
    const { at: _, ...requested } = event.data;
    return { status: 'waiting', ...requested };
  }
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'AdjustmentMadeAlone':
      return { ...state, status: 'approved' };
    case 'AdjustmentApproved':
      return { ...state, status: 'approved', approvedBy: event.data.by };
    case 'AdjustmentDeclined':
      return { ...state, status: 'declined' };
    case 'AdjustmentFailed':
      return { ...state, status: 'failed', ...failureIn(event.data) };
    default:
      return unreachable(event);
  }
}

export const adjustmentDecider: Decider<
  AdjustmentCommand,
  AdjustmentState,
  AdjustmentEvent,
  AdjustmentRejection
> = { streamOf, initialState, decide, evolve };

/**
 * Stream `adjuster-{userId}`: what one administrator adjusted. Each request is appended here too, at the version
 * that the limits were checked against, so that simultaneous requests cannot pass the limits together.
 */
export const adjusterDecider: Decider<
  CountAdjustment,
  readonly AdjustmentCounted['data'][],
  AdjustmentCounted,
  never
> = {
  streamOf: (by) => `adjuster-${by}`,
  initialState: [],
  decide: ({ adjustmentId, by, credits, valueMicroUsd, now: at }) =>
    accept({ type: 'AdjustmentCounted', data: { adjustmentId, by, at, credits, valueMicroUsd } }),
  evolve: (counted, { data }) => [...counted, data],
};

/**
 * Stream `adjusters-{userId}.{userId}`: what two people gave together, whichever of them asked. Each consent is appended
 * here too, at the version that the limit was checked against.
 */
export const togetherDecider: Decider<
  CountTogether,
  readonly AgreedTogether[],
  AgreementCounted,
  never,
  { by: string; approvedBy: string }
> = {
  streamOf: ({ by, approvedBy }) => `adjusters-${[by, approvedBy].sort().join('.')}`,
  initialState: [],
  decide: ({ type: _, now: at, ...counted }) =>
    accept({ type: 'AgreementCounted', data: { ...counted, at } }),
  evolve: (counted, { data }) => [...counted, data],
};

/**
 * Stream `made-good-{userId}`: what adjustments with a value made good to one user. Each is appended here too, at the
 * version at which it was asked what is left to make good, so that simultaneous ones cannot exceed it together.
 */
export const madeGoodDecider: Decider<CountMadeGood, readonly MadeGood[], MadeGoodCounted, never> = {
  streamOf: (userId) => `made-good-${userId}`,
  initialState: [],
  decide: ({ type: _, now: at, ...counted }) => accept({ type: 'MadeGoodCounted', data: { ...counted, at } }),
  evolve: (counted, { data }) => [...counted, data],
};
