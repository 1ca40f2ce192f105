/** Where the credits of a spend came from, and what they were worth. Stored, never recomputed. */
export interface LotSegment {
  lotId: string;
  credits: number;
  valueMicroUsd: number;
}

/** A part of a movement of cash that no payment explains: it stays in suspense, under this reason, until cleared. */
export interface Unexplained {
  amountMicroUsd: number;
  reason: string;
}

/** What becomes of the payment behind a lot. */
export type InvoiceEvent =
  /** Money goes back; what is unspent of the lot is taken, from the frozen credits if it is disputed. */
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
        /** What went back besides: the payment has no more than the net and the tax. */
        unexplained?: Unexplained;
        /** Absent when the provider told of it first. */
        requested?: { by: string; explanation: string };
      };
    }
  /** The money came back to us and is still owed. */
  | {
      type: 'RefundFailed';
      data: OfLot & { invoiceId: string; refundId: string; amountMicroUsd: number; failure: string };
    }
  /**
   * `credits` were frozen by it; 0 when nothing was left or all was frozen before. The bank took the amount;
   * what is unexplained is a part of it.
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
        credits: number;
        segments: LotSegment[];
        unexplained?: Unexplained;
      };
    }
  /** A creator's share that was still in hold. */
  | {
      type: 'ShareTakenBack';
      data: OfDispute & { purchaseId: string; creatorId: string; sampleId: string; shareMicroUsd: number };
    };

interface OfLot {
  userId: string;
  lotId: string;
}
type OfDispute = OfLot & { disputeId: string };
