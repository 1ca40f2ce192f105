import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router-dom';
import type { MonthlyRollforward, Rollforward } from '../../../../application/ledger/contract.js';
import { monthlyRollforwardQuery } from '../../api/finance.js';
import { staffPaths } from '../../../../application/pages/staff-paths.js';
import { Badge } from '../../ui/badge.js';
import { countOf } from '../../ui/format.js';
import { type Column, kinds } from '../../staff/list/column.js';
import { List, rowsOf } from '../../staff/list/list.js';
import { PageHead, Panel } from '../../staff/page-parts.js';
import { UserForm, Who } from './parts/user-form.js';
import { STEPS, Waterfall } from './parts/waterfall.js';

type Month = MonthlyRollforward['items'][number];
/** All months as one period: the first opening, the sum of all movements, and the last closing. */
function wholeOf(months: readonly Month[]): Rollforward {
  const sum = (step: keyof Rollforward) => months.reduce((total, month) => total + month[step], 0);
  return {
    opening: months[0]?.opening ?? 0,
    granted: sum('granted'),
    spent: sum('spent'),
    returned: sum('returned'),
    revoked: sum('revoked'),
    adjusted: sum('adjusted'),
    closing: months.at(-1)?.closing ?? 0,
  };
}

/** Whether every month adds up, and opens with the closing of the month before. */
const ties = (months: readonly Month[]): boolean =>
  months.every(
    ({ opening, granted, spent, returned, revoked, adjusted, closing }, at) =>
      opening + granted - spent + returned - revoked + adjusted === closing &&
      (at === 0 || months[at - 1]?.closing === opening),
  );

/** Decreases are negative, so that a row adds up. */
function columnsOf(months: readonly Month[], userId: string): Column<Month>[] {
  const whole = wholeOf(months);
  const stream = userId ? `credits-${userId}` : 'credits-';
  const amounts = STEPS.map(([step, label, sign]): Column<Month> => {
    const signed = (forward: Rollforward) => (sign < 0 ? -forward[step] || 0 : forward[step]);
    return { label, value: signed, total: signed(whole), align: 'right' };
  });
  return [
    {
      label: 'Month',
      value: ({ month }) => month,
      total: 'Total',
      kind: kinds.month,
      to: ({ month }) => staffPaths.financeEventsOf({ stream, from: `${month}-01` }),
    },
    ...amounts,
  ];
}

export function RollforwardPage() {
  const [parameters, setParameters] = useSearchParams();
  const userId = parameters.get('user') ?? '';
  const query = useQuery(monthlyRollforwardQuery(userId));
  const months = query.data?.items ?? [];
  return (
    <>
      <PageHead
        title="Credit roll-forward"
        note={
          userId ? (
            <>
              Credits of <Who userId={userId} />.{' '}
              <Link className="underlined" to={staffPaths.financeProof(userId)}>
                Prove this balance
              </Link>
            </>
          ) : (
            'Credits of all users, frozen ones included. Months are by UTC.'
          )
        }
      >
        <UserForm userId={userId} optional onUser={(user) => setParameters(user ? { user } : {})} />
      </PageHead>
      <div className="grid gap-4">
        <List
          of={rowsOf(query, ({ items }) => items.toReversed())}
          what="roll-forward"
          title="By month"
          note={
            <Badge tone={ties(months) ? 'ok' : 'danger'}>
              {ties(months) ? 'Every month ties' : 'A month does not tie'}
            </Badge>
          }
          file={userId ? `roll-forward-${userId}` : 'roll-forward'}
          sideways
          columns={columnsOf(months, userId)}
          keyOf={({ month }) => month}
          empty={{
            title: 'No credits yet',
            text: userId ? 'Nothing ever moved credits of this user.' : 'No credits were ever granted.',
          }}
        />
        {months.length > 0 && (
          <Panel
            className="p-5"
            title={
              <>
                Together{' '}
                <span className="ml-2 text-sm font-normal text-muted">
                  {countOf(months.length, 'month')}, in credits
                </span>
              </>
            }
          >
            <Waterfall forward={wholeOf(months)} label="From opening to closing" />
          </Panel>
        )}
      </div>
    </>
  );
}
