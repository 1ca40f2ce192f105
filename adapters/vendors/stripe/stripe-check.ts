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
  const told = Object.entries(checks).map(([name, examine]) =>
    finding(name, examine, name === 'API version'),
  );
  return [
    ...found,
    { name: 'key', well: true, text: `opens ${account.id}` },
    ...(await Promise.all(told)),
    ...(await setupOf(stripe, place, options.tax)),
  ];
}

/** Thrown by a check that found a fault. The message becomes the text of the finding. */
class Amiss extends Error {}

async function finding(
  name: string,
  examine: () => Promise<string> | string,
  stops = false,
): Promise<Finding> {
  try {
    return { name, well: true, text: await examine() };
  } catch (error) {
    const text = error instanceof Amiss ? error.message : whatStripeSays(error);
    return { name, well: false, text, ...(stops && error instanceof Amiss ? { stops } : {}) };
  }
}

function modeOf({ secretKey }: StripeOptions, { production }: CheckedPlace): Finding {
  const isLive = /^[sr]k_live_/.test(secretKey);
  const text = `the key is of ${isLive ? 'live' : 'test'} mode`;
  if (isLive === production) return { name: 'mode', well: true, text };
  const why = production
    ? 'production needs a live mode key'
    : 'outside production no real payments should be possible';
  return { name: 'mode', well: false, text: `${text}; ${why}`, stops: true };
}

function versionOf({ lastResponse: { apiVersion } }: Stripe.Response<Stripe.Account>): string {
  if (apiVersion === STRIPE_API_VERSION) return `answers as of ${apiVersion}`;
  throw new Amiss(`answers as of ${apiVersion ?? 'no version'} instead of ${STRIPE_API_VERSION}`);
}

function clockOf({ lastResponse: { headers } }: Stripe.Response<Stripe.Account>, now: Date): string {
  const skewMs = Math.abs(now.getTime() - Date.parse(headers['date'] ?? ''));
  const text = `this machine differs from Stripe by ${Math.round(skewMs / 1000)} s`;
  if (skewMs < SKEW_MS) return text;
  throw new Amiss(`${text}: webhooks are refused from 300 s on`);
}

function accountOf(account: Stripe.Account): string {
  const { country, default_currency: currency } = account;
  const faults = [
    ...(currency === 'usd' ? [] : [`its currency is ${currency}, and the books are in usd`]),
    ...(account.charges_enabled ? [] : ['it takes no payments yet']),
    ...(account.payouts_enabled ? [] : ['it pays nothing out yet']),
  ];
  if (faults.length > 0) throw new Amiss(faults.join('; '));
  return `in ${country}, in ${currency}, takes payments and pays out`;
}

async function currenciesIn(stripe: Stripe): Promise<string> {
  const { available, pending } = await stripe.balance.retrieve();
  const others = [...available, ...pending].filter(
    ({ currency, amount }) => currency !== 'usd' && amount !== 0,
  );
  const names = [...new Set(others.map(({ currency }) => currency))];
  if (names.length === 0) return 'the balance is only in usd';
  throw new Amiss(
    `the balance is also in ${names.join(', ')}: remove those bank accounts, so that all settles in usd`,
  );
}

/** Checks that automatic payouts to our bank leave enough in the balance to pay creators. */
async function payoutsOf(stripe: Stripe, { owedUsdCents }: CheckedPlace): Promise<string> {
  const { payouts } = (await stripe.balanceSettings.retrieve()).payments;
  const interval = payouts?.schedule?.interval ?? 'manual';
  if (interval === 'manual') return 'payouts to the bank are manual';
  const kept = payouts?.minimum_balance_by_currency?.['usd'] ?? 0;
  const owed = await owedUsdCents();
  const said = `our money goes to the bank ${interval}, and ${dollars(kept)} stays`;
  if (kept >= owed) return said;
  throw new Amiss(`${said}, while creators are owed ${dollars(owed)}: pay out by hand, or raise what stays`);
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
    return 'the key may request and download reports of the balance';
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripePermissionError)) throw error;
    throw new Amiss(
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
  if (!newest) return 'every webhook of the last three days was taken';
  const at = new Date(newest.created * 1000).toISOString();
  throw new Amiss(
    `${late.length} webhooks of the last three days were not taken, the newest ${newest.type} of ${at}`,
  );
}

/** Checks Stripe Tax. Without the address of the head office, Stripe calculates no tax and opens no checkout. */
async function taxOf(stripe: Stripe): Promise<string> {
  const { status, status_details: details, head_office: office } = await stripe.tax.settings.retrieve();
  if (status === 'active') return `is found out; the head office is in ${office?.address.country}`;
  const missing = (details.pending?.missing_fields ?? []).join(', ');
  throw new Amiss(`is not found out: Stripe asks for ${missing || 'more'} under Settings, Tax`);
}

async function setupOf(
  stripe: Stripe,
  { publicUrl }: CheckedPlace,
  tax: StripeOptions['tax'],
): Promise<Finding[]> {
  try {
    const steps = await stepsOfSetup(stripe, { publicUrl, tax });
    return steps.map(({ name, amiss }) => ({
      name,
      well: amiss === undefined,
      text: amiss === undefined ? 'as it should be' : `${amiss}; \`offcut stripe setup\` mends it`,
    }));
  } catch (error) {
    return [{ name: 'setup', well: false, text: whatStripeSays(error) }];
  }
}
