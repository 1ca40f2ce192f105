import { accept, reject, unreachable, type Decision } from '../shared/decision.js';

/** Stream `adjustment-{id}`: credits that one administrator asks for and a second one decides about. */
export const adjustmentStream = (adjustmentId: string): string => `adjustment-${adjustmentId}`;

/** Up to here one person is enough. */
export const ADJUSTMENT_ALONE_CREDITS = 500;

export const needsSecondPerson = (credits: number): boolean => Math.abs(credits) > ADJUSTMENT_ALONE_CREDITS;

export interface RequestedAdjustment {
  adjustmentId: string;
  userId: string;
  /** Above 0 given, below taken. */
  credits: number;
  valueMicroUsd: number;
  explanation: string;
  by: string;
}

export type AdjustmentState =
  | { status: 'none' }
  | ({ status: 'waiting' } & RequestedAdjustment)
  | ({ status: 'approved'; approvedBy: string } & RequestedAdjustment)
  | ({ status: 'declined' | 'failed' } & RequestedAdjustment);

export type AdjustmentCommand =
  | ({ type: 'RequestAdjustment'; now: string } & RequestedAdjustment)
  | { type: 'ApproveAdjustment'; by: string; now: string }
  | { type: 'DeclineAdjustment'; by: string; now: string }
  /** What was approved can no longer be taken. */
  | { type: 'FailAdjustment'; balance: number; now: string };

export type AdjustmentEvent =
  | { type: 'AdjustmentRequested'; data: RequestedAdjustment & { at: string } }
  | { type: 'AdjustmentApproved'; data: { adjustmentId: string; by: string; at: string } }
  | { type: 'AdjustmentDeclined'; data: { adjustmentId: string; by: string; at: string } }
  | { type: 'AdjustmentFailed'; data: { adjustmentId: string; balance: number; at: string } };

export type AdjustmentRejection =
  | { code: 'NotFound' }
  | { code: 'SecondPersonNeeded' }
  | { code: 'AlreadyDecided'; status: 'approved' | 'declined' | 'failed' };

export const initialAdjustment: AdjustmentState = { status: 'none' };

export function decideAdjustment(
  command: AdjustmentCommand,
  state: AdjustmentState,
): Decision<AdjustmentEvent, AdjustmentRejection> {
  if (command.type === 'RequestAdjustment') {
    if (state.status !== 'none') return accept();
    const { type: _, now: at, ...data } = command;
    return accept<AdjustmentEvent>({ type: 'AdjustmentRequested', data: { ...data, at } });
  }
  if (state.status === 'none') return reject({ code: 'NotFound' });
  const { adjustmentId } = state;
  const { now: at } = command;
  switch (command.type) {
    case 'ApproveAdjustment':
      if (command.by === state.by) return reject({ code: 'SecondPersonNeeded' });
      if (state.status === 'approved') return accept();
      if (state.status !== 'waiting') return reject({ code: 'AlreadyDecided', status: state.status });
      return accept<AdjustmentEvent>({
        type: 'AdjustmentApproved',
        data: { adjustmentId, by: command.by, at },
      });
    case 'DeclineAdjustment':
      if (state.status === 'declined') return accept();
      if (state.status !== 'waiting') return reject({ code: 'AlreadyDecided', status: state.status });
      return accept<AdjustmentEvent>({
        type: 'AdjustmentDeclined',
        data: { adjustmentId, by: command.by, at },
      });
    case 'FailAdjustment':
      if (state.status === 'failed') return accept();
      if (state.status !== 'approved') return reject({ code: 'NotFound' });
      return accept<AdjustmentEvent>({
        type: 'AdjustmentFailed',
        data: { adjustmentId, balance: command.balance, at },
      });
    default:
      return unreachable(command);
  }
}

export function evolveAdjustment(state: AdjustmentState, event: AdjustmentEvent): AdjustmentState {
  if (event.type === 'AdjustmentRequested') {
    const { at: _, ...requested } = event.data;
    return { status: 'waiting', ...requested };
  }
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'AdjustmentApproved':
      return { ...state, status: 'approved', approvedBy: event.data.by };
    case 'AdjustmentDeclined':
      return { ...state, status: 'declined' };
    case 'AdjustmentFailed':
      return { ...state, status: 'failed' };
    default:
      return unreachable(event);
  }
}
