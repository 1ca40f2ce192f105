import type Stripe from 'stripe';
import { missing } from '../faults.js';
import { page } from '../listing.js';
import type { Parameters } from '../parameters.js';
import type { Call, Route } from '../router.js';

type Features = Stripe.BillingPortal.Configuration['features'];

const nothing = (): Features => ({
  customer_update: { allowed_updates: [], enabled: false },
  invoice_history: { enabled: false },
  payment_method_update: { enabled: false, payment_method_configuration: null },
  subscription_cancel: {
    cancellation_reason: { enabled: false, feedback_options: null, options: [] },
    enabled: false,
    mode: 'at_period_end',
    proration_behavior: 'none',
  },
  subscription_pause: { duration: { interval_options: [], type: 'indefinite' }, enabled: false },
  subscription_update: {
    billing_cycle_anchor: null,
    default_allowed_updates: [],
    enabled: false,
    proration_behavior: 'none',
    schedule_at_period_end: { conditions: [] },
    trial_update_behavior: 'end_trial',
  },
});

/** Sets which features are enabled, and which of their data customers may change. */
function readFeatures(parameters: Parameters, features: Features): void {
  const given = parameters.nested('features');
  for (const name of Object.keys(features) as (keyof Features)[]) {
    const feature = given?.nested(name);
    features[name].enabled = feature?.flag('enabled') ?? features[name].enabled;
    if (name === 'customer_update')
      features[name].allowed_updates = feature?.texts('allowed_updates') ?? features[name].allowed_updates;
    feature?.done();
  }
  given?.done();
}

function create({ world, parameters }: Call): object {
  if (!parameters.has('features')) throw missing('features');
  const features = nothing();
  readFeatures(parameters, features);
  const configuration: Stripe.BillingPortal.Configuration = {
    id: world.id('bpc'),
    object: 'billing_portal.configuration',
    active: true,
    application: null,
    business_profile: { headline: null, privacy_policy_url: null, terms_of_service_url: null },
    created: world.now(),
    default_return_url: null,
    features,
    is_default: false,
    livemode: false,
    login_page: { enabled: false, url: null },
    metadata: parameters.metadata(),
    name: parameters.text('name') ?? null,
    updated: world.now(),
  };
  parameters.done();
  world.objects.portalConfigurations[configuration.id] = configuration;
  world.emit('billing_portal.configuration.created', configuration);
  return configuration;
}

function update({ world, path, parameters }: Call): object {
  const configuration = world.find('portalConfigurations', path['id'] as string);
  readFeatures(parameters, configuration.features);
  configuration.active = parameters.flag('active') ?? configuration.active;
  configuration.metadata = parameters.metadata(configuration.metadata ?? {});
  parameters.done();
  configuration.updated = world.now();
  world.emit('billing_portal.configuration.updated', configuration);
  return configuration;
}

const ALL = '/v1/billing_portal/configurations';

export const portalConfigurationRoutes: Route[] = [
  { method: 'POST', pattern: ALL, answer: create },
  {
    method: 'GET',
    pattern: ALL,
    answer: ({ world, parameters }) => {
      const active = parameters.flag('active');
      const found = world
        .all('portalConfigurations')
        .filter((each) => active === undefined || each.active === active);
      return page(found, parameters, ALL);
    },
  },
  { method: 'POST', pattern: `${ALL}/:id`, answer: update },
];
