import type { Cause } from '../shared/event-store.js';
import { DecideAlert } from './commands.js';

/**
 * For a report of the provider's that contradicts the record: a person is told once, and whoever brought it goes on.
 * What moved is in the books by its movement all the same.
 */
export const setAside = (kind: string, id: string, detail: string, { actor }: Cause): DecideAlert =>
  new DecideAlert(
    {
      type: 'RaiseAlert',
      alert: {
        key: `${kind}-${id}`,
        kind: 'fact-set-aside',
        text: `A report of the payment provider contradicts the books and was set aside: ${detail}.`,
        item: id,
      },
    },
    actor,
  );
