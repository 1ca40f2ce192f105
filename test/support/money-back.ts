import { expect } from '@jest/globals';
import { BalanceTransactions } from '../../application/payments/balance-transactions.js';
import { keyed, type HttpClient } from './http-client.js';
import { caughtUp, startTestProduct, type TestProduct } from './product.js';
import { signedUpAs } from './staff.js';
import { stock } from './stock.js';
import { press } from './stripe.js';
import { until } from './until.js';

/** Starts a product with an administrator, a person with the finance role, and samples that cost a credit each. */
export async function startWithStaff({ stocked = 0, prefix = '' } = {}): Promise<{
  product: TestProduct;
  pia: HttpClient;
  petra: HttpClient;
  samples: string[];
}> {
  const product = await startTestProduct();
  const pia = await signedUpAs(product, 'admin');
  const petra = await signedUpAs(product, 'finance');
  const samples = stocked > 0 ? await stock(product.resources.database, stocked, { prefix }) : [];
  return { product, pia, petra, samples };
}

export const checkOut = (who: HttpClient, body: object, key?: string) =>
  who.post('/api/checkout', { consent: '1', ...body }, keyed(key));

/**
 * Returns the id of the newest invoice whose credits a person received or gave away. Waits until the product has
 * settled the invoice, which it does after it granted the credits.
 */
export async function newestInvoiceOf({ resources }: TestProduct, { userId }: HttpClient): Promise<string> {
  const newest = async (): Promise<{ id: string; isSettled: boolean } | undefined> => {
    const { rows } = await resources.database.pool.query(
      `select e.data->'invoice'->>'invoiceId' as id, i.invoice_id is not null as "isSettled"
         from readable_event e left join stripe_invoice i on i.invoice_id = e.data->'invoice'->>'invoiceId'
        where e.type = 'CreditsGranted' and e.data->'invoice' is not null
          and coalesce(e.data->'gift'->>'payerId', e.data->>'userId') = $1
        order by e.position desc limit 1`,
      [userId],
    );
    return rows[0];
  };
  await comesTo(async () => (await newest())?.isSettled, true);
  return (await newest())!.id;
}

/** Calls a hook of the simulator, for what Stripe, a bank or a customer does by itself. */
export async function pull(
  { resources }: TestProduct,
  hook: string,
  fields: object = {},
): Promise<{ id: string; charge: string }> {
  const headers = { 'content-type': 'application/json' };
  const url = `${resources.stripeSimulator!.url}/_test/${hook}`;
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(fields), headers });
  expect([hook, answer.status]).toEqual([hook, 200]);
  return (await answer.json()) as { id: string; charge: string };
}

export const balance = async (who: HttpClient): Promise<number> =>
  (await who.get('/api/credits')).body.balance;

/** Returns the reasons and amounts of a user's credit movements, newest first. */
export const linesOf = async (who: HttpClient): Promise<string[]> =>
  (await who.get('/api/credits/ledger')).body.items.map(
    ({ reason, delta }: { reason: string; delta: number }) => `${reason} ${delta}`,
  );

/** Returns the texts of a user's mails with this beginning of the subject, once the log is handled. */
export async function mailsTo(
  product: TestProduct,
  { email }: Pick<HttpClient, 'email'>,
  subject: string,
): Promise<string[]> {
  await caughtUp(product);
  const { body } = await product.browser().get('/dev/mailbox?format=json');
  return body
    .filter((mail: { to: string; subject: string }) => mail.to === email && mail.subject.startsWith(subject))
    .map(({ text }: { text: string }) => text);
}

/** @param finance a client with the finance role */
export const bookOf = async (finance: HttpClient, account: string): Promise<number> =>
  (await finance.get(`/api/finance/accounts/${account}`)).body.balanceMicroUsd;

export const refundBy = (admin: HttpClient, invoiceId: string, key?: string) =>
  admin.post('/api/admin/refunds', { invoiceId, reason: 'Asked for it' }, keyed(key));

/** Waits until the value is as wanted. Shows the difference if it is not so after a minute. */
export async function comesTo<Value>(read: () => Promise<Value>, wanted: Value): Promise<void> {
  const text = JSON.stringify(wanted);
  await until(async () => JSON.stringify(await read()) === text).catch(() => undefined);
  expect(await read()).toEqual(wanted);
}

export interface Subscriber {
  ada: HttpClient;
  invoiceId: string;
  customerId: string;
  subscriptionId: string;
}

/** Signs up a listener with the plan Starter: 50 credits for 9.99 dollars. */
export async function subscribe(product: TestProduct): Promise<Subscriber> {
  const ada = await product.signedUp();
  const path = `/api/stripe/create-checkout-session?plan=starter&userId=${ada.userId}`;
  await press((await ada.post(path, { plan: 'starter' })).body.url, { outcome: 'paid' });
  await comesTo(() => balance(ada), 50);
  await newestInvoiceOf(product, ada);
  // The fee has a webhook of its own. The sweep records it now, so that it cannot arrive during a later
  // comparison.
  await product.app.get(BalanceTransactions, { strict: false }).sweep();
  const { rows } = await product.resources.database.pool.query<Omit<Subscriber, 'ada'>>(
    `select invoice_id as "invoiceId", customer_id as "customerId", subscription_id as "subscriptionId"
       from stripe_invoice join stripe_customer using (user_id) join subscription using (user_id) where user_id = $1`,
    [ada.userId],
  );
  return { ada, ...(rows[0] as Omit<Subscriber, 'ada'>) };
}
