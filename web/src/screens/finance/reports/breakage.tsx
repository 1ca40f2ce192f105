import { useQuery } from '@tanstack/react-query';
import type { Breakage } from '../../../../../application/ledger/reports/margin-contract.js';
import { breakageQuery } from '../../../api/finance.js';
import { Awaited } from '../../../staff/awaited.js';
import { DataTable } from '../parts/data-table.js';
import { utcTime } from '../parts/dates.js';
import { planName } from './plan-name.js';

const TOO_FEW = 'too few lots';

/** The value of credits that were paid for and will never be spent. @param asOf a day; empty: now */
export function BreakageEstimate({ asOf }: { asOf: string }) {
  const query = useQuery(breakageQuery(asOf));
  if (!query.data)
    return (
      <Awaited
        query={query}
        failure="The estimate could not be loaded"
        loading="Loading the estimate..."
        height={240}
      />
    );
  const amount = (label: string, of: (row: Breakage) => number) => ({
    label,
    value: (row: Breakage) => ({ microUsd: of(row) }),
  });
  return (
    <DataTable
      title="Breakage (estimate)"
      note={`${utcTime(query.data.asOf)} UTC. From what is left of lots older than 12 months. Credits do not expire: nothing of this is ever posted.`}
      file={asOf ? `breakage-estimate-${asOf}` : 'breakage-estimate'}
      columns={[
        { label: 'Plan', value: ({ plan }) => planName(plan) },
        { label: 'Old lots', value: ({ lots }) => lots },
        amount('Paid for them', ({ grantedMicroUsd }) => grantedMicroUsd),
        amount('Of it unspent', ({ unspentMicroUsd }) => unspentMicroUsd),
        {
          label: 'Unspent (estimate)',
          value: ({ shareBps }) => (shareBps === null ? TOO_FEW : `${(shareBps / 100).toFixed(2)} %`),
          align: 'right' as const,
        },
        amount('Deferred', ({ deferredMicroUsd }) => deferredMicroUsd),
        {
          label: 'Never to be spent (estimate)',
          value: ({ estimateMicroUsd }) =>
            estimateMicroUsd === null ? TOO_FEW : { microUsd: estimateMicroUsd },
          align: 'right' as const,
        },
      ]}
      rows={query.data.items}
      keyOf={({ plan }) => plan}
      empty="Nothing was ever paid for."
    />
  );
}
