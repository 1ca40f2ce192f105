import { Injectable } from '@nestjs/common';
import { Command, CommandBus, CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import { REFUND_WINDOW_MS } from '../../domain/credits/invoice-lot.js';
import {
  consentDecider,
  withdrawalDecider,
  type ConsentVersion,
  type ContractWithdrawn,
} from '../../domain/subscriptions/withdrawal.js';
import { TOP_UP_IDS } from '../../domain/subscriptions/products.js';
import { AccountSettings } from '../accounts/account-settings.js';
import { AccountStore } from '../accounts/account-store.js';
import { FactMails } from '../mail/fact-mails.js';
import type { Letter } from '../mail/mailer.js';
import { paths } from '../pages/paths.js';
import { InvoiceLots } from '../payments/invoice-lots.js';
import { RefundInvoice, type RefundResult } from '../payments/refund-invoice.js';
import { Clock, Pause } from '../shared/clock.js';
import type { Reactor, Recorded } from '../shared/event-store.js';
import { Remarks } from '../shared/remarks.js';
import { Streams } from '../shared/streams.js';
import { ChangeSubscription } from './change-subscription.js';
import type { Contract } from './contract.js';
import { usd } from './payment-mails.js';

const WITHDRAWAL_ACTOR = 'system:withdrawal';
/** Every answer takes this long, so that the time does not reveal whether an order or address exists. */
const ANSWER_MS = 300;

export const withdrawUntil = (paidAt: string): string =>
  new Date(Date.parse(paidAt) + REFUND_WINDOW_MS).toISOString();

export abstract class ContractQueries {
  /** Lists the paid invoices of a user since a time, newest first. */
  abstract paidSince(userId: string, since: Date): Promise<Contract[]>;
  abstract paidAt(invoiceId: string): Promise<string | undefined>;
}

/** Lists the contracts that a user can still withdraw from. */
@Injectable()
export class OwnContracts {
  constructor(
    private readonly contracts: ContractQueries,
    private readonly clock: Clock,
  ) {}

  list(userId: string): Promise<Contract[]> {
    const since = new Date(this.clock.now().getTime() - REFUND_WINDOW_MS);
    return this.contracts.paidSince(userId, since);
  }
}

/** Records the consent that ends the right of withdrawal for what is downloaded. */
export class GiveConsent extends Command<{ accepted: true }> {
  constructor(
    readonly userId: string,
    readonly occasion: 'checkout' | 'download',
    readonly version: ConsentVersion,
  ) {
    super();
  }
}

@CommandHandler(GiveConsent)
export class GiveConsentHandler implements ICommandHandler<GiveConsent> {
  constructor(
    private readonly own: OwnContracts,
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  async execute({ userId, occasion, version }: GiveConsent): Promise<{ accepted: true }> {
    const open = occasion === 'download' ? await this.own.list(userId) : [];
    const invoiceIds = open.map(({ orderNumber }) => orderNumber);
    const now = this.clock.now().toISOString();
    const command = { type: 'GiveConsent', userId, version, invoiceIds, occasion, now } as const;
    await this.streams.execute(consentDecider, userId, command, { actor: userId });
    return { accepted: true };
  }
}

/** Withdraws from the contract of an order if the order belongs to the address. The answer is always the same. */
export class WithdrawFromContract extends Command<{ accepted: true; receivedAt: string }> {
  constructor(readonly declared: { orderNumber: string; email: string; name: string }) {
    super();
  }
}

@CommandHandler(WithdrawFromContract)
export class WithdrawFromContractHandler implements ICommandHandler<WithdrawFromContract> {
  constructor(
    private readonly lots: InvoiceLots,
    private readonly contracts: ContractQueries,
    private readonly accounts: AccountStore,
    private readonly remarks: Remarks,
    private readonly streams: Streams,
    private readonly pause: Pause,
    private readonly clock: Clock,
  ) {}

  async execute({ declared }: WithdrawFromContract): Promise<CommandResult<WithdrawFromContract>> {
    const receivedAt = this.clock.now().toISOString();
    await Promise.all([this.pause.for(ANSWER_MS), this.withdraw(declared, receivedAt)]);
    return { accepted: true, receivedAt };
  }

  private async withdraw({ orderNumber, email, name }: WithdrawFromContract['declared'], now: string) {
    const lots = await this.lots.find({ invoiceId: orderNumber });
    const [lot] = lots;
    const payer = lot && (await this.accounts.findByEmail(email));
    if (!lot || payer?.userId !== lot.payerId) return;
    const { payerId: userId, invoiceId } = lot;
    const paidAt = await this.contracts.paidAt(invoiceId);
    const known = await this.streams.load(withdrawalDecider, invoiceId);
    if (paidAt === undefined || known.at !== undefined) return;
    const stream = withdrawalDecider.streamOf(invoiceId);
    const remark = await this.remarks.keep(name, { stream, about: [userId] });
    const topUp = lots.every(({ product }) => TOP_UP_IDS.some((id) => id === product));
    const command = {
      ...({ type: 'Withdraw', userId, invoiceId, paidAt, ...remark, now } as const),
      ...(topUp && { topUp }),
    };
    await this.streams.execute(withdrawalDecider, invoiceId, command, { actor: WITHDRAWAL_ACTOR });
  }
}

/** Refunds what is unspent, and ends the plan that was withdrawn from. Repeating it changes nothing. */
@Injectable()
export class CarryOutWithdrawals implements Reactor<ContractWithdrawn> {
  readonly name = 'carry-out-withdrawals';
  readonly streamsAtOnce = 2;
  readonly types = ['ContractWithdrawn'] as const;

  constructor(private readonly commands: CommandBus) {}

  async handle({ data }: Recorded<ContractWithdrawn>): Promise<void> {
    await this.refund(data);
    const { userId, invoiceId, paidAt, topUp, at } = data;
    if (topUp || at > withdrawUntil(paidAt)) return;
    // Ignores the outcome: the cancellation is refused if the plan has ended or was cancelled before.
    const cancel = { type: 'ScheduleCancellation' } as const;
    await this.commands.execute(new ChangeSubscription(userId, cancel, `withdrawal-${invoiceId}`));
  }

  /** Returns the outcome of the refund. The declaration counts as of its receipt, not of its processing. */
  refund({ invoiceId, at }: ContractWithdrawn['data']): Promise<RefundResult> {
    const request = {
      refundId: `withdrawal-${invoiceId}`,
      of: { invoiceId },
      by: WITHDRAWAL_ACTOR,
      explanation: 'Withdrawal from the contract within 14 days',
      askedAt: at,
    };
    return this.commands.execute(new RefundInvoice(request));
  }
}

/** After a withdrawal from a contract, immediately mails the buyer the time of receipt and the outcome. */
@Injectable()
export class WithdrawalMails implements Reactor<ContractWithdrawn> {
  readonly name = 'withdrawal-mails';
  readonly streamsAtOnce = 4;
  readonly types = ['ContractWithdrawn'] as const;

  constructor(
    private readonly mails: FactMails,
    private readonly work: CarryOutWithdrawals,
    private readonly remarks: Remarks,
    private readonly settings: AccountSettings,
  ) {}

  async handle(event: Recorded<ContractWithdrawn>): Promise<void> {
    const { data } = event;
    const { userId, invoiceId, remarkId = '' } = data;
    await this.mails.send(`withdrawal ${invoiceId}`, { userId, about: event }, async () => {
      const name = (await this.remarks.read([remarkId])).get(remarkId);
      const url = `${this.settings.publicUrl}${paths.credits}`;
      return withdrawalLetter(data, name, await this.work.refund(data), url);
    });
  }
}

function withdrawalLetter(
  { invoiceId, paidAt, topUp, at }: ContractWithdrawn['data'],
  name: string | undefined,
  outcome: RefundResult,
  settingsUrl: string,
): Letter {
  return {
    subject: 'We received your withdrawal',
    lines: [
      'We received your withdrawal from this contract:',
      [
        `Order number: ${invoiceId}`,
        ...(name ? [`Name: ${name}`] : []),
        `Paid: ${timeOf(paidAt)}`,
        `Received: ${timeOf(at)}`,
      ].join('\n'),
      outcomeSentence(outcome, paidAt, topUp ? '' : ' The plan ends with its current period.'),
      'Keep this mail as your confirmation. Your credits and your plan:',
      settingsUrl,
    ],
  };
}

/** @param ending the sentence about when the plan ends; empty if no plan ends */
function outcomeSentence(outcome: RefundResult, paidAt: string, ending: string): string {
  if (outcome.accepted) {
    const { amountUsdCents, refund, status } = outcome;
    const sent =
      status === 'failed'
        ? 'could not be sent yet; our staff will contact you'
        : 'goes back to the card that paid';
    return `${usd(amountUsdCents)} for ${refund.credits} unspent credits ${sent}.${ending} Samples that you downloaded stay yours, and the credits spent on them are not refunded.`;
  }
  switch (outcome.rejection.code) {
    case 'RefundWindowClosed':
      return `The right of withdrawal ended on ${timeOf(withdrawUntil(paidAt))}, before we received this. Nothing is refunded${ending && ', and the plan goes on'}.`;
    case 'InvoiceDisputed':
      return `Your bank is deciding about this payment, so we cannot refund it at the same time.${ending}`;
    default:
      return `Nothing is refunded, because nothing of this payment is left: its credits were free, were spent on downloads, or were refunded before.${ending}`;
  }
}

const timeOf = (time: string): string =>
  `${new Date(time).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })} UTC`;
