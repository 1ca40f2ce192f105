import { Injectable } from '@nestjs/common';
import { Command, CommandBus, CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import type { Outcome } from '../../domain/shared/decision.js';
import { bankPayoutDecider, type BankPayoutRejection } from '../../domain/payments/bank-payout.js';
import { Clock } from '../shared/clock.js';
import { SENT_TO_BANK } from './event-types.js';
import type { PaymentEvent } from './payment-gateway.js';
import type { PaymentListener } from './payment-events.js';
import { PayoutGateway, type BankPayoutNow } from './payout-gateway.js';
import { forEachCollectingErrors } from '../shared/for-each-collecting-errors.js';
import type { Cause } from '../shared/event-store.js';
import { setAside } from '../alerts/set-aside.js';
import { Streams } from '../shared/streams.js';

/** Records the provider's report of a payout to our bank. Raises an alert if the report contradicts the record. */
export class RecordBankPayout extends Command<Outcome<object, BankPayoutRejection>> {
  constructor(
    readonly payout: BankPayoutNow,
    readonly cause: Cause,
  ) {
    super();
  }
}

@CommandHandler(RecordBankPayout)
export class RecordBankPayoutHandler implements ICommandHandler<RecordBankPayout> {
  constructor(
    private readonly streams: Streams,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  async execute({ payout, cause }: RecordBankPayout): Promise<CommandResult<RecordBankPayout>> {
    const { payoutId, sentAt, arrivalAt } = payout;
    const at = { sentAt: sentAt.toISOString(), arrivalAt: arrivalAt.toISOString() };
    const outcome = await this.streams.execute(
      bankPayoutDecider,
      payoutId,
      { type: 'RecordBankPayout', ...payout, ...at, now: this.clock.now().toISOString() },
      { ...cause, correlationId: bankPayoutDecider.streamOf(payoutId) },
    );
    if (!outcome.accepted)
      await this.commands.execute(setAside('bank-payout', payoutId, outcome.rejection.detail, cause));
    return outcome;
  }
}

/** A payout can fail days after it arrived. */
const LOOK_BACK_MS = 14 * 86_400_000;

@Injectable()
export class BankPayouts implements PaymentListener {
  readonly types = SENT_TO_BANK;

  constructor(
    private readonly gateway: PayoutGateway,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  async handle(event: PaymentEvent): Promise<boolean> {
    const payout = await this.gateway.readBankPayout(event.objectId);
    if (!payout) return false;
    const cause = { actor: 'system:payments', causationId: event.id };
    await this.commands.execute(new RecordBankPayout(payout, cause));
    return true;
  }

  async sweep(): Promise<void> {
    const since = new Date(this.clock.now().getTime() - LOOK_BACK_MS);
    await forEachCollectingErrors(await this.gateway.listBankPayouts(since), (payout) =>
      this.commands.execute(new RecordBankPayout(payout, { actor: 'system:payout-sweep' })),
    );
  }
}
