import { CommandBus, CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import { microUsdFromCents } from '../../domain/shared/micro-usd.js';
import { unexplainedOf } from '../../domain/credits/paid-lines.js';
import { reject } from '../../domain/shared/decision.js';
import { planOf } from '../../domain/subscriptions/plans.js';
import { Clock } from '../shared/clock.js';
import { CreditExecutor } from '../credits/credit-executor.js';
import { PaymentGateway } from '../payments/payment-gateway.js';
import { PaymentRecords } from '../payments/payment-records.js';
import { SettleInvoice } from '../payments/settle-invoice.js';
import { FollowSubscription } from './follow-subscription.js';
import { countryOf, taxedOf, TaxTerms, untaxedSale } from './taxed-sales.js';

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
    const userId = await this.records.payerOf(
      invoice.customerId,
      async () => (await this.gateway.readSubscription(invoice.subscriptionId))?.userId,
    );
    if (!userId) return reject({ code: 'PayerUnknown' });
    const correlationId = `invoice-${invoice.invoiceId}`;
    const gross = invoice.lines.map((line) => microUsdFromCents(line.grossUsdCents - line.discountUsdCents));
    const collected = gross.length === 0 ? 0 : await this.gateway.readCollectedUsdCents(invoice.invoiceId);
    const unexplained = unexplainedOf(gross, microUsdFromCents(collected));
    for (const [index, line] of invoice.lines.entries()) {
      const paidCents = line.grossUsdCents - line.discountUsdCents;
      const taxed = taxedOf(line.taxes);
      await this.executor.grantInvoice(
        {
          userId,
          invoiceId: invoice.invoiceId,
          invoiceLineId: line.lineId,
          plan: line.plan,
          credits: planOf(line.plan).credits,
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
        untaxedSale(invoice.invoiceId, invoice.untaxed, {
          microUsd: gross.reduce((sum, each) => sum + each),
          actor: cause.actor,
        }),
      );
    await this.commands.execute(
      new FollowSubscription(userId, invoice.subscriptionId, { ...cause, correlationId }, invoice),
    );
    // Last, so that an interrupted run is repeated from the start.
    await this.records.markSettled({ ...invoice, userId, sellsPlan: gross.length > 0 }, this.clock.now());
    return { accepted: true };
  }
}
