import type Stripe from 'stripe';
import type { PayerGateway } from '../../../application/payments/forget-payers.js';
import { closeSession } from './stripe-checkout.js';
import { StripeCaller } from './stripe-client.js';
import { ask, askMaybe } from './stripe-errors.js';

const ENDED = new Set<Stripe.Subscription.Status>(['canceled', 'incomplete_expired']);
/** Statuses of disputes that may still take or return money. */
const OPEN_DISPUTES = /^(warning_)?(needs_response|under_review)$/;
/** Stripe reads an empty text as "none". */
const NO_DETAILS = { email: '', name: '', phone: '', description: '', address: '', shipping: '' } as const;

/** Erases what Stripe knows about payers. Invoices and payments stay with Stripe, as the law requires. */
export class StripePayerGateway extends StripeCaller implements PayerGateway {
  async blankCustomer(customer: string): Promise<void> {
    if (!(await this.find(customer))) return;
    const { data: open } = await ask(() =>
      this.stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 }),
    );
    for (const { id } of open) await ask(() => closeSession(this.stripe, id));
    await ask(() => this.stripe.customers.update(customer, { ...NO_DETAILS, metadata: { userId: '' } }));
  }

  async blankAccount(accountId: string): Promise<void> {
    await askMaybe(() => this.stripe.accounts.update(accountId, { metadata: { creatorId: '' } }));
  }

  async deleteCustomer(customer: string, chargedBefore: Date): Promise<boolean> {
    if (!(await this.find(customer))) return true;
    if (await ask(() => this.mayStillPay(customer, chargedBefore.getTime() / 1_000))) return false;
    await askMaybe(() => this.stripe.customers.del(customer));
    return true;
  }

  private async find(customer: string): Promise<Stripe.Customer | undefined> {
    const found = await askMaybe(() => this.stripe.customers.retrieve(customer));
    return found && !found.deleted ? found : undefined;
  }

  private async mayStillPay(customer: string, before: number): Promise<boolean> {
    const subscriptions = await this.stripe.subscriptions.list({ customer, status: 'all', limit: 100 });
    if (subscriptions.data.some(({ status }) => !ENDED.has(status))) return true;
    for (const status of ['draft', 'open'] as const)
      if ((await this.stripe.invoices.list({ customer, status, limit: 1 })).data.length > 0) return true;
    for await (const charge of this.stripe.charges.list({ customer, limit: 100 })) {
      if (charge.created >= before) return true;
      if (!charge.disputed) continue;
      const { data: disputes } = await this.stripe.disputes.list({ charge: charge.id, limit: 100 });
      if (disputes.some(({ status }) => OPEN_DISPUTES.test(status))) return true;
    }
    return false;
  }
}
