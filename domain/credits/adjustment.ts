import type { Decider } from '../shared/decider.js';
import { TOGETHER_MICRO_USD, TOGETHER_WINDOW_MS, type Limits } from '../shared/limits.js';
import type { StaffRole } from '../shared/staff-role.js';
import { reasonIn, type Reason, type Remark } from '../shared/remark.js';
import { obstacleTo, type Approver, type ApproverRejection } from '../shared/second-person.js';
import { accept, reject, unreachable, type Decision } from '../shared/decision.js';
import type { MadeGood } from './making-good.js';

/**
 * Stream `adjustment-{id}`: credits that an administrator gives or takes, alone or with the approval of a second
 * person.
 */
const streamOf = (adjustmentId: string): string => `adjustment-${adjustmentId}`;

/** An administrator may not adjust the credits of a user who bought from the administrator's packs this recently. */
export const RELATED_BUYER_DAYS = 30;

export interface RequestedAdjustment extends Partial<Remark> {
  adjustmentId: string;
  userId: string;
  /** Positive credits are given, negative ones taken. */
  credits: number;
  valueMicroUsd: number;
  /** The lot or purchase that the credits compensate. If absent, the credits have no value. */
  makesGood?: string;
  /** The paid lot that their value counts against; absent in older events. */
  paidLotId?: string;
  /** Empty if a remark contains it. */
  explanation: string;
  by: string;
}

/** The amounts of one adjustment that count against its administrator's limits. */
export type AdjustedAmount = Pick<RequestedAdjustment, 'credits' | 'valueMicroUsd'>;

/** One person may decide up to these limits, which apply to the sum of all their adjustments within the window. */
export type AdjustmentLimits = Pick<Limits, 'adjustmentCredits' | 'adjustmentMicroUsd'>;

export interface AdjustmentFacts {
  /** The user bought from the administrator's own packs within RELATED_BUYER_DAYS. */
  boughtFromThem: boolean;
  /**
   * The administrator's other adjustments of the last 24 hours, on all accounts. Declined and failed ones do not count.
   */
  others: readonly AdjustedAmount[];
  limits: AdjustmentLimits;
  /** The highest price of a credit among the plans on sale. */
  mostMicroUsdPerCredit: number;
  /** The amount of `makesGood` that may still be made good. Undefined if the user has no such lot or purchase. */
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
  /** `approvedBy` is absent if one person was enough. */
  | ({ status: 'approved'; approvedBy?: string } & RequestedAdjustment)
  | ({ status: 'declined' } & RequestedAdjustment)
  | ({ status: 'failed'; balance: number; mostMicroUsd?: number } & RequestedAdjustment);

export type AdjustmentCommand =
  | ({ type: 'RequestAdjustment'; now: string; facts: AdjustmentFacts } & RequestedAdjustment)
  | ({ type: 'ApproveAdjustment'; now: string; together: readonly AgreedTogether[] } & Approver)
  /** From the requester, it withdraws the request. */
  | ({ type: 'DeclineAdjustment'; now: string } & Approver & Partial<Reason>)
  /** The adjustment was approved, or needed no approval, but cannot be applied. */
  | ({ type: 'FailAdjustment'; now: string } & Failure);

interface Failure {
  /** The credits of the user at that time. */
  balance: number;
  /** The most that could still be made good. Absent if there were too few credits to take. */
  mostMicroUsd?: number;
}

export type AdjustmentEvent =
  | { type: 'AdjustmentRequested'; data: RequestedAdjustment & { at: string } }
  /** One person was enough. */
  | { type: 'AdjustmentMadeAlone'; data: { adjustmentId: string; by: string; at: string } }
  | { type: 'AdjustmentApproved'; data: { adjustmentId: string; by: string; at: string } }
  | { type: 'AdjustmentDeclined'; data: { adjustmentId: string; by: string; at: string } & Partial<Reason> }
  | { type: 'AdjustmentFailed'; data: { adjustmentId: string; at: string } & Failure };

/** Goes to the stream of the administrator. */
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

/** The value that two people gave together: one requested it, one approved it. */
export interface AgreedTogether {
  adjustmentId: string;
  by: string;
  approvedBy: string;
  valueMicroUsd: number;
  at: string;
}

/** Goes to the stream of the two people. */
export type CountTogether = { type: 'CountTogether'; now: string } & Omit<AgreedTogether, 'at'>;

export interface AgreementCounted {
  type: 'AgreementCounted';
  data: AgreedTogether;
}

/** Goes to the stream of the user. */
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
  /** The two people exceed what they may give together. */
  | { code: 'FinanceNeeded' }
  | { code: 'NotFound' }
  | { code: 'CreditsWorthTooMuch'; mostMicroUsd: number }
  /** Credits with a value must name a lot or purchase of that user. Goodwill has no value. */
  | { code: 'NothingToMakeGood' }
  /** The value exceeds what was spent or destroyed and neither given back nor made good. */
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

/** Finance may also approve adjustments that cost money. */
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
 * Stream `adjuster-{userId}`: the adjustments of one administrator. Each request is also appended here, at the version
 * that the limits were checked against. So concurrent requests cannot exceed the limits together.
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
 * Stream `adjusters-{userId}.{userId}`: what two people gave together, in either role. Each approval is also appended
 * here, at the version that the limit was checked against.
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
 * Stream `made-good-{userId}`: what adjustments with a value made good for one user. Each is also appended here, at the
 * version that the remaining amount was checked against. So concurrent adjustments cannot exceed it together.
 */
export const madeGoodDecider: Decider<CountMadeGood, readonly MadeGood[], MadeGoodCounted, never> = {
  streamOf: (userId) => `made-good-${userId}`,
  initialState: [],
  decide: ({ type: _, now: at, ...counted }) => accept({ type: 'MadeGoodCounted', data: { ...counted, at } }),
  evolve: (counted, { data }) => [...counted, data],
};
