import { useQuery } from '@tanstack/react-query';
import type { PaidInvoiceRow } from '../../../../application/administration/contract.js';
import type { Person } from '../../../../application/accounts/contract.js';
import { paidInvoicesQuery } from '../../api/admin.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { formatDay, formatShortDay, formatUsdCents } from '../../ui/format.js';
import { Cell, List } from './list.js';
import type { Decision } from '../../staff/reason-dialog.js';
import { refundOf } from './removals.js';

/** Until when an invoice can be refunded, or why it cannot. */
function stateOf(
  row: PaidInvoiceRow,
  nowMs: number,
): { open: boolean; tone: 'ok' | 'warn' | 'neutral'; text: string } {
  if (row.disputed) return { open: false, tone: 'warn', text: 'disputed' };
  if (row.refundedUsdCents > 0)
    return { open: false, tone: 'neutral', text: `${formatUsdCents(row.refundedUsdCents)} refunded` };
  if (row.creditsLeft === 0) return { open: false, tone: 'neutral', text: 'all spent' };
  if (Date.parse(row.refundableUntil) < nowMs) return { open: false, tone: 'neutral', text: 'too late' };
  return { open: true, tone: 'ok', text: `until ${formatShortDay(row.refundableUntil)}` };
}

export function PaidInvoiceList({ person, ask }: { person: Person; ask: (decision: Decision) => void }) {
  const query = useQuery(paidInvoicesQuery(person.id));
  return (
    <List
      query={{
        ...query,
        data: query.data && { items: query.data.items.map((row) => ({ ...row, id: row.invoiceId })) },
      }}
      label={`Invoices of ${person.displayName}`}
      empty="Nothing was paid"
      columns={['Paid', 'Amount', 'Credits left', 'Refund', 'Invoice', '']}
      row={(row) => {
        const { open, tone, text } = stateOf(row, query.dataUpdatedAt);
        return (
          <tr key={row.id}>
            <th scope="row" className="font-semibold whitespace-nowrap">
              {formatDay(row.paidAt)}
            </th>
            <Cell label="Amount">{formatUsdCents(row.amountUsdCents)}</Cell>
            <Cell label="Credits left">
              {row.creditsLeft} of {row.credits}
            </Cell>
            <Cell label="Refund">
              <Badge tone={tone}>{text}</Badge>
            </Cell>
            <Cell label="Invoice">
              <span className="mono text-xs">{row.invoiceId}</span>
            </Cell>
            <td>
              {open && (
                <Button
                  size="small"
                  tone="danger"
                  onClick={() => ask(refundOf(row.invoiceId, () => void query.refetch()))}
                >
                  Refund...
                </Button>
              )}
            </td>
          </tr>
        );
      }}
    />
  );
}
