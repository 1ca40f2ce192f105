import { holdReserve } from './reserves.js';
import type { Simulation } from './simulation.js';

const UNTAXED_REASONS = ['finalization_system_error', 'requires_location_inputs'] as const;
const MAX_TIMES = 1000;
const MAX_DAYS = 3660;

type Outcome = { status: number; body: object };

const bad = (error: string): Outcome => ({ status: 400, body: { error } });

/**
 * Hooks for invoices, tax, renewals and reserves:
 * - `POST /_test/untax-next-invoice {times = 1, reason = finalization_system_error}` finalises the next invoices
 *   without the tax that they should have
 * - `POST /_test/tax-settings {status: active | pending}` sets whether Stripe knows our own address for tax
 * - `POST /_test/draft-renewals {on = true}` keeps renewals as drafts for an hour before they are charged
 * - `POST /_test/reserve {amountUsdCents, days}` withholds money from the balance for this many days
 *
 * @returns undefined if the path is none of these
 */
export function answerBillHook(
  { world, change }: Simulation,
  path: string,
  fields: Record<string, unknown>,
): Outcome | undefined {
  switch (path) {
    case '/_test/untax-next-invoice': {
      const times = Number(fields['times'] ?? 1);
      const reason = UNTAXED_REASONS.find((known) => known === (fields['reason'] ?? UNTAXED_REASONS[0]));
      if (!Number.isInteger(times) || times < 0 || times > MAX_TIMES || !reason)
        return bad(`times must be a count, reason one of ${UNTAXED_REASONS.join(', ')}`);
      change(() => (world.state.untaxed = { times, reason }));
      return { status: 200, body: { untaxed: world.state.untaxed } };
    }
    case '/_test/tax-settings': {
      const pending = fields['status'] === 'pending';
      change(() => {
        world.state.taxSettings.status = pending ? 'pending' : 'active';
        world.state.taxSettings.status_details = pending
          ? { pending: { missing_fields: ['head_office.address'] } }
          : { active: {} };
      });
      return { status: 200, body: world.state.taxSettings };
    }
    case '/_test/draft-renewals': {
      change(() => (world.state.draftsRenewals = String(fields['on'] ?? true) === 'true'));
      return { status: 200, body: { draftsRenewals: world.state.draftsRenewals } };
    }
    case '/_test/reserve': {
      const [amount, days] = [Number(fields['amountUsdCents']), Number(fields['days'])];
      if (!Number.isInteger(amount) || amount < 1 || !(days > 0 && days <= MAX_DAYS))
        return bad(`amountUsdCents must be above 0, days above 0 and at most ${MAX_DAYS}`);
      return { status: 200, body: change(() => holdReserve(world, amount, days)) };
    }
    default:
      return undefined;
  }
}
