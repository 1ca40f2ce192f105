import { CreditExecutor, type CreditAdjustment, type InvoiceGrant } from './credit-commands.js';
import type { CreditCommandStore } from './credit-command-store.js';
import { Batcher } from '../shared/batcher.js';
import {
  accountHolder,
  decideAll,
  type BuySamples,
  type BatchCommand,
  type ReceiveCredits,
} from './decide-credit-command.js';
import type { CorrectInvoice, ReturnPurchase } from './credit-corrections.js';
import type { BatchAnswer, InvoiceOutcome, ReturnOutcome, AdjustmentOutcome } from './decision-context.js';

interface Cause {
  correlationId: string;
  causationId?: string;
}

/** The one place through which credits move, in batches decided together. */
export class BatchedCreditExecutor extends CreditExecutor {
  private readonly batcher: Batcher<BatchCommand, BatchAnswer>;

  constructor(store: CreditCommandStore, limits: { maxCommands?: number; maxBatches?: number } = {}) {
    super();
    this.batcher = new Batcher({
      run: async (commands) =>
        (await store.transact(commands, (context) => decideAll(commands, context))).answers,
      keyOf: accountHolder,
      ...limits,
    });
  }

  override async buy(command: BuySamples): Promise<Extract<BatchAnswer, { type: 'purchase' }>> {
    return (await this.batcher.submit(command)) as Extract<BatchAnswer, { type: 'purchase' }>;
  }

  override grantInvoice(grant: InvoiceGrant, cause: Cause): Promise<{ granted: boolean; balance: number }> {
    const { userId, credits, invoiceId, invoiceLineId, grossMicroUsd, taxMicroUsd, netMicroUsd, paidAt } =
      grant;
    const unexplained = grant.unexplained ? { unexplained: grant.unexplained } : {};
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
        invoice: { invoiceId, invoiceLineId, grossMicroUsd, taxMicroUsd, ...unexplained },
      },
      { actor: 'system:invoices', ...cause },
    );
  }

  override grantPromotion(
    grant: { userId: string; grantId: string; credits: number; grantedAt: Date },
    cause: Cause,
  ): Promise<{ granted: boolean; balance: number }> {
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

  override async adjust(
    { userId, credits, valueMicroUsd, at, ...adjustment }: CreditAdjustment,
    cause: Cause,
  ): Promise<AdjustmentOutcome> {
    const metadata = { actor: adjustment.by, ...cause };
    if (credits < 0) {
      const revocation = { type: 'RevokeCredits', userId, credits: -credits, adjustment } as const;
      const answer = await this.batcher.submit({ type: 'RevokeCredits', revocation, metadata });
      return (answer as Extract<BatchAnswer, { type: 'revocation' }>).outcome;
    }
    const { granted, balance } = await this.receive(
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
    return { accepted: true, changed: granted, balance };
  }

  override async returnPurchase(command: ReturnPurchase): Promise<ReturnOutcome> {
    const answer = await this.batcher.submit(command);
    return (answer as Extract<BatchAnswer, { type: 'return' }>).outcome;
  }

  override async correctInvoice(command: CorrectInvoice): Promise<InvoiceOutcome> {
    const answer = await this.batcher.submit(command);
    return (answer as Extract<BatchAnswer, { type: 'invoice' }>).outcome;
  }

  private async receive(
    grant: ReceiveCredits['grant'],
    metadata: ReceiveCredits['metadata'],
  ): Promise<{ granted: boolean; balance: number }> {
    const answer = await this.batcher.submit({ type: 'ReceiveCredits', grant, metadata });
    return answer as Extract<BatchAnswer, { type: 'grant' }>;
  }
}
