import { SUSPENSE } from '../../../domain/ledger/accounts.js';
import { inCurrency } from '../../../domain/shared/micro-usd.js';
import { factCard } from './movement-cards.js';
import { allOf, type TracedOf, type Way } from './way.js';

export function adjustingCard(way: Way, posted: TracedOf<'AdjustingEntryPosted'>): string {
  const { entryId, lines, evidence, month, requestedBy, approvedBy } = posted.data;
  const key = `adjusting-entry:${entryId}`;
  if (way.has(key)) return key;
  const [taken] = lines;
  return factCard(way, {
    key,
    kind: 'adjusting-entry',
    title: 'Adjusting entry',
    id: entryId,
    at: posted.recordedAt.toISOString(),
    account: taken?.account ?? SUSPENSE,
    main: [posted],
    events: [posted],
    facts: [
      ...(taken && taken.commodity !== 'usd'
        ? [{ label: 'Other currency', text: inCurrency(taken.delta, taken.commodity) }]
        : []),
      { label: 'Asked by', person: requestedBy },
      { label: 'Approved by', person: approvedBy },
      { label: 'Proof', text: evidence },
      ...(month === undefined ? [] : [{ label: 'Posted at the end of', text: month }]),
    ],
  });
}

/** Links the entries that cleared an item to the card of the item. */
export async function adjustingFrom(way: Way, key: string, item: string): Promise<void> {
  for (const posted of allOf(await way.events.naming(item), 'AdjustingEntryPosted'))
    way.join(adjustingCard(way, posted), key);
}
