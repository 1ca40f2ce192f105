import type { Call, Route } from '../router.js';

function update({ world, parameters }: Call): object {
  const { payouts } = world.state.balanceSettings.payments;
  const payments = parameters.nested('payments');
  const given = payments?.nested('payouts');
  const schedule = given?.nested('schedule');
  const interval = schedule?.oneOf('interval', ['manual', 'daily', 'weekly', 'monthly']);
  schedule?.done();
  const minimum = given?.nested('minimum_balance_by_currency');
  const usd = minimum?.integer('usd');
  minimum?.done();
  given?.done();
  payments?.done();
  parameters.done();
  if (payouts && interval) {
    payouts.schedule = { interval };
    world.state.paidOutAt = world.now();
  }
  if (payouts && usd !== undefined) payouts.minimum_balance_by_currency = { usd };
  world.emit('balance_settings.updated', world.state.balanceSettings);
  return world.state.balanceSettings;
}

/** Settings for automatic payouts of our own balance. */
export const balanceSettingsRoutes: Route[] = [
  {
    method: 'GET',
    pattern: '/v1/balance_settings',
    answer: ({ world, parameters }) => {
      parameters.done();
      return world.state.balanceSettings;
    },
  },
  { method: 'POST', pattern: '/v1/balance_settings', answer: update },
];
