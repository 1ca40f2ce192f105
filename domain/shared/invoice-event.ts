import type { Remark } from './remark.js';

/** Credits of one origin: `credits` of them, worth `valueMicroUsd` together, of which `spentCredits` are gone. */
export interface CreditLot {
  lotId: string;
  kind: 'promotional' | 'paid';
  credits: number;
  spentCredits: number;
  valueMicroUsd: number;
  /** ISO 8601; decides the order of spending. */
  grantedAt: string;
  /** Open disputes about the payment; while there is one, the lot cannot be spent. */
  disputedBy?: string[];
  /** The paid lot that this one came back from, or makes good: it shares the fate of that payment. */
  paidLotId?: string;
}

/** Where the credits of a spend came from, and what they were worth. Stored, never recomputed. */
export interface LotSegment {
  lotId: string;
  credits: number;
  valueMicroUsd: number;
}

/**
 * A part of a cash movement that no payment explains: it stays in suspense under this reason until somebody clears
 * it.
 */
export interface Unexplained {
  amountMicroUsd: number;
  reason: string;
}

/** Where the line was taxed, such as `DE` or `US-NY`; absent where nobody found that out. */
type TaxPlace = string;

/** What happens to the payment behind a lot. */
export type InvoiceEvent =
  /** Money is paid back. The lot loses its unspent credits, or its frozen credits if it is disputed. */
  | {
      type: 'InvoiceRefunded';
      data: OfLot & {
        invoiceId: string;
        refundId: string;
        netMicroUsd: number;
        taxMicroUsd: number;
        credits: number;
        segments: LotSegment[];
        frozen: boolean;
        taxPlace?: TaxPlace;
        /** What was paid back on top: the payment has no more than the net and the tax. */
        unexplained?: Unexplained;
        /** Absent if the provider reported it first. */
        requested?: { by: string; approvedBy?: string; explanation: string } & Partial<Remark>;
        /** The payment itself failed after it had come in: what was spent of it is lost. */
        paymentFailed?: true;
      };
    }
  /** The money came back to us, and we still owe it. */
  | {
      type: 'RefundFailed';
      data: OfRefund & NotSent & { amountMicroUsd: number; failure: string };
    }
  /** The provider took the refund on, and has not sent it: stripe:balance has the money still, and we owe it. */
  | { type: 'RefundPending'; data: OfRefund & NotSent & { amountMicroUsd: number; reason: string } }
  /** It was sent, or it failed. The mirror. */
  | { type: 'RefundNoLongerPending'; data: OfRefund & NotSent & { amountMicroUsd: number } }
  /**
   * The provider refused the refund before anything moved: its mirror. `lots` stand again as they stood before it,
   * frozen if the payment is disputed by now.
   */
  | {
      type: 'RefundUndone';
      data: OfLot & {
        invoiceId: string;
        refundId: string;
        netMicroUsd: number;
        taxMicroUsd: number;
        credits: number;
        segments: LotSegment[];
        frozen: boolean;
        taxPlace?: TaxPlace;
        unexplained?: Unexplained;
        lots: CreditLot[];
        refusal: string;
      };
    }
  /**
   * The dispute froze `credits`; 0 if none were left or all were frozen before. The bank took the amount, of which
   * the unexplained amount is a part.
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
   * The bank took more, or another fee, or gave a part back before the end (below zero): one movement of the provider's.
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
  /** `credits` were thawed. */
  | {
      type: 'DisputeWon';
      data: OfDispute & { amountMicroUsd: number; credits: number; unexplained?: Unexplained };
    }
  /** The frozen credits are gone. */
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
  /** An appeal brought the money of a lost dispute back; its credits stay gone. */
  | {
      type: 'LostDisputeWon';
      data: OfDispute & { amountMicroUsd: number; unexplained?: Unexplained };
    }
  /** A creator's share that was still in hold. */
  | {
      type: 'ShareTakenBack';
      data: OfDispute & { purchaseId: string; creatorId: string; sampleId: string; shareMicroUsd: number };
    };

interface OfLot {
  /** When the provider says that it happened; absent where the provider gives no date, and in old events. */
  at?: string;
  userId: string;
  lotId: string;
}
/** A refund whose money we have. */
export interface NotSent {
  /** The customer is owed it, but for what is unexplained. Absent in old events, which hold all of it in suspense. */
  owed?: true;
  unexplained?: Unexplained;
}
type OfRefund = OfLot & { invoiceId: string; refundId: string };
type OfDispute = OfLot & { disputeId: string };
