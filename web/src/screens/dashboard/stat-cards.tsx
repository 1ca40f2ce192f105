import { ArrowDownRight, ArrowUpRight, Minus } from 'lucide-react';
import type { ReactNode } from 'react';
import type { CreatorDashboard } from '../../../../application/payouts/contract.js';
import { DASHBOARD_DAYS } from '../../../../application/payouts/values.js';
import { formatMicroUsd } from '../../ui/format.js';
import { QuietCents } from '../../ui/money.js';

interface Compared {
  current: number;
  previous: number;
}

const NO_CHANGE = 'No change';

/** A difference in percent, or in words if there is nothing to compare with. */
function changeOf({ current, previous }: Compared, write: (value: number) => string) {
  if (current === previous) return { direction: 0, text: NO_CHANGE };
  const direction = Math.sign(current - previous);
  if (previous <= 0) return { direction, text: `${write(previous)} in the ${DASHBOARD_DAYS} days before` };
  const percent = (Math.abs(current - previous) / previous) * 100;
  // "0.0%" would mean that nothing changed.
  const written = percent < 0.1 ? 'Under 0.1' : percent.toLocaleString('en', { maximumFractionDigits: 1 });
  return { direction, text: `${written}% on the ${DASHBOARD_DAYS} days before` };
}

function Change({ direction, text }: { direction: number; text: string }) {
  const Icon = direction > 0 ? ArrowUpRight : direction < 0 ? ArrowDownRight : Minus;
  const tone = direction > 0 ? 'text-ok' : direction < 0 ? 'text-danger' : 'text-muted';
  return (
    <dd className={`mt-2 flex items-center gap-1.5 text-sm ${tone}`}>
      <Icon size={15} />
      {direction !== 0 && <span className="sr-only">{direction > 0 ? 'Up: ' : 'Down: '}</span>}
      {text}
    </dd>
  );
}

const counted = (value: number) => value.toLocaleString('en');

function statsOf(figures: CreatorDashboard): {
  label: string;
  compared: Compared;
  write: (value: number) => string;
  shown: ReactNode;
}[] {
  const { salesMicroUsd, downloads, activePacks, creditsUsed } = figures;
  const count = (label: string, compared: Compared) => ({
    label,
    compared,
    write: counted,
    shown: counted(compared.current),
  });
  return [
    {
      label: 'Total Sales',
      compared: salesMicroUsd,
      write: formatMicroUsd,
      shown: <QuietCents microUsd={salesMicroUsd.current} />,
    },
    count('Downloads', downloads),
    count('Active Packs', activePacks),
    count('Total Credits', creditsUsed),
  ];
}

/** The last 30 days, compared with the 30 days before. */
export function StatCards({ figures }: { figures: CreatorDashboard }) {
  return (
    <dl className="panel grid grid-cols-2 lg:grid-cols-4">
      {statsOf(figures).map(({ label, compared, write, shown }) => (
        <div
          key={label}
          className="border-line px-5 pt-3.5 pb-3.75 not-first:border-l max-lg:nth-3:border-l-0 max-lg:nth-[n+3]:border-t"
        >
          <dt className="flex flex-wrap justify-between gap-x-2 text-muted">
            {label} <span className="text-sm text-faint">Last {DASHBOARD_DAYS} days</span>
          </dt>
          <dd className="display mt-3.5 text-6xl">{shown}</dd>
          <Change {...changeOf(compared, write)} />
        </div>
      ))}
    </dl>
  );
}
