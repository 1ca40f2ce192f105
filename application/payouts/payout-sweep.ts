import { Injectable } from '@nestjs/common';
import { PaymentGatewayUnavailable } from '../payments/payment-gateway.js';
import { PayoutGateway } from '../payments/payout-gateway.js';
import { Clock } from '../shared/clock.js';
import { forEachCollectingErrors } from '../shared/for-each-collecting-errors.js';
import { PayoutQueries } from './queries.js';
import { SettleWithdrawal } from './settle-withdrawal.js';
import { TransferFacts } from './transfer-facts.js';

/** The provider repeats webhooks for three days. A fourth day avoids gaps. */
const LOOK_BACK_MS = 4 * 86_400_000;
const WITHDRAWALS_A_RUN = 100;
const CAUSE = { actor: 'system:payout-sweep' };

/** Retries withdrawals whose outcome is unknown, and records reversals that no webhook reported. */
@Injectable()
export class PayoutSweep {
  constructor(
    private readonly gateway: PayoutGateway,
    private readonly payouts: PayoutQueries,
    private readonly settle: SettleWithdrawal,
    private readonly facts: TransferFacts,
    private readonly clock: Clock,
  ) {}

  /** Concurrent runs do no harm. @throws the last failure, after all other items were handled */
  async run(): Promise<void> {
    await forEachCollectingErrors([() => this.settleOpen(), () => this.recordReversals()], (step) => step());
  }

  private async settleOpen(): Promise<void> {
    const open = await this.payouts.unsettled(WITHDRAWALS_A_RUN);
    await forEachCollectingErrors(open, ({ creatorId, withdrawalId }) =>
      this.settle.settle(creatorId, withdrawalId, CAUSE).catch((error: unknown) => {
        // Without an answer the withdrawal stays open, and the next run retries it.
        if (!(error instanceof PaymentGatewayUnavailable)) throw error;
      }),
    );
  }

  private async recordReversals(): Promise<void> {
    const since = new Date(this.clock.now().getTime() - LOOK_BACK_MS);
    const reversed = await this.gateway.listReversedTransfers(since);
    await forEachCollectingErrors(reversed, (transfer) => this.facts.record(transfer, CAUSE));
  }
}
