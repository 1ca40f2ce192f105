import type Stripe from 'stripe';
import {
  PayoutGateway,
  TransferRefused,
  type AccountHolder,
  type BankPayoutNow,
  type ConnectedAccountNow,
  type PayoutCountries,
  type Transfer,
} from '../../../application/payments/payout-gateway.js';
import { paymentCall, StripeCaller } from './stripe-client.js';
import { ask, askMaybe, refusedAs } from './stripe-errors.js';
import { createdIn, dateOf } from './stripe-shapes.js';

/** We pay a creator's fees and bear the losses. Stripe asks creators for their documents and gives them a dashboard. */
const CONTROLLER = {
  fees: { payer: 'application' },
  losses: { payments: 'application' },
  requirement_collection: 'stripe',
  stripe_dashboard: { type: 'express' },
} satisfies Stripe.AccountCreateParams.Controller;

export class StripePayoutGateway extends StripeCaller implements PayoutGateway {
  async listCountries(): Promise<PayoutCountries> {
    const { country } = await ask(() => this.stripe.accounts.retrieveCurrent());
    const home = country ?? 'US';
    const spec = await ask(() => this.stripe.countrySpecs.retrieve(home));
    return { home, all: spec.supported_transfer_countries };
  }

  async createAccount(
    options: Parameters<PayoutGateway['createAccount']>[0],
  ): ReturnType<PayoutGateway['createAccount']> {
    const { creatorId, email, country, isAbroad, idempotencyKey } = options;
    const account = await ask(() =>
      this.stripe.accounts.create(
        {
          controller: CONTROLLER,
          country,
          email,
          capabilities: {
            transfers: { requested: true },
            // Stripe then asks for the number with which it can file forms of the United States.
            ...(country === 'US' && !isAbroad && { tax_reporting_us_1099_misc: { requested: true } }),
          },
          business_type: 'individual',
          ...(isAbroad && { tos_acceptance: { service_agreement: 'recipient' } }),
          metadata: { creatorId },
        },
        { idempotencyKey },
      ),
    );
    return accountFrom(account);
  }

  async openOnboarding(options: {
    accountId: string;
    returnUrl: string;
    refreshUrl: string;
  }): Promise<{ url: string }> {
    const link = await ask(() =>
      this.stripe.accountLinks.create({
        account: options.accountId,
        return_url: options.returnUrl,
        refresh_url: options.refreshUrl,
        type: 'account_onboarding',
      }),
    );
    return { url: link.url };
  }

  async readAccount(accountId: string): Promise<ConnectedAccountNow | undefined> {
    const account = await askMaybe(() => this.stripe.accounts.retrieve(accountId));
    return account && accountFrom(account);
  }

  async createTransfer(
    options: Parameters<PayoutGateway['createTransfer']>[0],
  ): ReturnType<PayoutGateway['createTransfer']> {
    const { accountId, amountUsdCents, transferGroup, idempotencyKey } = options;
    const transfer = await ask(() =>
      this.stripe.transfers
        .create(
          { amount: amountUsdCents, currency: 'usd', destination: accountId, transfer_group: transferGroup },
          paymentCall(this.options, idempotencyKey),
        )
        .catch(refusedAs((cause) => new TransferRefused(cause.code || 'invalid_request', { cause }))),
    );
    return transferFrom(transfer);
  }

  async findTransfers(transferGroup: string): Promise<Transfer[]> {
    const found = await ask(() => this.stripe.transfers.list({ transfer_group: transferGroup, limit: 100 }));
    return found.data.filter(inDollars).map(transferFrom);
  }

  async readTransfer(transferId: string): Promise<Transfer | undefined> {
    const transfer = await askMaybe(() => this.stripe.transfers.retrieve(transferId));
    return transfer && inDollars(transfer) ? transferFrom(transfer) : undefined;
  }

  async listReversedTransfers(since: Date, until?: Date): Promise<Transfer[]> {
    const ids = await ask(async () => {
      const all = new Set<string>();
      const created = createdIn(since, until);
      // Events also show reversals of transfers that were created before `since`. Stripe keeps events for 30 days.
      for await (const transfer of this.stripe.transfers.list({ created, limit: 100 }))
        if (transfer.amount_reversed > 0) all.add(transfer.id);
      const events = this.stripe.events.list({ type: 'transfer.reversed', created, limit: 100 });
      for await (const event of events) all.add((event.data.object as Stripe.Transfer).id);
      return all;
    });
    const found = await Promise.all([...ids].map((id) => this.readTransfer(id)));
    return found.filter((transfer) => transfer !== undefined);
  }

  async readBankPayout(payoutId: string): Promise<BankPayoutNow | undefined> {
    const payout = await askMaybe(() => this.stripe.payouts.retrieve(payoutId));
    return payout && bankPayoutFrom(payout);
  }

  async listBankPayouts(since: Date, until?: Date): Promise<BankPayoutNow[]> {
    const payouts = await ask(() =>
      this.stripe.payouts
        .list({ created: createdIn(since, until), limit: 100 })
        .autoPagingToArray({ limit: 10_000 }),
    );
    return payouts.reverse().flatMap((each) => bankPayoutFrom(each) ?? []);
  }
}

const BANK_STATUS: Record<string, BankPayoutNow['status']> = {
  paid: 'arrived',
  failed: 'failed',
  canceled: 'failed',
};

/** Transfers in other currencies are not ours. */
const inDollars = ({ currency }: Stripe.Transfer): boolean => currency === 'usd';

/** Returns undefined for a payout in another currency, which takes no dollars from the balance. */
function bankPayoutFrom(payout: Stripe.Payout): BankPayoutNow | undefined {
  const { id, amount, currency, status, created, arrival_date } = payout;
  if (currency !== 'usd') return undefined;
  return {
    payoutId: id,
    amountUsdCents: amount,
    status: BANK_STATUS[status] ?? 'in transit',
    sentAt: dateOf(created),
    // Stripe gives only the day of arrival, which may begin before the money was sent.
    arrivalAt: dateOf(Math.max(created, arrival_date)),
  };
}

function accountFrom(account: Stripe.Account): ConnectedAccountNow {
  const { requirements: asked } = account;
  return {
    accountId: account.id,
    chargesEnabled: account.charges_enabled ?? false,
    // Says whether we can transfer money to the account. The requirements say whether Stripe pays it out to a bank.
    payoutsEnabled: account.capabilities?.transfers === 'active',
    requirements: asked?.currently_due ?? [],
    country: account.country ?? null,
    holder: holderOf(account),
    // Stripe calls the requirements of a new account overdue even before its owner could answer them.
    pastDue: (account.details_submitted && asked?.past_due) || [],
    problems: Object.fromEntries(
      (asked?.errors ?? []).map(({ requirement, reason }) => [requirement, reason]),
    ),
    deadline: asked?.current_deadline ? dateOf(asked.current_deadline) : null,
  };
}

const joined = (...parts: (string | null | undefined)[]): string | null =>
  parts.filter(Boolean).join(' ') || null;

function holderOf({ details_submitted, business_type, company, individual }: Stripe.Account): AccountHolder {
  const isPerson = business_type === 'individual';
  const { line1, line2, city, state, postal_code } = (isPerson ? individual : company)?.address ?? {};
  const { day, month, year } = individual?.dob ?? {};
  return {
    // A new account has the type with which it was opened, not one that its owner chose.
    kind: !details_submitted || !business_type ? null : isPerson ? 'person' : 'company',
    legalName: isPerson ? joined(individual?.first_name, individual?.last_name) : (company?.name ?? null),
    street: joined(line1, line2),
    city: city ?? null,
    region: state ?? null,
    postalCode: postal_code ?? null,
    birthDate:
      isPerson && year && month && day
        ? `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
        : null,
    hasTaxId: (isPerson ? individual?.id_number_provided : company?.tax_id_provided) ?? false,
  };
}

function transferFrom(transfer: Stripe.Transfer): Transfer {
  const { destination } = transfer;
  return {
    transferId: transfer.id,
    transferGroup: transfer.transfer_group ?? '',
    accountId: typeof destination === 'string' ? destination : (destination?.id ?? ''),
    amountUsdCents: transfer.amount,
    createdAt: dateOf(transfer.created),
    // Stripe includes the newest ten reversals. A transfer is reversed once or twice.
    reversals: transfer.reversals.data
      .map(({ id, amount, created }) => ({
        reversalId: id,
        amountUsdCents: amount,
        createdAt: dateOf(created),
      }))
      .reverse(),
  };
}
