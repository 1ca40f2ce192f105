import type { Adjustment, Gift, GrantReason, PaidLine } from '../../domain/credits/credit-account.js';
import { unreachable } from '../../domain/shared/decision.js';
import { Batcher, type BegunBatch } from '../shared/batcher.js';
import type { EventMetadata } from '../shared/event-store.js';
import type { AcceptedCertificate } from '../../domain/purchases/accepted-certificate.js';
import type { CreditBatch, KeyedOrder, PurchaseAnswer, RecoveryOutcome } from './credit-batch.js';
import {
  correctInvoice,
  grantCredits,
  handOver,
  returnPurchase,
  revokeCredits,
  type CreditGrant,
  type CreditOutcome,
  type CreditRevocation,
  type GiftHandover,
  type GiftOutcome,
  type InvoiceCorrection,
  type InvoiceOutcome,
  type LotMoved,
  type PurchaseReturn,
  type ReturnOutcome,
} from './credit-corrections.js';

interface Answers {
  BuySamples: PurchaseAnswer;
  GrantCredits: CreditOutcome;
  RevokeCredits: CreditOutcome;
  ReturnPurchase: ReturnOutcome;
  CorrectInvoice: InvoiceOutcome | LotMoved;
  HandOverGift: GiftOutcome;
  RecoverPurchase: RecoveryOutcome;
}
/** Records a purchase that a restored log lacks. A repeated recovery with the same approval has no effect. */
export interface PurchaseRecovery {
  type: 'RecoverPurchase';
  accepted: AcceptedCertificate;
  at: string;
  metadata: EventMetadata;
}
export type BatchCommand =
  | KeyedOrder
  | CreditGrant
  | CreditRevocation
  | PurchaseReturn
  | InvoiceCorrection
  | GiftHandover
  | PurchaseRecovery;
export type AnswerTo<Command extends BatchCommand> = Answers[Command['type']];

/** Reads the facts of a batch, decides its commands and writes the result, in one transaction. */
export abstract class CreditBatchStore {
  /** Writes all events and answers that `decide` adds, or none. @param decide pure, because a conflict runs it again */
  abstract transact<Result>(
    commands: readonly BatchCommand[],
    decide: (batch: CreditBatch) => Result,
  ): Promise<Result>;
}

/** A paid invoice line. It is turned into credits only once. */
export interface InvoiceGrant extends PaidLine {
  /** The payer, or the account of the gift. */
  userId: string;
  gift?: Gift;
  /** Default: `monthly_grant`. */
  reason?: Extract<GrantReason, 'monthly_grant' | 'top_up'>;
  credits: number;
  /** Gross less tax and discount. This is the value of the lot. */
  netMicroUsd: number;
  paidAt: Date;
}

/** Credits that an administrator gives (above 0) or takes (below 0), once per `adjustmentId`. */
export interface CreditAdjustment extends Adjustment {
  userId: string;
  credits: number;
  /** The value of the credits; 0 unless they replace lost paid credits. */
  valueMicroUsd: number;
  at: Date;
}

interface Cause {
  correlationId: string;
  causationId?: string;
}

/**
 * The only component that moves credits. It decides commands that arrive together in their order of arrival, and writes
 * their events in one transaction. Commands on one account are never in two batches at once. The answer comes after the
 * commit.
 *
 * A refusal is an answer, not an error. If a command throws, none of its events are written, and the rest of its batch
 * is decided without it. If the database does not answer, all commands fail, and some may have been written. A retry
 * with the same key returns the outcome.
 */
export class CreditExecutor {
  private readonly batcher: Batcher<BatchCommand, Answers[keyof Answers]>;

  /** @param limits default: 256 commands a batch, two batches at a time */
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

  /** A repeated key returns the first outcome. @param signal cancels an order while it waits @throws UnstorableText */
  buy(order: KeyedOrder, signal?: AbortSignal): Promise<PurchaseAnswer> {
    return this.submit(order, signal);
  }

  /** Turns a paid invoice line into a lot of its net value, once per line. */
  grantInvoice(grant: InvoiceGrant, cause: Cause): Promise<CreditOutcome> {
    const { userId, gift, reason = 'monthly_grant', credits, netMicroUsd, paidAt, ...invoice } = grant;
    return this.grant(
      {
        type: 'GrantCredits',
        userId,
        lotId: `invoice-${invoice.invoiceLineId}`,
        kind: 'paid',
        reason,
        credits,
        valueMicroUsd: netMicroUsd,
        grantedAt: paidAt.toISOString(),
        invoice,
        ...(gift && { gift }),
      },
      { actor: 'system:invoices', ...cause },
    );
  }

  /** Grants promotional credits, which have no value and are spent first. Idempotent by `grantId`. */
  grantPromotion(
    grant: { userId: string; grantId: string; credits: number; grantedAt: Date },
    cause: Cause,
  ): Promise<CreditOutcome> {
    return this.grant(
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

  /** Refuses to take more credits than the account has, or to compensate more than was spent or lost. */
  adjust(
    { userId, credits, valueMicroUsd, at, ...adjustment }: CreditAdjustment,
    cause: Cause,
  ): Promise<CreditOutcome> {
    const metadata = { actor: adjustment.by, ...cause };
    if (credits < 0) {
      const revocation = { type: 'RevokeCredits', userId, credits: -credits, adjustment } as const;
      return this.submit({ type: 'RevokeCredits', revocation, metadata });
    }
    return this.grant(
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
  }

  /** Undoes a purchase once. Its credits return as lots with their old value. */
  returnPurchase(command: PurchaseReturn): Promise<ReturnOutcome> {
    return this.submit(command);
  }

  /** Records a refund or dispute, once for each id. */
  async correctInvoice(command: InvoiceCorrection): Promise<InvoiceOutcome> {
    const outcome = await this.submit(command);
    // A gift moves once, so the second answer is final.
    return outcome.accepted === 'moved' ? this.correctInvoice({ ...command, userId: outcome.to }) : outcome;
  }

  /** Moves what is left of a gift to its new owner, once. */
  handOverGift(command: GiftHandover): Promise<GiftOutcome> {
    return this.submit(command);
  }

  /** Records a lost purchase at the present price, and the certificate that proves it, in one transaction. */
  recoverPurchase(accepted: AcceptedCertificate, at: Date): Promise<RecoveryOutcome> {
    const metadata = { actor: accepted.by, correlationId: accepted.approvalId };
    return this.submit({ type: 'RecoverPurchase', accepted, at: at.toISOString(), metadata });
  }

  private grant(grant: CreditGrant['grant'], metadata: CreditGrant['metadata']): Promise<CreditOutcome> {
    return this.submit({ type: 'GrantCredits', grant, metadata });
  }

  private submit<Command extends BatchCommand>(command: Command, signal?: AbortSignal) {
    return this.batcher.submit(command, signal) as Promise<AnswerTo<Command>>;
  }
}

export function decide<Command extends BatchCommand>(command: Command, batch: CreditBatch): AnswerTo<Command>;
export function decide(command: BatchCommand, batch: CreditBatch): Answers[keyof Answers] {
  switch (command.type) {
    case 'BuySamples':
      return batch.buy(command);
    case 'GrantCredits':
      return grantCredits(command, batch);
    case 'RevokeCredits':
      return revokeCredits(command, batch);
    case 'ReturnPurchase':
      return returnPurchase(command, batch);
    case 'CorrectInvoice':
      return correctInvoice(command, batch);
    case 'HandOverGift':
      return handOver(command, batch);
    case 'RecoverPurchase':
      return batch.recover(command.accepted, command.at, command.metadata);
    default:
      return unreachable(command);
  }
}

/**
 * Returns the user whose credits a command may move. `HandOverGift` also takes credits from the account of the gift,
 * which this function does not return.
 */
export function accountHolder(command: BatchCommand): string {
  switch (command.type) {
    case 'BuySamples':
      return command.buyerId;
    case 'GrantCredits':
      return command.grant.userId;
    case 'RevokeCredits':
      return command.revocation.userId;
    case 'ReturnPurchase':
      return command.purchase.buyerId;
    case 'CorrectInvoice':
      return command.userId;
    case 'HandOverGift':
      return command.to;
    case 'RecoverPurchase':
      return command.accepted.buyerId;
    default:
      return unreachable(command);
  }
}
