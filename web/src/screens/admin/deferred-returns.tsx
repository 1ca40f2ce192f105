import { type DeferredReturn, deferredReturnsQuery } from '../../api/admin.js';
import { usePages } from '../../staff/paged-list.js';
import { Badge } from '../../ui/badge.js';
import { countOf, formatDay } from '../../ui/format.js';
import { Cell, List } from './list.js';

const STATUSES = {
  waiting: { tone: 'warn', says: 'Waits for the bank' },
  returned: { tone: 'ok', says: 'Returned' },
  withheld: { tone: 'danger', says: 'The buyer got the money back instead' },
} as const;

function Row({ item }: { item: DeferredReturn }) {
  const { buyerName, sampleId, sampleTitle, reason, explanation, status, returnedCredits } = item;
  const { tone, says } = STATUSES[status];
  return (
    <tr>
      <th scope="row">
        <span className="block font-semibold">{buyerName}</span>
        <span className="block text-sm font-normal text-faint">{sampleTitle ?? sampleId}</span>
      </th>
      <Cell label="Why">
        <span className="block">{reason === 'defect' ? 'Defective' : 'Taken down'}</span>
        <span className="block text-sm text-faint">{explanation}</span>
      </Cell>
      <Cell label="Asked for">{formatDay(item.askedAt)}</Cell>
      <td>
        <Badge tone={tone}>{says}</Badge>
        {item.settledAt && (
          <span className="mt-1 block text-sm text-faint">
            {countOf(returnedCredits ?? 0, 'credit')}, {formatDay(item.settledAt)}
          </span>
        )}
      </td>
    </tr>
  );
}

/** Returns that wait for a bank's decision about the payment. */
export function DeferredReturns() {
  const query = usePages(deferredReturnsQuery);
  return (
    <section aria-labelledby="deferred-title" className="mt-8">
      <h2 id="deferred-title" className="text-lg font-semibold">
        Waiting for a bank
      </h2>
      <p className="mb-4 mt-1 text-muted">
        While a payment is disputed, the purchases that it paid for are not returned. If the dispute is won,
        the buyer gets the credits back. If it is lost, the buyer has the money.
      </p>
      <List
        query={query}
        label="Returns that waited for a bank"
        empty="No return had to wait for a bank"
        more="More returns"
        columns={['Buyer and sample', 'Why', 'Asked for', 'Status']}
        row={(item) => <Row key={item.id} item={item} />}
      />
    </section>
  );
}
