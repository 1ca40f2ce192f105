import { Command, CommandBus, CommandHandler, type ICommandHandler, type CommandResult } from '@nestjs/cqrs';
import { Injectable } from '@nestjs/common';
import { isRunning, subscriptionDecider } from '../../domain/subscriptions/subscription.js';
import { decideInOrder, reject } from '../../domain/shared/decision.js';
import { microUsdFromCents, sumOf } from '../../domain/shared/micro-usd.js';
import type { Gift } from '../../domain/credits/credit-account.js';
import { giftAccountOf } from '../../domain/credits/gift.js';
import { unexplainedOf } from '../../domain/credits/lot-payment.js';
import { productOf } from '../../domain/subscriptions/products.js';
import { Clock } from '../shared/clock.js';
import type { EventMetadata } from '../shared/event-store.js';
import {
  PaymentGateway,
  type PaidInvoice,
  type StripeSubscription,
  type PaymentEvent,
} from '../payments/payment-gateway.js';
import { Streams } from '../shared/streams.js';
import { FinishPlanChange } from './plan-changes.js';
import { providerCommands } from './provider-status.js';
import { CreditExecutor } from '../credits/credit-executor.js';
import { PaymentRecords } from '../payments/payment-records.js';
import { SettleInvoice } from '../payments/settle-invoice.js';
import { countryOf, taxedOf, TaxTerms, untaxedSale } from './tax.js';
import { INVOICE_PAID, SUBSCRIPTION_CHANGED } from '../payments/event-types.js';
import type { PaymentListener } from '../payments/payment-events.js';
import { forEachCollectingErrors } from '../shared/for-each-collecting-errors.js';

const DAY_MS = 86_400_000;

/** Records the provider's present state of a subscription, and a paid invoice, in the listener's stream. */
export class FollowSubscription extends Command<void> {
  constructor(
    readonly userId: string,
    readonly subscriptionId: string,
    readonly metadata: EventMetadata,
    readonly invoice?: PaidInvoice,
  ) {
    super();
  }
}

@CommandHandler(FollowSubscription)
export class FollowSubscriptionHandler implements ICommandHandler<FollowSubscription> {
  constructor(
    private readonly streams: Streams,
    private readonly gateway: PaymentGateway,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  /** Idempotent. Reads the stream before the provider, so a newer status from another node causes a conflict. */
  async execute(command: FollowSubscription): Promise<void> {
    const { userId, subscriptionId, metadata, invoice } = command;
    const { rejection, before, after, known } = await this.streams.transact(metadata, async (work) => {
      const stream = await work.open(subscriptionDecider, userId);
      const before = stream.state;
      const known = await this.gateway.readSubscription(subscriptionId);
      const now = this.clock.now().toISOString();
      const commands = providerCommands({ userId, subscriptionId, now, known, invoice });
      const { events, rejection } = decideInOrder(subscriptionDecider, commands, before);
      stream.add(events);
      return { rejection, before, after: stream.state, known };
    });
    // The provider no longer waits for the payer: the upgrade was paid, expired or was withdrawn.
    if (isRunning(after) && after.openChange?.awaits && !known?.awaits)
      await this.commands.execute(new FinishPlanChange(userId));
    if (rejection?.code !== 'SubscriptionExists' || before.status === 'None') return;
    // The stream has another running subscription. If it has ended at the provider, the new subscription replaces it.
    const hasEnded = await this.hasEnded(userId, before.subscriptionId, metadata);
    return hasEnded ? this.execute(command) : this.endDuplicate(known);
  }

  private async hasEnded(userId: string, subscriptionId: string, metadata: EventMetadata): Promise<boolean> {
    await this.execute(new FollowSubscription(userId, subscriptionId, metadata));
    return (await this.streams.load(subscriptionDecider, userId)).status === 'Ended';
  }

  /** Cancels a second subscription that was paid at the same time. Its credits stay, but it is not billed again. */
  private async endDuplicate(known: StripeSubscription | undefined): Promise<void> {
    if (known && known.status === 'active' && !known.cancelAtPeriodEnd)
      await this.gateway.scheduleCancellation(known.subscriptionId, `duplicate:${known.subscriptionId}`);
  }
}

@CommandHandler(SettleInvoice)
export class SettleInvoiceHandler implements ICommandHandler<SettleInvoice> {
  constructor(
    private readonly executor: CreditExecutor,
    private readonly gateway: PaymentGateway,
    private readonly records: PaymentRecords,
    private readonly commands: CommandBus,
    private readonly tax: TaxTerms,
    private readonly clock: Clock,
  ) {}

  async execute({ invoice, cause }: SettleInvoice): Promise<CommandResult<SettleInvoice>> {
    const userId = await this.records.buyerOf(invoice, this.gateway);
    if (!userId) return reject({ code: 'PayerUnknown' });
    const correlationId = `invoice-${invoice.invoiceId}`;
    const gross = invoice.lines.map((line) => microUsdFromCents(line.grossUsdCents - line.discountUsdCents));
    const collected = gross.length === 0 ? 0 : await this.gateway.readCollectedUsdCents(invoice.invoiceId);
    const gift = await this.giftOf(invoice, userId);
    const unexplained = unexplainedOf(gross, microUsdFromCents(collected));
    for (const [index, line] of invoice.lines.entries()) {
      const paidCents = line.grossUsdCents - line.discountUsdCents;
      const taxed = taxedOf(line.taxes);
      const { kind, credits } = productOf(line.product);
      await this.executor.grantInvoice(
        {
          userId: gift ? giftAccountOf(gift.giftId) : userId,
          ...(gift && { gift }),
          invoiceId: invoice.invoiceId,
          invoiceLineId: line.lineId,
          product: line.product,
          reason: kind === 'plan' ? 'monthly_grant' : 'top_up',
          credits: credits * line.quantity,
          grossMicroUsd: microUsdFromCents(paidCents),
          taxMicroUsd: microUsdFromCents(line.taxUsdCents),
          taxed,
          country: taxed ? undefined : countryOf(invoice),
          netMicroUsd: microUsdFromCents(paidCents - line.taxUsdCents),
          paidAt: invoice.paidAt,
          unexplained: unexplained[index],
        },
        { correlationId, causationId: cause.causationId },
      );
    }
    if (this.tax.on && gross.length > 0 && invoice.untaxed !== null)
      await this.commands.execute(
        untaxedSale(invoice.invoiceId, invoice.untaxed, { microUsd: sumOf(gross), actor: cause.actor }),
      );
    if (invoice.subscriptionId !== null)
      await this.commands.execute(
        new FollowSubscription(userId, invoice.subscriptionId, { ...cause, correlationId }, invoice),
      );
    // Last, so that an interrupted run is repeated from the start.
    const settled = { ...invoice, userId, sellsProduct: gross.length > 0, giftId: gift?.giftId };
    await this.records.markSettled(settled, this.clock.now());
    return { accepted: true };
  }

  /** Returns the gift that the invoice's metadata names, if the payer of the invoice ordered this gift here. */
  private async giftOf(
    { giftId, subscriptionId, paidAt }: PaidInvoice,
    payerId: string,
  ): Promise<Gift | undefined> {
    if (giftId === undefined || subscriptionId !== null) return undefined;
    const ordered = await this.records.giftOf(giftId);
    if (ordered?.payerId !== payerId) return undefined;
    return {
      giftId,
      payerId,
      expiresAt: new Date(paidAt.getTime() + ordered.validDays * DAY_MS).toISOString(),
    };
  }
}

const PAID: ReadonlySet<string> = new Set(INVOICE_PAID);

@Injectable()
export class SubscriptionFacts implements PaymentListener {
  readonly types = [...INVOICE_PAID, ...SUBSCRIPTION_CHANGED];

  constructor(
    private readonly gateway: PaymentGateway,
    private readonly records: PaymentRecords,
    private readonly commands: CommandBus,
  ) {}

  /** @returns whether the event was about a user of Offcut */
  async handle({ id, type, objectId, subscriptionId }: PaymentEvent): Promise<boolean> {
    const cause = { actor: 'system:payments', causationId: id };
    if (PAID.has(type)) {
      const invoice = await this.gateway.readInvoice(objectId);
      if (!invoice) return false;
      return (await this.commands.execute(new SettleInvoice(invoice, cause))).accepted;
    }
    if (!subscriptionId) return false;
    const subscription = await this.gateway.readSubscription(subscriptionId);
    const userId =
      subscription && (await this.records.payerOf(subscription.customerId, async () => subscription.userId));
    if (!userId) return false;
    const metadata = { ...cause, correlationId: `subscription-${subscriptionId}` };
    await this.commands.execute(new FollowSubscription(userId, subscriptionId, metadata));
    return true;
  }
}

/** The provider repeats webhooks for three days. A fourth day avoids gaps. */
const LOOK_BACK_MS = 4 * DAY_MS;
const EVENTS_KEPT_MS = 60 * DAY_MS;
const SUBSCRIPTIONS_A_RUN = 50;
const ACTOR = 'system:payment-sweep';

/** Makes up for lost webhooks: settles paid invoices, and compares subscriptions with the provider. */
@Injectable()
export class PaymentSweep {
  constructor(
    private readonly gateway: PaymentGateway,
    private readonly records: PaymentRecords,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  /** Concurrent runs do no harm. @throws the last failure, at the end */
  async run(): Promise<{ settled: number; checked: number }> {
    const now = this.clock.now();
    const invoices = await this.gateway.listPaidInvoices(new Date(now.getTime() - LOOK_BACK_MS));
    const known = await this.records.settledAmong(invoices.map(({ invoiceId }) => invoiceId));
    let settled = 0;
    const settleUnheard = () =>
      forEachCollectingErrors(invoices, async (invoice) => {
        if (known.has(invoice.invoiceId)) return;
        const cause = { actor: ACTOR, causationId: invoice.invoiceId };
        if ((await this.commands.execute(new SettleInvoice(invoice, cause))).accepted) settled += 1;
      });
    const due = await this.records.leastRecentlyChecked(SUBSCRIPTIONS_A_RUN, now);
    const compare = () =>
      forEachCollectingErrors(due, async ({ userId, subscriptionId }) => {
        const metadata = { actor: ACTOR, correlationId: `subscription-${subscriptionId}` };
        await this.commands.execute(new FollowSubscription(userId, subscriptionId, metadata));
        await this.records.markChecked(userId, now);
      });
    const forget = () => this.records.forgetEvents(new Date(now.getTime() - EVENTS_KEPT_MS));
    await forEachCollectingErrors([settleUnheard, compare, forget], (step) => step());
    return { settled, checked: due.length };
  }
}
