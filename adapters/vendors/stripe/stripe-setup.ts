import type Stripe from 'stripe';
import { CREATOR_EVENTS, OWN_EVENTS } from '../../../application/payments/event-types.js';
import { PRODUCTS, type Product } from '../../../domain/subscriptions/products.js';
import { STRIPE_API_VERSION, type StripeOptions } from './stripe-client.js';
import { ensurePrice, findPrice, stripeProductFor } from './stripe-prices.js';
import { unlessMissing } from './stripe-errors.js';

export interface SetupStep {
  name: string;
  /** What is wrong or missing at Stripe; undefined if nothing is. */
  fault: string | undefined;
  /** Creates or corrects the object. @returns the secret of a new endpoint, which Stripe shows only once */
  correct(): Promise<string | undefined>;
}

export interface SetupPlace {
  /** The URL of this installation of Offcut. Objects of other applications on the account stay unchanged. */
  publicUrl: string;
  /** Whether to add new endpoints beside the existing ones, because Stripe shows a secret only on creation. */
  newSecrets?: boolean;
  tax?: StripeOptions['tax'] | undefined;
}

/** What listeners may change in Stripe's portal. Plans change on our own screens, which show the price. */
const PORTAL_FEATURES = {
  customer_update: { enabled: true, allowed_updates: ['address', 'tax_id'] },
  invoice_history: { enabled: true },
  payment_method_update: { enabled: true },
  subscription_cancel: { enabled: false },
  subscription_update: { enabled: false },
} satisfies Stripe.BillingPortal.ConfigurationCreateParams.Features;

/** Returns the host that marks our objects at Stripe, because several installations may share an account. */
const markOf = (url: string): string => new URL(url).host;

export async function findPortal(
  stripe: Stripe,
  publicUrl: string,
): Promise<Stripe.BillingPortal.Configuration | undefined> {
  const configurations = stripe.billingPortal.configurations.list({ active: true, limit: 100 });
  for await (const each of configurations) if (each.metadata?.['offcut'] === markOf(publicUrl)) return each;
  return undefined;
}

const portalFits = ({ features }: Stripe.BillingPortal.Configuration): boolean =>
  Object.entries(PORTAL_FEATURES).every(
    ([name, { enabled }]) => features[name as keyof typeof PORTAL_FEATURES].enabled === enabled,
  ) &&
  features.customer_update.allowed_updates.toSorted().join() ===
    PORTAL_FEATURES.customer_update.allowed_updates.toSorted().join();

type EventType = Stripe.WebhookEndpointCreateParams.EnabledEvent;

const ENDPOINTS: { part: 'account' | 'creators'; types: readonly EventType[] }[] = [
  { part: 'account', types: OWN_EVENTS },
  { part: 'creators', types: CREATOR_EVENTS },
];

export async function stepsOfSetup(stripe: Stripe, place: SetupPlace): Promise<SetupStep[]> {
  const endpoints = await listEndpoints(stripe);
  const steps = await Promise.all([
    ...PRODUCTS.map((sold) => productStep(stripe, sold, place.tax)),
    portalStep(stripe, place),
    ...(place.tax ? [taxStep(stripe, place.tax)] : []),
  ]);
  return [...steps, ...ENDPOINTS.map((wanted) => endpointStep(stripe, place, wanted, endpoints))];
}

async function productStep(stripe: Stripe, sold: Product, tax: StripeOptions['tax']): Promise<SetupStep> {
  const { id, ...wanted } = stripeProductFor(sold, tax);
  const product = await unlessMissing(stripe.products.retrieve(id));
  const price = await findPrice(stripe, sold, tax);
  const faults = [
    ...(product ? [] : ['there is no product']),
    ...(product && !product.active ? ['the product is archived'] : []),
    ...(product && (product.name !== wanted.name || product.description !== wanted.description)
      ? ['the product has another name or description']
      : []),
    ...(product && tax && product.tax_code !== tax.code ? ['the product has another tax code'] : []),
    ...(price ? [] : ['there is no active price of that amount']),
  ];
  return {
    name: `product and price of ${sold.name}`,
    fault: faults.join(', ') || undefined,
    correct: async () => {
      if (product) await stripe.products.update(id, { ...wanted, active: true });
      await ensurePrice(stripe, sold, tax);
      return undefined;
    },
  };
}

/** Sets Stripe's tax defaults. Prices of old subscriptions state no tax behaviour, so the default applies to them. */
async function taxStep(stripe: Stripe, { code }: NonNullable<StripeOptions['tax']>): Promise<SetupStep> {
  const wanted = { tax_behavior: 'exclusive', tax_code: code } as const;
  const { defaults } = await stripe.tax.settings.retrieve();
  const fits = defaults.tax_behavior === wanted.tax_behavior && defaults.tax_code === wanted.tax_code;
  return {
    name: 'tax settings',
    fault: fits ? undefined : 'it has other defaults',
    correct: async () => void (await stripe.tax.settings.update({ defaults: wanted })),
  };
}

async function portalStep(stripe: Stripe, { publicUrl }: SetupPlace): Promise<SetupStep> {
  const found = await findPortal(stripe, publicUrl);
  const fits = found && portalFits(found);
  return {
    name: 'page for cards and invoices',
    fault: fits ? undefined : found ? 'it allows other actions than required' : 'it has no configuration',
    correct: async () => {
      const features = PORTAL_FEATURES;
      const metadata = { offcut: markOf(publicUrl) };
      if (found) await stripe.billingPortal.configurations.update(found.id, { features });
      else await stripe.billingPortal.configurations.create({ features, metadata });
      return undefined;
    },
  };
}

function endpointStep(
  stripe: Stripe,
  { publicUrl, newSecrets }: SetupPlace,
  { part, types }: (typeof ENDPOINTS)[number],
  all: Stripe.WebhookEndpoint[],
): SetupStep {
  const url = addressOf(publicUrl);
  const enabled_events = [...types];
  const metadata = { offcut: markOf(publicUrl), offcut_events: part };
  const ours = all
    .filter((each) => each.metadata['offcut'] === metadata.offcut && each.metadata['offcut_events'] === part)
    .sort((one, other) => other.created - one.created);
  const current = newSecrets ? undefined : ours.find((each) => each.api_version === STRIPE_API_VERSION);
  const differs = current && {
    'it has another address': current.url !== url,
    'it is switched off': current.status !== 'enabled',
    'it gets other events': current.enabled_events.toSorted().join() !== enabled_events.toSorted().join(),
  };
  const faults = Object.entries(differs ?? {}).flatMap(([fault, is]) => (is ? [fault] : []));
  const missing = newSecrets
    ? 'it gets a new secret'
    : ours.length > 0
      ? `it is of another version than ${STRIPE_API_VERSION}`
      : 'there is none';
  return {
    name: `endpoint for events of ${part === 'account' ? 'the account' : 'creators’ accounts'}`,
    fault: current ? faults.join(', ') || undefined : missing,
    correct: async () => {
      if (current) {
        await stripe.webhookEndpoints.update(current.id, { url, enabled_events, disabled: false });
        return undefined;
      }
      const made = await stripe.webhookEndpoints.create({
        url,
        enabled_events,
        metadata,
        api_version: STRIPE_API_VERSION as Stripe.WebhookEndpointCreateParams.ApiVersion,
        connect: part === 'creators',
        description: `Offcut at ${metadata.offcut}: ${part}`,
      });
      return made.secret;
    },
  };
}

/** Returns our endpoints that newer ones replaced, and foreign endpoints that call our address. */
export async function otherEndpoints(
  stripe: Stripe,
  publicUrl: string,
): Promise<{ replaced: string[]; foreign: string[] }> {
  const seen = new Set<string>();
  const all = await listEndpoints(stripe);
  const replaced = all
    .filter(({ metadata }) => metadata['offcut'] === markOf(publicUrl))
    .sort((one, other) => other.created - one.created)
    .filter(({ metadata }) => {
      const part = metadata['offcut_events'] ?? '';
      return seen.has(part) || !seen.add(part);
    });
  const foreign = all.filter(
    ({ url, metadata }) => url === addressOf(publicUrl) && metadata['offcut'] !== markOf(publicUrl),
  );
  return { replaced: replaced.map(({ id }) => id), foreign: foreign.map(({ id }) => id) };
}

const addressOf = (publicUrl: string): string => `${publicUrl}/api/stripe/webhook`;

const listEndpoints = (stripe: Stripe): Promise<Stripe.WebhookEndpoint[]> =>
  stripe.webhookEndpoints.list({ limit: 100 }).autoPagingToArray({ limit: 1000 });
