import { Command } from '@nestjs/cqrs';
import type { AdjustmentRejection, RequestedAdjustment } from '../../domain/credits/adjustment.js';
import type { AdjustmentAnswer } from './contract.js';

export type AdjustmentResult =
  | ({ accepted: true } & AdjustmentAnswer)
  | {
      accepted: false;
      rejection: AdjustmentRejection | { code: 'InsufficientCredits'; balance: number; missing: number };
    };

/** Gives or takes credits: immediately within the administrator's limits, otherwise once a second person approves. */
export class RequestAdjustment extends Command<AdjustmentResult> {
  constructor(readonly requested: RequestedAdjustment) {
    super();
  }
}

export class ApproveAdjustment extends Command<AdjustmentResult> {
  constructor(
    readonly adjustmentId: string,
    readonly by: string,
  ) {
    super();
  }
}

export class DeclineAdjustment extends Command<AdjustmentResult> {
  constructor(
    readonly adjustmentId: string,
    readonly by: string,
    readonly reason?: string,
  ) {
    super();
  }
}

/** Moves the credits of an adjustment that was approved or made alone. Idempotent. */
export class ApplyAdjustment extends Command<AdjustmentResult> {
  constructor(readonly adjustmentId: string) {
    super();
  }
}
