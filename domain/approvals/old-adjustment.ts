import { byType } from '../shared/by-type.js';
import { remarkIn, type Reason, type Remark } from '../shared/remark.js';
import type { Adjustment } from './adjustment.js';
import { approvalDecider, lapseAfter, type ApprovalEvent } from './approval.js';

interface Decided {
  adjustmentId: string;
  by: string;
  at: string;
}

/** Events from before adjustments became a kind of approval. The program still reads them, but writes no new ones. */
export type OldAdjustmentEvent =
  | { type: 'AdjustmentRequested'; data: Decided & Adjustment & { explanation: string } & Partial<Remark> }
  | { type: 'AdjustmentMadeAlone' | 'AdjustmentApproved'; data: Decided }
  | { type: 'AdjustmentDeclined'; data: Decided & Partial<Reason> }
  /** `mostMicroUsd`: the value that could still be made good. Absent if the user had too few credits to take. */
  | { type: 'AdjustmentFailed'; data: { adjustmentId: string; at: string; mostMicroUsd?: number } };

const given = <Type extends ApprovalEvent['type']>(
  type: Type,
  { adjustmentId: approvalId, by, at }: Decided,
) => ({ type, data: { approvalId, by, at } });

const converted = byType<OldAdjustmentEvent, [], ApprovalEvent>({
  AdjustmentRequested({ data: { adjustmentId: approvalId, by, at, explanation: reason, ...more } }) {
    const { remarkId, remarkSha256, ...adjustment } = more;
    const remark = remarkIn({ remarkId, remarkSha256 });
    const asked = { approvalId, work: { kind: 'adjustment', ...adjustment }, by, reason, ...remark } as const;
    const data = { ...asked, beneficiary: adjustment.userId, at, lapsesAt: lapseAfter(at) };
    return { type: 'ApprovalRequested', data };
  },
  AdjustmentMadeAlone: ({ data }) => given('ApprovalNotNeeded', data),
  AdjustmentApproved: ({ data }) => given('ApprovalGiven', data),
  AdjustmentDeclined: ({ data: { adjustmentId: approvalId, reason = '', ...data } }) => ({
    type: 'ApprovalDeclined',
    data: { approvalId, reason, ...data },
  }),
  AdjustmentFailed: ({ data: { adjustmentId: approvalId, at, mostMicroUsd } }) => {
    const obstacle = mostMicroUsd === undefined ? 'InsufficientCredits' : 'MadeGoodAlready';
    return { type: 'ApprovalNotCarriedOut', data: { approvalId, obstacle, at } };
  },
});
export const OLD_ADJUSTMENT_TYPES = converted.types;

const isOld = (event: { type: string }): event is OldAdjustmentEvent =>
  (OLD_ADJUSTMENT_TYPES as readonly string[]).includes(event.type);

/** Converts events of older adjustments to events of approvals. Returns other events unchanged. */
export const asApprovalEvent = <Event extends { type: string }>(
  event: Event | OldAdjustmentEvent,
): Exclude<Event, OldAdjustmentEvent> | ApprovalEvent =>
  isOld(event) ? converted.of(event) : (event as Exclude<Event, OldAdjustmentEvent>);

/** Stream `adjustment-{id}`: an adjustment from before adjustments were approvals. New events are approval events. */
export const oldAdjustmentDecider: typeof approvalDecider = {
  ...approvalDecider,
  streamOf: (adjustmentId) => `adjustment-${adjustmentId}`,
  evolve: (state, event) => approvalDecider.evolve(state, asApprovalEvent(event)),
};
