import Stripe from 'stripe';
import { CREATOR_EVENTS, OWN_EVENTS } from '../../../application/payments/event-types.js';
import { stripeClient, STRIPE_API_VERSION, type StripeOptions } from './stripe-client.js';
import { isAway, whatStripeSays } from './stripe-errors.js';
import { tryReports } from './stripe-reports.js';
import { stepsOfSetup } from './stripe-setup.js';

export interface CheckedPlace {
  publicUrl: string;
  production: boolean;
  /** The business time, and the real time. */
  now: () => Date;
  wallNow: () => Date;
  /** The amount that we owe creators, including held shares. */
  owedUsdCents: () => Promise<number>;
}

export interface Finding {
  name: string;
  well: boolean;
  text: string;
  /** Present if payments are impossible, or if the key is for the wrong mode. */
  stops?: true;
}

const SKEW_MS = 60_000;
const DAY_MS = 86_400_000;
/** A webhook that is an hour late was refused several times. */
const LATE_MS = 3_600_000;

/** Checks the account at Stripe, and returns all findings, good and bad; undefined if Stripe does not answer. */
export async function checkStripe(
  options: StripeOptions,
  place: CheckedPlace,
): Promise<Finding[] | undefined> {
  const stripe = stripeClient(options);
  const found = [modeOf(options, place)];
  let account: Stripe.Response<Stripe.Account>;
  try {
    account = await stripe.accounts.retrieveCurrent();
  } catch (error) {
    if (isAway(error)) return undefined;
    const name = /api version/i.test((error as Error).message) ? 'API version' : 'key';
    // A restricted key may lack the permission to read the account. That does not stop payments.
    const stops = error instanceof Stripe.errors.StripePermissionError ? {} : { stops: true as const };
    return [...found, { name, well: false, text: whatStripeSays(error), ...stops }];
  }
  const checks: Record<string, () => Promise<string> | string> = {
    'API version': () => versionOf(account),
    clock: () => clockOf(account, place.wallNow()),
    account: () => accountOf(account),
    currencies: () => currenciesIn(stripe),
    payouts: () => payoutsOf(stripe, place),
    Connect: () => creatorsOf(stripe),
    reports: () => reportsOf(stripe),
    deliveries: () => deliveriesOf(stripe, place.now()),
    ...(options.tax && { tax: () => taxOf(stripe) }),
  };
  const findings = Object.entries(checks).map(([name, examine]) =>
    finding(name, examine, name === 'API version'),
  );
  return [
    ...found,
    { name: 'key', well: true, text: `is valid for account ${account.id}` },
    ...(await Promise.all(findings)),
    ...(await setupOf(stripe, place, options.tax)),
  ];
}

/** Thrown by a check that found a fault. The message becomes the text of the finding. */
class Fault extends Error {}

async function finding(
  name: string,
  examine: () => Promise<string> | string,
  stops = false,
): Promise<Finding> {
  try {
    return { name, well: true, text: await examine() };
  } catch (error) {
    const text = error instanceof Fault ? error.message : whatStripeSays(error);
    return { name, well: false, text, ...(stops && error instanceof Fault ? { stops } : {}) };
  }
}

function modeOf({ secretKey }: StripeOptions, { production }: CheckedPlace): Finding {
  const isLive = /^[sr]k_live_/.test(secretKey);
  const text = `this is a ${isLive ? 'live' : 'test'} mode key`;
  if (isLive === production) return { name: 'mode', well: true, text };
  const why = production
    ? 'production needs a live mode key'
    : 'use a test mode key outside production, so that no real payment is possible';
  return { name: 'mode', well: false, text: `${text}; ${why}`, stops: true };
}

function versionOf({ lastResponse: { apiVersion } }: Stripe.Response<Stripe.Account>): string {
  if (apiVersion === STRIPE_API_VERSION) return `Stripe answers with version ${apiVersion}`;
  throw new Fault(`Stripe answers with version ${apiVersion ?? 'unknown'} instead of ${STRIPE_API_VERSION}`);
}

function clockOf({ lastResponse: { headers } }: Stripe.Response<Stripe.Account>, now: Date): string {
  const skewMs = Math.abs(now.getTime() - Date.parse(headers['date'] ?? ''));
  const text = `the clock of this machine differs from Stripe's by ${Math.round(skewMs / 1000)} s`;
  if (skewMs < SKEW_MS) return text;
  throw new Fault(`${text}: webhooks are refused if it differs by 300 s or more`);
}

function accountOf(account: Stripe.Account): string {
  const { country, default_currency: currency } = account;
  const faults = [
    ...(currency === 'usd' ? [] : [`its currency is ${currency}, but the books are in usd`]),
    ...(account.charges_enabled ? [] : ['it cannot take payments yet']),
    ...(account.payouts_enabled ? [] : ['it cannot make payouts yet']),
  ];
  if (faults.length > 0) throw new Fault(faults.join('; '));
  return `country ${country}, currency ${currency}, payments and payouts are enabled`;
}

async function currenciesIn(stripe: Stripe): Promise<string> {
  const { available, pending } = await stripe.balance.retrieve();
  const others = [...available, ...pending].filter(
    ({ currency, amount }) => currency !== 'usd' && amount !== 0,
  );
  const names = [...new Set(others.map(({ currency }) => currency))];
  if (names.length === 0) return 'the balance has no currency but usd';
  throw new Fault(
    `the balance also has ${names.join(', ')}: remove the bank accounts in these currencies, so that every payment is settled in usd`,
  );
}

/** Checks that automatic payouts to our bank leave enough in the balance to pay creators. */
async function payoutsOf(stripe: Stripe, { owedUsdCents }: CheckedPlace): Promise<string> {
  const { payouts } = (await stripe.balanceSettings.retrieve()).payments;
  const interval = payouts?.schedule?.interval ?? 'manual';
  if (interval === 'manual') return 'payouts to the bank are manual';
  const kept = payouts?.minimum_balance_by_currency?.['usd'] ?? 0;
  const owed = await owedUsdCents();
  const said = `payouts to the bank are ${interval}, and ${dollars(kept)} stays in the balance`;
  if (kept >= owed) return said;
  throw new Fault(
    `${said}, but creators are owed ${dollars(owed)}: make payouts manual, or raise the minimum balance`,
  );
}

const dollars = (cents: number): string => `${(cents / 100).toFixed(2)} USD`;

async function creatorsOf(stripe: Stripe): Promise<string> {
  const { data, has_more: more } = await stripe.accounts.list({ limit: 100 });
  return `${data.length}${more ? ' or more' : ''} accounts of creators`;
}

/** Checks the permissions for the nightly comparison of the books with Stripe's reports. */
async function reportsOf(stripe: Stripe): Promise<string> {
  try {
    await tryReports(stripe);
    return 'the key may request and download balance reports';
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripePermissionError)) throw error;
    throw new Fault(
      'the key may not request and download reports, so the nightly comparison with Stripe fails: give it the permissions "Reporting: write" and "Files: read"',
    );
  }
}

async function deliveriesOf(stripe: Stripe, now: Date): Promise<string> {
  const types = new Set<string>([...OWN_EVENTS, ...CREATOR_EVENTS]);
  const seconds = (ms: number) => Math.floor((now.getTime() - ms) / 1000);
  const { data } = await stripe.events.list({
    delivery_success: false,
    created: { gte: seconds(3 * DAY_MS), lte: seconds(LATE_MS) },
    limit: 100,
  });
  const late = data.filter(({ type }) => types.has(type));
  const [newest] = late;
  if (!newest) return 'every webhook of the last three days was delivered';
  const at = new Date(newest.created * 1000).toISOString();
  throw new Fault(
    `${late.length} webhooks of the last three days were not delivered, the newest ${newest.type} of ${at}`,
  );
}

/** Checks Stripe Tax. Without the address of the head office, Stripe calculates no tax and opens no checkout. */
async function taxOf(stripe: Stripe): Promise<string> {
  const { status, status_details: details, head_office: office } = await stripe.tax.settings.retrieve();
  if (status === 'active') return `Stripe calculates tax; the head office is in ${office?.address.country}`;
  const missing = (details.pending?.missing_fields ?? []).join(', ');
  throw new Fault(
    `Stripe calculates no tax: add ${missing || 'what is missing'} under Settings, Tax in the Stripe Dashboard`,
  );
}

async function setupOf(
  stripe: Stripe,
  { publicUrl }: CheckedPlace,
  tax: StripeOptions['tax'],
): Promise<Finding[]> {
  try {
    const steps = await stepsOfSetup(stripe, { publicUrl, tax });
    return steps.map(({ name, fault }) => ({
      name,
      well: fault === undefined,
      text: fault === undefined ? 'correct' : `${fault}; run \`offcut stripe setup\` to correct it`,
    }));
  } catch (error) {
    return [{ name: 'setup', well: false, text: whatStripeSays(error) }];
  }
}
