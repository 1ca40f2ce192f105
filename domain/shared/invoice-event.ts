import type { Remark } from './remark.js';

/** Credits of one origin. `valueMicroUsd` is the value of all `credits`, including the spent ones. */
export interface CreditLot {
  lotId: string;
  kind: 'promotional' | 'paid';
  credits: number;
  spentCredits: number;
  valueMicroUsd: number;
  /** ISO 8601. Determines the order of spending. */
  grantedAt: string;
  /** Open disputes about the payment. A disputed lot cannot be spent. */
  disputedBy?: string[];
  /** The paid lot whose credits this lot returns or makes up for. Refunds and disputes of its payment apply to both. */
  paidLotId?: string;
}

/** The part of a lot that a spend took, and its value. Both are stored, and never recomputed. */
export interface LotSegment {
  lotId: string;
  credits: number;
  valueMicroUsd: number;
}

/** Money that no payment explains. It stays in suspense with this reason until an entry clears it. */
export interface Unexplained {
  amountMicroUsd: number;
  reason: string;
}

/** The place of tax, such as `DE` or `US-NY`. Absent if unknown. */
type TaxPlace = string;

export type InvoiceEvent =
  /**
   * Money of the payment goes back to the
   * customer. The lot loses its unspent credits, or its frozen credits if it is disputed.
   */
  | {
      type: 'InvoiceRefunded';
      data: RefundedLot & {
        /** Who requested the refund, and why. Absent if the refund was made at the provider, without a request of ours. */
        requested?: { by: string; approvedBy?: string; explanation: string } & Partial<Remark>;
        /** The payment failed after the money had arrived, so the value of the spent credits is our loss. */
        paymentFailed?: true;
      };
    }
  /** The refunded money came back to us, and we still owe it to the customer. */
  | {
      type: 'RefundFailed';
      data: OfRefund & NotSent & { amountMicroUsd: number; failure: string };
    }
  /** The provider accepted the refund but has not sent it. stripe:balance still has the money, and we owe it. */
  | { type: 'RefundPending'; data: OfRefund & NotSent & { amountMicroUsd: number; reason: string } }
  /** Reverses `RefundPending` once the refund was sent or failed. */
  | { type: 'RefundNoLongerPending'; data: OfRefund & NotSent & { amountMicroUsd: number } }
  /**
   * Reverses a refund that the provider refused before money moved. `lots` are in the state before the refund, and are
   * frozen if the payment is disputed now.
   */
  | {
      type: 'RefundUndone';
      data: RefundedLot & { lots: CreditLot[]; refusal: string };
    }
  /**
   * A bank took the amount, which includes any unexplained amount. The dispute froze `credits`: 0 if none were left, or
   * if another dispute had frozen them.
   */
  | {
      type: 'DisputeOpened';
      data: OfDispute & {
        invoiceId: string;
        amountMicroUsd: number;
        feeMicroUsd: number;
        credits: number;
        unexplained?: Unexplained;
      };
    }
  /**
   * Money that moved while the dispute was open: the bank took more, charged another fee, or returned a part
   * (negative).
   */
  | {
      type: 'DisputeAdjusted';
      data: OfDispute & {
        transactionId: string;
        deltaMicroUsd: number;
        feeDeltaMicroUsd: number;
        unexplained?: Unexplained;
      };
    }
  /** The bank returned the money, and `credits` can be spent again. */
  | {
      type: 'DisputeWon';
      data: OfDispute & { amountMicroUsd: number; credits: number; unexplained?: Unexplained };
    }
  | {
      type: 'DisputeLost';
      data: OfDispute & {
        amountMicroUsd: number;
        taxMicroUsd: number;
        taxPlace?: TaxPlace;
        credits: number;
        segments: LotSegment[];
        unexplained?: Unexplained;
      };
    }
  /**
   * An appeal returned the money of a lost dispute. Its credits stay revoked, except those of an unredeemed gift:
   * no account exists in which staff could make them good. The tax is owed again; older events do not restore it.
   */
  | {
      type: 'LostDisputeWon';
      data: OfDispute & {
        amountMicroUsd: number;
        taxMicroUsd?: number;
        taxPlace?: TaxPlace;
        unexplained?: Unexplained;
      } & Partial<RestoredGift>;
    }
  /** The creator loses a share that was still held. */
  | {
      type: 'ShareTakenBack';
      data: OfDispute & { purchaseId: string; creatorId: string; sampleId: string; shareMicroUsd: number };
    };

interface RestoredGift {
  credits: number;
  segments: LotSegment[];
  /** The lot before the bank's decision. */
  lots: CreditLot[];
}

interface OfLot {
  /**
   * The time of the change to the refund or dispute, according to the
   * provider. Absent in old events, and if the provider gives no date.
   */
  at?: string;
  userId: string;
  lotId: string;
}
interface RefundedLot extends OfRefund {
  netMicroUsd: number;
  taxMicroUsd: number;
  credits: number;
  segments: LotSegment[];
  frozen: boolean;
  taxPlace?: TaxPlace;
  /** The part of the refund that exceeds what is left of the payment after earlier refunds and disputes. */
  unexplained?: Unexplained;
}
/** A refund whose money is still in our balance. */
export interface NotSent {
  /** We owe the explained part to the customer. Absent in old events, whose whole amount is in suspense. */
  owed?: true;
  unexplained?: Unexplained;
}
type OfRefund = OfLot & { invoiceId: string; refundId: string };
type OfDispute = OfLot & { disputeId: string };
