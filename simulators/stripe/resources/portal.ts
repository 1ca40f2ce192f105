import type Stripe from 'stripe';
import { missing } from '../faults.js';
import type { Parameters } from '../parameters.js';
import { list, type Call, type Routes } from '../router.js';
import { nulls } from '../world.js';

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

/** Sets which features are enabled, and which data customers may change. */
function readFeatures(parameters: Parameters, features: Features): void {
  parameters.nested('features', (given) => {
    for (const name of Object.keys(features) as (keyof Features)[])
      given.nested(name, (feature) => {
        features[name].enabled = feature.flag('enabled') ?? features[name].enabled;
        if (name === 'customer_update')
          features[name].allowed_updates = feature.texts('allowed_updates') ?? features[name].allowed_updates;
      });
  });
}

function create({ world, parameters }: Call): object {
  if (!parameters.has('features')) throw missing('features');
  const features = nothing();
  readFeatures(parameters, features);
  const metadata = parameters.metadata();
  const name = parameters.text('name') ?? null;
  parameters.done();
  return world.add(
    'portalConfigurations',
    {
      id: world.id('bpc'),
      object: 'billing_portal.configuration',
      active: true,
      application: null,
      business_profile: nulls('headline', 'privacy_policy_url', 'terms_of_service_url'),
      created: world.now(),
      default_return_url: null,
      features,
      is_default: false,
      livemode: false,
      login_page: { enabled: false, url: null },
      metadata,
      name,
      updated: world.now(),
    },
    'billing_portal.configuration.created',
  );
}

function update({ world, id, parameters }: Call): object {
  const configuration = world.find('portalConfigurations', id);
  readFeatures(parameters, configuration.features);
  configuration.active = parameters.flag('active') ?? configuration.active;
  configuration.metadata = parameters.metadata(configuration.metadata ?? {});
  parameters.done();
  configuration.updated = world.now();
  return world.emit('billing_portal.configuration.updated', configuration);
}

/** Creates the address of a page where a customer changes the card. */
function createSession({ world, parameters }: Call): object {
  const customer = world.find('customers', parameters.required('customer'), 'customer');
  const returnUrl = parameters.text('return_url') ?? null;
  const configuration = parameters.text('configuration');
  parameters.done();
  const id = world.id('bps');
  return world.add('portalSessions', {
    id,
    object: 'billing_portal.session',
    ...nulls('customer_account', 'flow', 'locale', 'on_behalf_of'),
    configuration: configuration
      ? world.find('portalConfigurations', configuration, 'configuration').id
      : 'bpc_simulator',
    created: world.now(),
    customer: customer.id,
    livemode: false,
    return_url: returnUrl,
    url: `${world.base()}/p/session/${id}`,
  });
}

export const portalRoutes: Routes = {
  'POST /v1/billing_portal/configurations': create,
  'GET /v1/billing_portal/configurations': list('portalConfigurations', ['active']),
  'POST /v1/billing_portal/configurations/:id': update,
  'POST /v1/billing_portal/sessions': createSession,
};
