import { CreditDesk, type InvoiceGrant } from '../ports/credit-desk.js';
import type { DeskStore } from '../ports/desk-store.js';
import { Batcher } from '../shared/batcher.js';
import {
  decideAll,
  type BuySamples,
  type DeskAnswer,
  type DeskCommand,
  type ReceiveCredits,
} from './desk.js';

interface Cause {
  correlationId: string;
  causationId?: string;
}

/** The one place through which credits move, in batches decided together. */
export class BatchingCreditDesk extends CreditDesk {
  private readonly batcher: Batcher<DeskCommand, DeskAnswer>;

  constructor(store: DeskStore, limits: { maxCommands?: number; maxBatches?: number } = {}) {
    super();
    this.batcher = new Batcher({
      run: async (commands) =>
        (await store.transact(commands, (situation) => decideAll(commands, situation))).answers,
      keyOf: (command) => (command.type === 'BuySamples' ? command.buyerId : command.grant.userId),
      ...limits,
    });
  }

  override async buy(command: BuySamples): Promise<Extract<DeskAnswer, { type: 'purchase' }>> {
    return (await this.batcher.submit(command)) as Extract<DeskAnswer, { type: 'purchase' }>;
  }

  override grantInvoice(grant: InvoiceGrant, cause: Cause): Promise<{ granted: boolean; balance: number }> {
    const { userId, credits, invoiceId, invoiceLineId, grossMicroUsd, taxMicroUsd, netMicroUsd, paidAt } =
      grant;
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
        invoice: { invoiceId, invoiceLineId, grossMicroUsd, taxMicroUsd },
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

  private async receive(
    grant: ReceiveCredits['grant'],
    metadata: ReceiveCredits['metadata'],
  ): Promise<{ granted: boolean; balance: number }> {
    const answer = await this.batcher.submit({ type: 'ReceiveCredits', grant, metadata });
    return answer as Extract<DeskAnswer, { type: 'grant' }>;
  }
}
