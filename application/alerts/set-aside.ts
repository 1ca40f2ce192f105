import type { Cause } from '../shared/event-store.js';
import { DecideAlert } from './decide-alert.js';

export const SET_ASIDE = 'fact-set-aside';

/**
 * Returns an alert about a report of the payment provider that contradicts the log. The caller then skips the report.
 * The books still post the money, because they also post each movement of our balance at the provider.
 */
export const setAside = (
  kind: 'movement' | 'bank-payout' | 'money-back' | 'withdrawal',
  id: string,
  detail: string,
  { actor, chargeId }: Cause & { chargeId?: string },
): DecideAlert =>
  new DecideAlert(
    {
      type: 'RaiseAlert',
      alert: {
        key: `${kind}-${id}`,
        kind: SET_ASIDE,
        text: `A report of the payment provider contradicts the books and was set aside: ${detail}.`,
        item: id,
        ...(chargeId === undefined ? {} : { chargeId }),
      },
    },
    actor,
  );
