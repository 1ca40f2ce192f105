import { Injectable } from '@nestjs/common';
import { PaymentGatewayUnavailable } from '../ports/payment-gateway.js';
import { PayoutGateway } from '../ports/payout-gateway.js';
import { SettlementClock } from '../ports/settlement-clock.js';
import { PayoutReader } from './readers.js';
import { SettleWithdrawal } from './settle-withdrawal.js';
import { TransferFacts } from './transfer-facts.js';

/** Webhooks are repeated for three days; one day more, and nothing falls between. */
const LOOK_BACK_MS = 4 * 86_400_000;
const WITHDRAWALS_A_RUN = 100;

/** Comes back to withdrawals without an outcome, and finds reversals that no webhook told of. */
@Injectable()
export class PayoutSweep {
  constructor(
    private readonly gateway: PayoutGateway,
    private readonly payouts: PayoutReader,
    private readonly settle: SettleWithdrawal,
    private readonly facts: TransferFacts,
    private readonly clock: SettlementClock,
  ) {}

  /** For the worker, every few minutes; several at once do no harm. */
  async run(): Promise<void> {
    const cause = { actor: 'system:payout-sweep' };
    for (const { creatorId, withdrawalId } of await this.payouts.unsettled(WITHDRAWALS_A_RUN)) {
      await this.settle.settle(creatorId, withdrawalId, cause).catch((error: unknown) => {
        // One without an answer must not keep the others waiting.
        if (!(error instanceof PaymentGatewayUnavailable)) throw error;
      });
    }
    const since = new Date(this.clock.now().getTime() - LOOK_BACK_MS);
    for (const transfer of await this.gateway.listReversedTransfers(since))
      await this.facts.record(transfer, cause);
  }
}
