import type { Unexplained } from '../../domain/shared/invoice-event.js';
import type { BuySamples } from './decide-credit-command.js';
import type { CorrectInvoice, ReturnPurchase } from './credit-corrections.js';
import type { AdjustmentOutcome, BatchAnswer, InvoiceOutcome, ReturnOutcome } from './decision-context.js';

/** A paid invoice line turned into credits: one grant per line, however often it is asked for. */
export interface InvoiceGrant {
  userId: string;
  invoiceId: string;
  /** Stripe's id of the invoice line; the same line never grants twice. */
  invoiceLineId: string;
  credits: number;
  grossMicroUsd: number;
  /** The part of the gross that came in no movement of cash. */
  unexplained?: Unexplained | undefined;
  taxMicroUsd: number;
  /** Gross less tax and discount: what the lot is worth. */
  netMicroUsd: number;
  paidAt: Date;
}

/** Credits an administrator gives (above 0) or takes (below), once an id. */
export interface CreditAdjustment {
  userId: string;
  adjustmentId: string;
  credits: number;
  /** What given credits are worth; 0 unless we pay for them. */
  valueMicroUsd: number;
  at: Date;
  by: string;
  approvedBy?: string;
  /** The lot or the purchase that it makes good. */
  makesGood?: string;
  explanation: string;
}

/** The one place through which credits move. Commands that arrive together are decided together. */
export abstract class CreditExecutor {
  /** Takes samples for credits, all or nothing; the same idempotency key answers the first outcome. */
  abstract buy(command: BuySamples): Promise<Extract<BatchAnswer, { type: 'purchase' }>>;
  /** @returns `granted: false` when this invoice line was granted before */
  abstract grantInvoice(
    grant: InvoiceGrant,
    cause: { correlationId: string; causationId?: string },
  ): Promise<{ granted: boolean; balance: number }>;
  /** Credits nobody paid for: worth nothing, spent first. `grantId` makes repeating harmless. */
  abstract grantPromotion(
    grant: { userId: string; grantId: string; credits: number; grantedAt: Date },
    cause: { correlationId: string; causationId?: string },
  ): Promise<{ granted: boolean; balance: number }>;
  /** Taking more than is there is refused. */
  abstract adjust(
    adjustment: CreditAdjustment,
    cause: { correlationId: string; causationId?: string },
  ): Promise<AdjustmentOutcome>;
  /** Undoes a purchase, once: its credits go back as lots of the value they had. */
  abstract returnPurchase(command: ReturnPurchase): Promise<ReturnOutcome>;
  /** Refunds and disputes, each once by its own id. */
  abstract correctInvoice(command: CorrectInvoice): Promise<InvoiceOutcome>;
}
