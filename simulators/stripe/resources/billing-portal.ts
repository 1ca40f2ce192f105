import type Stripe from 'stripe';
import type { Route } from '../router.js';

/** A page where a customer changes the card. The session is only an address. */
export const billingPortalRoutes: Route[] = [
  {
    method: 'POST',
    pattern: '/v1/billing_portal/sessions',
    answer: ({ world, parameters }) => {
      const customer = world.find('customers', parameters.required('customer'), 'customer');
      const returnUrl = parameters.text('return_url') ?? null;
      const configuration = parameters.text('configuration');
      parameters.done();
      const id = world.id('bps');
      const session: Stripe.BillingPortal.Session = {
        id,
        object: 'billing_portal.session',
        configuration: configuration
          ? world.find('portalConfigurations', configuration, 'configuration').id
          : 'bpc_simulator',
        created: world.now(),
        customer: customer.id,
        customer_account: null,
        flow: null,
        livemode: false,
        locale: null,
        on_behalf_of: null,
        return_url: returnUrl,
        url: `${world.base()}/p/session/${id}`,
      };
      world.objects.portalSessions[id] = session;
      return session;
    },
  },
];
