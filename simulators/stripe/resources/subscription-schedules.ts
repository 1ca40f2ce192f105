import type Stripe from 'stripe';
import { invalid, missing } from '../faults.js';
import type { Parameters } from '../parameters.js';
import { page } from '../listing.js';
import type { Call, Route } from '../router.js';
import { requireLocation, setTax } from '../tax/taxes.js';
import { idOf, monthsAfter, type World } from '../world.js';

type Schedule = Stripe.SubscriptionSchedule;
type Phase = Schedule['phases'][number];

const phaseOf = (price: Stripe.Price, quantity: number, start: number, end: number): Phase => ({
  add_invoice_items: [],
  application_fee_percent: null,
  billing_cycle_anchor: null,
  billing_thresholds: null,
  collection_method: null,
  currency: price.currency,
  default_payment_method: null,
  default_tax_rates: [],
  description: null,
  discounts: [],
  end_date: end,
  invoice_settings: null,
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
  on_behalf_of: null,
  proration_behavior: 'none',
  start_date: start,
  transfer_data: null,
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
  const item = subscription.items.data[0] as Stripe.SubscriptionItem;
  const dates = { start_date: item.current_period_start, end_date: item.current_period_end };
  const schedule: Schedule = {
    id: world.id('sub_sched'),
    object: 'subscription_schedule',
    application: null,
    billing_mode: structuredClone(subscription.billing_mode),
    canceled_at: null,
    completed_at: null,
    created: world.now(),
    current_phase: dates,
    customer: idOf(subscription.customer),
    customer_account: null,
    default_settings: {
      application_fee_percent: null,
      automatic_tax: {
        disabled_reason: null,
        enabled: subscription.automatic_tax.enabled,
        liability: subscription.automatic_tax.liability,
      },
      billing_cycle_anchor: 'automatic',
      billing_thresholds: null,
      collection_method: 'charge_automatically',
      default_payment_method: null,
      description: null,
      invoice_settings: {
        account_tax_ids: null,
        custom_fields: null,
        days_until_due: null,
        description: null,
        footer: null,
        issuer: { type: 'self' },
      },
      on_behalf_of: null,
      transfer_data: null,
    },
    end_behavior: 'release',
    livemode: false,
    metadata,
    pause_schedules: [],
    phases: [phaseOf(item.price, item.quantity ?? 1, dates.start_date, dates.end_date)],
    released_at: null,
    released_subscription: null,
    status: 'active',
    subscription: subscription.id,
    test_clock: null,
  };
  world.objects.subscriptionSchedules[schedule.id] = schedule;
  subscription.schedule = schedule.id;
  world.emit('subscription_schedule.created', schedule);
  world.emit('customer.subscription.updated', subscription, { schedule: null });
  return schedule;
}

function readPhase(world: World, given: Parameters, index: number, previousEnd: number | undefined): Phase {
  const items = given.each('items');
  if (items?.length !== 1) throw missing(`phases[${index}][items]`);
  const [item] = items as [Parameters];
  const price = world.find('prices', item.required('price'), `phases[${index}][items][0][price]`);
  const quantity = item.integer('quantity') ?? 1;
  item.done();
  const start = given.integer('start_date') ?? previousEnd;
  if (start === undefined) throw missing(`phases[${index}][start_date]`);
  const duration = given.nested('duration');
  const months = duration?.integer('interval_count') ?? 1;
  if (duration && duration.oneOf('interval', ['month'] as const) === undefined)
    throw missing(`phases[${index}][duration][interval]`);
  duration?.done();
  const end = given.integer('end_date') ?? (duration ? monthsAfter(start, months) : undefined);
  if (end === undefined || end <= start)
    throw invalid('A phase needs an end_date or a duration', `phases[${index}][end_date]`);
  given.oneOf('proration_behavior', ['none'] as const);
  given.done();
  return phaseOf(price, quantity, start, end);
}

function active(world: World, id: string): Schedule {
  const schedule = world.find('subscriptionSchedules', id);
  if (schedule.status !== 'active')
    throw invalid(`You cannot change a subscription schedule that is ${schedule.status}.`);
  return schedule;
}

function update({ world, path, parameters }: Call): object {
  const schedule = active(world, path['id'] as string);
  const given = parameters.each('phases');
  parameters.oneOf('end_behavior', ['release'] as const);
  parameters.oneOf('proration_behavior', ['none', 'create_prorations'] as const);
  const metadata = parameters.metadata(schedule.metadata ?? {});
  const defaults = parameters.nested('default_settings');
  const tax = defaults?.nested('automatic_tax');
  const taxed = tax?.flag('enabled');
  tax?.done();
  defaults?.done();
  const phases: Phase[] = [];
  given?.forEach((phase, index) => phases.push(readPhase(world, phase, index, phases.at(-1)?.end_date)));
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
  world.emit('subscription_schedule.updated', schedule);
  return schedule;
}

function release(world: World, schedule: Schedule): Schedule {
  const subscription = world.find('subscriptions', idOf(schedule.subscription));
  subscription.schedule = null;
  schedule.status = 'released';
  schedule.released_at = world.now();
  schedule.released_subscription = subscription.id;
  schedule.subscription = null;
  schedule.current_phase = null;
  world.emit('subscription_schedule.released', schedule);
  return schedule;
}

/** At the end of a period, enters the next phase, or releases the subscription after the last one. */
export function enterDuePhase(
  world: World,
  subscription: Stripe.Subscription,
  setPrice: (subscription: Stripe.Subscription, price: Stripe.Price) => void,
): void {
  if (!subscription.schedule) return;
  const schedule = world.find('subscriptionSchedules', idOf(subscription.schedule));
  const boundary = (subscription.items.data[0] as Stripe.SubscriptionItem).current_period_end;
  const phase = schedule.phases.find((next) => next.start_date <= boundary && boundary < next.end_date);
  if (!phase) return void release(world, schedule);
  schedule.current_phase = { start_date: phase.start_date, end_date: phase.end_date };
  setPrice(subscription, world.find('prices', idOf(phase.items[0]?.price)));
  // Each phase sets the tax again, even if it was changed in between.
  setTax(subscription, schedule.default_settings.automatic_tax?.enabled ?? false);
  world.emit('subscription_schedule.updated', schedule);
}

export const subscriptionScheduleRoutes: Route[] = [
  { method: 'POST', pattern: '/v1/subscription_schedules', answer: create },
  {
    method: 'GET',
    pattern: '/v1/subscription_schedules',
    answer: ({ world, parameters }) => {
      const customer = parameters.text('customer');
      const found = world
        .all('subscriptionSchedules')
        .filter((schedule) => !customer || idOf(schedule.customer) === customer);
      return page(found, parameters, '/v1/subscription_schedules');
    },
  },
  {
    method: 'GET',
    pattern: '/v1/subscription_schedules/:id',
    answer: ({ world, path, parameters }) => {
      parameters.done();
      return world.find('subscriptionSchedules', path['id'] as string);
    },
  },
  { method: 'POST', pattern: '/v1/subscription_schedules/:id', answer: update },
  {
    method: 'POST',
    pattern: '/v1/subscription_schedules/:id/release',
    answer: ({ world, path, parameters }) => {
      parameters.flag('preserve_cancel_date');
      parameters.done();
      const schedule = active(world, path['id'] as string);
      const subscription = world.find('subscriptions', idOf(schedule.subscription));
      const released = release(world, schedule);
      world.emit('customer.subscription.updated', subscription, { schedule: schedule.id });
      return released;
    },
  },
];
