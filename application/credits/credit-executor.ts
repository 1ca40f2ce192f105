import type { Remark } from '../../domain/shared/remark.js';
import type { Unexplained } from '../../domain/shared/invoice-event.js';
import type { Taxed } from '../../domain/credits/credit-account.js';
import { unreachable } from '../../domain/shared/decision.js';
import { Batcher, type BegunBatch } from '../shared/batcher.js';
import type { CreditBatch, PlaceOrder, PurchaseAnswer } from './credit-batch.js';
import {
  correctInvoice,
  receive,
  returnPurchase,
  revoke,
  type AdjustmentOutcome,
  type CorrectInvoice,
  type GrantOutcome,
  type InvoiceOutcome,
  type ReceiveCredits,
  type ReturnOutcome,
  type ReturnPurchase,
  type RevokeCredits,
} from './credit-corrections.js';

/** The answer to each command on credits. */
interface Answers {
  PlaceOrder: PurchaseAnswer;
  ReceiveCredits: GrantOutcome;
  RevokeCredits: AdjustmentOutcome;
  ReturnPurchase: ReturnOutcome;
  CorrectInvoice: InvoiceOutcome;
}
export type BatchCommand = PlaceOrder | ReceiveCredits | RevokeCredits | ReturnPurchase | CorrectInvoice;
export type AnswerTo<Command extends BatchCommand> = Answers[Command['type']];

/** Runs one batch of commands in one transaction, with locks on everything that it depends on. */
export abstract class CreditBatchStore {
  /**
   * Writes what `decide` adds to the batch, all of it or nothing.
   * @param decide pure: if another process was first, it runs again on newer state
   */
  abstract transact<Result>(
    commands: readonly BatchCommand[],
    decide: (batch: CreditBatch) => Result,
  ): Promise<Result>;
}

/** Turns a paid invoice line into credits: one grant per line, however often it is called. */
export interface InvoiceGrant {
  userId: string;
  invoiceId: string;
  /** Stripe's id of the invoice line; the same line never grants twice. */
  invoiceLineId: string;
  /** A month of which plan it paid for. */
  plan?: string | undefined;
  credits: number;
  grossMicroUsd: number;
  /** The part of the gross that came in no movement of cash. */
  unexplained?: Unexplained | undefined;
  taxMicroUsd: number;
  taxed?: Taxed | undefined;
  /** The payer's, unless the line has a place of tax. */
  country?: string | undefined;
  /** Gross less tax and discount: what the lot is worth. */
  netMicroUsd: number;
  paidAt: Date;
}

/** Credits an administrator gives (above 0) or takes (below), once for each id. */
export interface CreditAdjustment extends Partial<Remark> {
  userId: string;
  adjustmentId: string;
  credits: number;
  /** The worth of the credits; 0 unless we pay for them. */
  valueMicroUsd: number;
  at: Date;
  by: string;
  approvedBy?: string;
  /** The lot or the purchase that it compensates. */
  makesGood?: string;
  /** The paid lot that its value counts against. */
  paidLotId?: string;
  explanation: string;
}

/** What triggered a command. */
interface Cause {
  correlationId: string;
  causationId?: string;
}

/**
 * The one place through which credits move. Commands that arrive together are decided together, in the order in
 * which they arrived, and written in one transaction; those of one account are never in two batches at once. The
 * answer comes after the commit. A refusal is an answer. What throws is a fault: the other commands of its batch are
 * decided without it, and of this one nothing was written. Only a database that did not answer fails all at once, and
 * then something may have been written: a repeat under the same key tells.
 */
export class CreditExecutor {
  private readonly batcher: Batcher<BatchCommand, Answers[keyof Answers]>;

  /** @param limits absent: 256 commands a batch, two batches at a time */
  constructor(
    store: CreditBatchStore,
    limits: { maxCommands?: number; maxBatches?: number; onBatch?: (batch: BegunBatch) => void } = {},
  ) {
    this.batcher = new Batcher({
      run: (commands) =>
        store.transact(commands, (batch) => commands.map((command) => decide(command, batch))),
      keyOf: accountHolder,
      ...limits,
    });
  }

  /**
   * Takes samples for credits, all or nothing. The same idempotency key answers the first outcome.
   * @param signal when the buyer stops waiting; what has begun by then goes on
   * @throws UnstorableText
   */
  buy(order: PlaceOrder, signal?: AbortSignal): Promise<PurchaseAnswer> {
    return this.submit(order, signal);
  }

  /** Turns a paid invoice line into a lot of its net value, once for each line. */
  grantInvoice(grant: InvoiceGrant, cause: Cause): Promise<GrantOutcome> {
    const { userId, credits, invoiceId, invoiceLineId, grossMicroUsd, taxMicroUsd, netMicroUsd, paidAt } =
      grant;
    const told = {
      ...(grant.plan && { plan: grant.plan }),
      ...(grant.taxed && { taxed: grant.taxed }),
      ...(grant.country && { country: grant.country }),
      ...(grant.unexplained && { unexplained: grant.unexplained }),
    };
    return this.receive(
      {
        type: 'GrantCredits',
        userId,
        lotId: `invoice-${invoiceLineId}`,
        kind: 'paid',
        reason: 'monthly_grant',
        credits,
        valueMicroUsd: netMicroUsd,
        grantedAt: paidAt.toISOString(),
        invoice: { invoiceId, invoiceLineId, grossMicroUsd, taxMicroUsd, ...told },
      },
      { actor: 'system:invoices', ...cause },
    );
  }

  /** Unpaid credits: worth nothing, spent first. `grantId` makes repeating harmless. */
  grantPromotion(
    grant: { userId: string; grantId: string; credits: number; grantedAt: Date },
    cause: Cause,
  ): Promise<GrantOutcome> {
    return this.receive(
      {
        type: 'GrantCredits',
        userId: grant.userId,
        lotId: `promotion-${grant.grantId}`,
        kind: 'promotional',
        reason: 'promotion',
        credits: grant.credits,
        valueMicroUsd: 0,
        grantedAt: grant.grantedAt.toISOString(),
      },
      { actor: 'system:promotions', ...cause },
    );
  }

  /** Taking more than is there is refused, and so is making good more than was spent or destroyed. */
  async adjust(
    { userId, credits, valueMicroUsd, at, ...adjustment }: CreditAdjustment,
    cause: Cause,
  ): Promise<AdjustmentOutcome> {
    const metadata = { actor: adjustment.by, ...cause };
    if (credits < 0) {
      const revocation = { type: 'RevokeCredits', userId, credits: -credits, adjustment } as const;
      return this.submit({ type: 'RevokeCredits', revocation, metadata });
    }
    const { granted, balance, rejection } = await this.receive(
      {
        type: 'GrantCredits',
        userId,
        lotId: `adjustment-${adjustment.adjustmentId}`,
        kind: 'promotional',
        reason: 'admin_adjustment',
        credits,
        valueMicroUsd,
        grantedAt: at.toISOString(),
        adjustment,
      },
      metadata,
    );
    if (rejection) return { accepted: false, balance, rejection };
    return { accepted: true, changed: granted, balance };
  }

  /** Undoes a purchase, once: its credits go back as lots of the value they had. */
  returnPurchase(command: ReturnPurchase): Promise<ReturnOutcome> {
    return this.submit(command);
  }

  /** Refunds and disputes, each once by its own id. */
  correctInvoice(command: CorrectInvoice): Promise<InvoiceOutcome> {
    return this.submit(command);
  }

  private receive(
    grant: ReceiveCredits['grant'],
    metadata: ReceiveCredits['metadata'],
  ): Promise<GrantOutcome> {
    return this.submit({ type: 'ReceiveCredits', grant, metadata });
  }

  private submit<Command extends BatchCommand>(
    command: Command,
    signal?: AbortSignal,
  ): Promise<AnswerTo<Command>> {
    return this.batcher.submit(command, signal) as Promise<AnswerTo<Command>>;
  }
}

/** Adds the outcome of a command to the batch. */
export function decide<Command extends BatchCommand>(command: Command, batch: CreditBatch): AnswerTo<Command>;
export function decide(command: BatchCommand, batch: CreditBatch): Answers[keyof Answers] {
  switch (command.type) {
    case 'PlaceOrder':
      return batch.buy(command);
    case 'ReceiveCredits':
      return receive(command, batch);
    case 'RevokeCredits':
      return revoke(command, batch);
    case 'ReturnPurchase':
      return returnPurchase(command, batch);
    case 'CorrectInvoice':
      return correctInvoice(command, batch);
    default:
      return unreachable(command);
  }
}

/** Whose credits a command may move. */
export function accountHolder(command: BatchCommand): string {
  switch (command.type) {
    case 'PlaceOrder':
      return command.buyerId;
    case 'ReceiveCredits':
      return command.grant.userId;
    case 'RevokeCredits':
      return command.revocation.userId;
    case 'ReturnPurchase':
      return command.purchase.buyerId;
    case 'CorrectInvoice':
      return command.userId;
    default:
      return unreachable(command);
  }
}
