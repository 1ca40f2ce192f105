import type { Cause } from '../shared/event-store.js';
import { DecideAlert } from './decide-alert.js';

export const SET_ASIDE = 'fact-set-aside';

/**
 * For a report of the provider's that contradicts the record: a person is told once, and whoever brought it goes on.
 * What moved is in the books by its movement all the same.
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
