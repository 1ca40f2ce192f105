import type Stripe from 'stripe';
import { invalid, missing } from '../faults.js';
import type { Parameters } from '../parameters.js';
import { setPrice } from '../pending-updates.js';
import { list, retrieve, type Call, type Routes } from '../router.js';
import { requireLocation, setTax } from '../tax/taxes.js';
import { idOf, monthsAfter, nulls, type World } from '../world.js';
import { itemOf } from './new-invoice.js';

type Schedule = Stripe.SubscriptionSchedule;
type Phase = Schedule['phases'][number];

const phaseOf = (price: Stripe.Price, quantity: number, start: number, end: number): Phase => ({
  ...nulls('application_fee_percent', 'billing_cycle_anchor', 'billing_thresholds', 'collection_method'),
  ...nulls('default_payment_method', 'description', 'invoice_settings', 'on_behalf_of', 'transfer_data'),
  add_invoice_items: [],
  currency: price.currency,
  default_tax_rates: [],
  discounts: [],
  end_date: end,
  items: [
    {
      billing_thresholds: null,
      discounts: [],
      metadata: {},
      plan: price.id,
      price: price.id,
      quantity,
      tax_rates: [],
    },
  ],
  metadata: {},
  proration_behavior: 'none',
  start_date: start,
  trial_end: null,
});

/** Creates a schedule from a subscription, whose current period becomes the only phase. */
function create({ world, parameters }: Call): object {
  const id = parameters.required('from_subscription');
  const metadata = parameters.metadata();
  parameters.done();
  const subscription = world.find('subscriptions', id, 'from_subscription');
  if (subscription.schedule)
    throw invalid(
      `You cannot migrate a subscription that is already attached to a schedule: \`${id}\`.`,
      'from_subscription',
    );
  if (subscription.status === 'canceled')
    throw invalid('You cannot migrate a canceled subscription.', 'from_subscription');
  const item = itemOf(subscription);
  const dates = { start_date: item.current_period_start, end_date: item.current_period_end };
  const { enabled, liability } = subscription.automatic_tax;
  const schedule: Schedule = {
    id: world.id('sub_sched'),
    object: 'subscription_schedule',
    ...nulls('application', 'canceled_at', 'completed_at', 'customer_account', 'released_at'),
    ...nulls('released_subscription', 'test_clock'),
    billing_mode: structuredClone(subscription.billing_mode),
    created: world.now(),
    current_phase: dates,
    customer: idOf(subscription.customer),
    default_settings: {
      ...nulls('application_fee_percent', 'billing_thresholds', 'default_payment_method', 'description'),
      ...nulls('on_behalf_of', 'transfer_data'),
      automatic_tax: { disabled_reason: null, enabled, liability },
      billing_cycle_anchor: 'automatic',
      collection_method: 'charge_automatically',
      invoice_settings: {
        ...nulls('account_tax_ids', 'custom_fields', 'days_until_due', 'description', 'footer'),
        issuer: { type: 'self' },
      },
    },
    end_behavior: 'release',
    livemode: false,
    metadata,
    pause_schedules: [],
    phases: [phaseOf(item.price, item.quantity ?? 1, dates.start_date, dates.end_date)],
    status: 'active',
    subscription: subscription.id,
  };
  subscription.schedule = schedule.id;
  world.add('subscriptionSchedules', schedule, 'subscription_schedule.created');
  world.emit('customer.subscription.updated', subscription, { schedule: null });
  return schedule;
}

function readPhase(world: World, given: Parameters, index: number, previousEnd: number | undefined): Phase {
  const item = given.only('items', (only) => ({
    price: world.find('prices', only.required('price'), `phases[${index}][items][0][price]`),
    quantity: only.integer('quantity') ?? 1,
  }));
  const start = given.integer('start_date') ?? previousEnd;
  if (start === undefined) throw missing(`phases[${index}][start_date]`);
  const months = given.nested('duration', (duration) => {
    if (duration.oneOf('interval', ['month']) === undefined)
      throw missing(`phases[${index}][duration][interval]`);
    return duration.integer('interval_count') ?? 1;
  });
  const end = given.integer('end_date') ?? (months === undefined ? undefined : monthsAfter(start, months));
  if (end === undefined || end <= start)
    throw invalid('A phase needs an end_date or a duration', `phases[${index}][end_date]`);
  given.oneOf('proration_behavior', ['none']);
  return phaseOf(item.price, item.quantity, start, end);
}

function active(world: World, id: string): Schedule {
  const schedule = world.find('subscriptionSchedules', id);
  if (schedule.status !== 'active')
    throw invalid(`You cannot change a subscription schedule that is ${schedule.status}.`);
  return schedule;
}

function update({ world, id, parameters }: Call): object {
  const schedule = active(world, id);
  const phases: Phase[] = [];
  parameters.each('phases', (phase, index) =>
    phases.push(readPhase(world, phase, index, phases.at(-1)?.end_date)),
  );
  parameters.oneOf('end_behavior', ['release']);
  parameters.oneOf('proration_behavior', ['none', 'create_prorations']);
  const metadata = parameters.metadata(schedule.metadata ?? {});
  const taxed = parameters.nested('default_settings', (settings) => settings.enabled('automatic_tax'));
  parameters.done();
  if (phases.length > 0) {
    if (phases[0]?.start_date !== schedule.phases[0]?.start_date)
      throw invalid('You can not modify the start date of the current phase.', 'phases[0][start_date]');
    schedule.phases = phases;
  }
  if (taxed) requireLocation(world.find('customers', idOf(schedule.customer), 'customer'));
  if (taxed !== undefined) {
    const subscription = world.find('subscriptions', idOf(schedule.subscription));
    setTax(subscription, taxed);
    schedule.default_settings.automatic_tax = structuredClone(subscription.automatic_tax);
  }
  schedule.metadata = metadata;
  return world.emit('subscription_schedule.updated', schedule);
}

function release(world: World, schedule: Schedule): Schedule {
  const subscription = world.find('subscriptions', idOf(schedule.subscription));
  subscription.schedule = null;
  schedule.status = 'released';
  schedule.released_at = world.now();
  schedule.released_subscription = subscription.id;
  schedule.subscription = null;
  schedule.current_phase = null;
  return world.emit('subscription_schedule.released', schedule);
}

/** At the end of a period, enters the next phase, or releases the subscription after the last one. */
export function enterDuePhase(world: World, subscription: Stripe.Subscription): void {
  if (!subscription.schedule) return;
  const schedule = world.find('subscriptionSchedules', idOf(subscription.schedule));
  const boundary = itemOf(subscription).current_period_end;
  const phase = schedule.phases.find((next) => next.start_date <= boundary && boundary < next.end_date);
  if (!phase) return void release(world, schedule);
  schedule.current_phase = { start_date: phase.start_date, end_date: phase.end_date };
  setPrice(subscription, world.find('prices', idOf(phase.items[0]?.price)));
  // Each phase sets the tax again, even if it was changed in between.
  setTax(subscription, schedule.default_settings.automatic_tax?.enabled ?? false);
  world.emit('subscription_schedule.updated', schedule);
}

export const subscriptionScheduleRoutes: Routes = {
  'POST /v1/subscription_schedules': create,
  'GET /v1/subscription_schedules': list('subscriptionSchedules', ['customer']),
  'GET /v1/subscription_schedules/:id': retrieve('subscriptionSchedules'),
  'POST /v1/subscription_schedules/:id': update,
  'POST /v1/subscription_schedules/:id/release': ({ world, id, parameters }) => {
    parameters.flag('preserve_cancel_date');
    parameters.done();
    const schedule = active(world, id);
    const subscription = world.find('subscriptions', idOf(schedule.subscription));
    const released = release(world, schedule);
    world.emit('customer.subscription.updated', subscription, { schedule: schedule.id });
    return released;
  },
};
