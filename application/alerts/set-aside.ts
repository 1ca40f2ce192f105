import type { Cause } from '../shared/event-store.js';
import { DecideAlert } from './decide-alert.js';

export const SET_ASIDE = 'fact-set-aside';

/**
 * Returns an alert about a provider's report that contradicts the record. A person sees it once, and the caller
 * continues. The movement at the provider still posts the money in the books.
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
