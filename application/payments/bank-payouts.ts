import { Injectable } from '@nestjs/common';
import { bankPayoutDecider } from '../../domain/payments/bank-payout.js';
import { Clock } from '../shared/clock.js';
import type { PaymentEvent } from './payment-gateway.js';
import { PayoutGateway, type BankPayoutNow } from '../payouts/payout-gateway.js';
import { inTurn } from '../shared/for-each-collecting-errors.js';
import { Streams } from '../shared/streams.js';

/** A payout can bounce days after it seemed to arrive. */
const LOOK_BACK_MS = 14 * 86_400_000;

/** Follows our own money from the payment provider to the bank. */
@Injectable()
export class BankPayouts {
  constructor(
    private readonly gateway: PayoutGateway,
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  /** @returns whether the event was about a payout of ours */
  async handle(event: PaymentEvent): Promise<boolean> {
    if (event.accountId || !event.type.startsWith('payout.')) return false;
    const payout = await this.gateway.readBankPayout(event.objectId);
    if (!payout) return false;
    await this.record(payout, { actor: 'system:payments', causationId: event.id });
    return true;
  }

  /** Finds what no webhook told of; for the worker, every few minutes. */
  async sweep(): Promise<void> {
    const since = new Date(this.clock.now().getTime() - LOOK_BACK_MS);
    await inTurn(await this.gateway.listBankPayouts(since), (payout) =>
      this.record(payout, { actor: 'system:payout-sweep' }),
    );
  }

  /** @throws Error when it cannot be, so that somebody looks */
  async record(payout: BankPayoutNow, cause: { actor: string; causationId?: string }): Promise<void> {
    const { payoutId } = payout;
    const outcome = await this.streams.execute(
      bankPayoutDecider,
      payoutId,
      { type: 'RecordBankPayout', ...payout, now: this.clock.now().toISOString() },
      { ...cause, correlationId: bankPayoutDecider.streamOf(payoutId) },
    );
    if (!outcome.accepted) throw new Error(outcome.rejection.detail);
  }
}
