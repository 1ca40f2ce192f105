import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Clock } from '../shared/clock.js';
import { SENT_TO_BANK } from './event-types.js';
import type { PaymentEvent } from './payment-gateway.js';
import type { PaymentListener } from './payment-listener.js';
import { RecordBankPayout } from './commands.js';
import { PayoutGateway } from './payout-gateway.js';
import { forEachCollectingErrors } from '../shared/for-each-collecting-errors.js';

/** A payout can fail days after it arrived. */
const LOOK_BACK_MS = 14 * 86_400_000;

/** Records payouts from the payment provider to our bank. */
@Injectable()
export class BankPayouts implements PaymentListener {
  readonly types = SENT_TO_BANK;

  constructor(
    private readonly gateway: PayoutGateway,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  /** @returns whether the event was about one of our payouts */
  async handle(event: PaymentEvent): Promise<boolean> {
    if (event.accountId) return false;
    const payout = await this.gateway.readBankPayout(event.objectId);
    if (!payout) return false;
    const cause = { actor: 'system:payments', causationId: event.id };
    await this.commands.execute(new RecordBankPayout(payout, cause));
    return true;
  }

  /** Records payouts that no webhook reported. The worker runs it every few minutes. */
  async sweep(): Promise<void> {
    const since = new Date(this.clock.now().getTime() - LOOK_BACK_MS);
    await forEachCollectingErrors(await this.gateway.listBankPayouts(since), (payout) =>
      this.commands.execute(new RecordBankPayout(payout, { actor: 'system:payout-sweep' })),
    );
  }
}
