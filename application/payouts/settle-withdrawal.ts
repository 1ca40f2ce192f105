import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  payoutDecider,
  transferGroupOf,
  type PayoutEvent,
  type Withdrawal,
} from '../../domain/payouts/payouts.js';
import { Clock } from '../shared/clock.js';
import type { Cause, Recorded, Reactor } from '../shared/event-store.js';
import { PaymentGatewayUnavailable } from '../payments/payment-gateway.js';
import { PayoutGateway, TransferRefused } from '../payments/payout-gateway.js';
import { Streams } from '../shared/streams.js';
import { RecordSettlement, recordTransfer } from './record-settlement.js';

type Requested = Extract<PayoutEvent, { type: 'WithdrawalRequested' }>;

/** How long a failing withdrawal may delay other withdrawals. */
const PATIENCE_MS = 2 * 60_000;

/**
 * Pays each withdrawal exactly once. A worker can stop at any point, and any worker can continue:
 * - The log shows how far the withdrawal came.
 * - The provider is asked for the withdrawal's transfer before a new one is created.
 * - The provider carries out repeated requests with the same idempotency key once.
 * - A lost answer is recorded as lost, never as a failure.
 */
@Injectable()
export class SettleWithdrawal implements Reactor<Requested> {
  readonly name = 'payouts';
  readonly streamsAtOnce = 2;
  readonly types = ['WithdrawalRequested'] as const;

  constructor(
    private readonly streams: Streams,
    private readonly commands: CommandBus,
    private readonly gateway: PayoutGateway,
    private readonly clock: Clock,
  ) {}

  async handle(event: Recorded<Requested>): Promise<void> {
    const { creatorId, withdrawalId } = event.data;
    try {
      await this.settle(creatorId, withdrawalId, {
        actor: 'system:payouts',
        causationId: String(event.position),
      });
    } catch (error) {
      const ageMs = this.clock.now().getTime() - event.recordedAt.getTime();
      // The reactor retries new withdrawals. The sweep retries older withdrawals, so that they block no other creators.
      if (ageMs < PATIENCE_MS) throw error;
    }
  }

  /** Pays a withdrawal that has no outcome. @throws PaymentGatewayUnavailable if the provider does not answer */
  async settle(creatorId: string, withdrawalId: string, cause: Cause): Promise<void> {
    const { withdrawals } = await this.streams.load(payoutDecider, creatorId);
    const withdrawal = withdrawals.find((known) => known.withdrawalId === withdrawalId);
    if (!withdrawal || withdrawal.status === 'paid' || withdrawal.status === 'failed') return;
    if (await this.foundTransfer(withdrawal, cause)) return;
    const time = this.clock.now();
    const now = time.toISOString();
    try {
      const transfer = await this.gateway.createTransfer({
        accountId: withdrawal.accountId,
        amountUsdCents: withdrawal.amountUsdCents,
        transferGroup: transferGroupOf(withdrawalId),
        idempotencyKey: transferGroupOf(withdrawalId),
      });
      await this.commands.execute(recordTransfer(withdrawal, transfer, time, cause));
    } catch (error) {
      if (error instanceof PaymentGatewayUnavailable)
        await this.commands.execute(
          new RecordSettlement(creatorId, { type: 'RecordLostAnswer', withdrawalId, now }, cause),
        );
      if (!(error instanceof TransferRefused)) throw error;
      // An earlier attempt whose answer was lost may have made the transfer after the search above.
      if (withdrawal.status === 'unknown' && (await this.foundTransfer(withdrawal, cause))) return;
      const { reason } = error;
      await this.commands.execute(
        new RecordSettlement(creatorId, { type: 'RecordRefusal', withdrawalId, reason, now }, cause),
      );
    }
  }

  private async foundTransfer(withdrawal: Withdrawal, cause: Cause): Promise<boolean> {
    const found = await this.gateway.findTransfers(transferGroupOf(withdrawal.withdrawalId));
    for (const transfer of found)
      await this.commands.execute(recordTransfer(withdrawal, transfer, this.clock.now(), cause));
    return found.length > 0;
  }
}
