import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { withdrawalOf } from '../../domain/payouts/payouts.js';
import { Clock } from '../shared/clock.js';
import type { Cause } from '../shared/event-store.js';
import { CREATOR_EVENTS, CREATOR_PAID } from '../payments/event-types.js';
import type { PaymentEvent } from '../payments/payment-gateway.js';
import type { PaymentListener } from '../payments/payment-events.js';
import { PayoutGateway, type Transfer } from '../payments/payout-gateway.js';
import { PayoutAccounts } from './payout-accounts.js';
import { RecordSettlement, recordTransfer } from './record-settlement.js';
import { PayoutQueries } from './queries.js';

@Injectable()
export class TransferFacts implements PaymentListener {
  readonly types = [...CREATOR_EVENTS, ...CREATOR_PAID];

  constructor(
    private readonly gateway: PayoutGateway,
    private readonly commands: CommandBus,
    private readonly payouts: PayoutQueries,
    private readonly accounts: PayoutAccounts,
    private readonly clock: Clock,
  ) {}

  async handle(event: PaymentEvent): Promise<boolean> {
    if (event.type === 'account.updated')
      return event.accountId ? this.accounts.refresh(event.accountId) : false;
    const transfer = await this.gateway.readTransfer(event.objectId);
    return transfer ? this.record(transfer, { actor: 'system:payments', causationId: event.id }) : false;
  }

  /** Records a transfer and its reversals, each once. @returns whether it pays one of our withdrawals */
  async record(transfer: Transfer, cause: Cause): Promise<boolean> {
    const withdrawalId = withdrawalOf(transfer.transferGroup);
    const creatorId = withdrawalId && (await this.payouts.creatorOf(withdrawalId));
    if (!withdrawalId || !creatorId) return false;
    const now = this.clock.now();
    await this.commands.execute(recordTransfer({ creatorId, withdrawalId }, transfer, now, cause));
    for (const { reversalId, amountUsdCents, createdAt } of transfer.reversals) {
      const times = { now: now.toISOString(), at: createdAt.toISOString() };
      const reversed = { withdrawalId, reversalId, amountUsdCents, ...times };
      const reversal = { type: 'RecordReversal', ...reversed } as const;
      await this.commands.execute(new RecordSettlement(creatorId, reversal, cause));
    }
    return true;
  }
}
