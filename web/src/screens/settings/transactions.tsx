import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { CalendarPlus, Download, Gift, type LucideIcon, Pencil, RotateCcw, ShieldAlert } from 'lucide-react';
import { useState } from 'react';
import type { CreditLinePage } from '../../../../application/credits/contract.js';
import { ledgerQuery } from '../../api/account.js';
import { errorIdOf, messageOf } from '../../api/transport/http.js';
import { countOf, formatDelta, formatShortDay, formatTime } from '../../ui/format.js';
import { ErrorPanel, LoadingText, Skeleton } from '../../ui/states.js';
import { REASONS } from './reasons.js';
import { LATEST } from './first-queries.js';

const ALL = 100;
const ICONS: Record<keyof typeof REASONS, LucideIcon> = {
  monthly_grant: CalendarPlus,
  download: Download,
  admin_adjustment: Pencil,
  refund: RotateCcw,
  chargeback: ShieldAlert,
  promotion: Gift,
};

function Line({ line }: { line: CreditLinePage['items'][number] }) {
  const Icon = ICONS[line.reason];
  const moved = line.delta < 0 ? 'text-danger' : 'text-ok';
  return (
    <li className="flex min-h-[61px] items-center gap-6 border-t border-line px-5">
      <Icon size={17} strokeWidth={1.75} className="text-muted" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <p className="font-semibold">{REASONS[line.reason]}</p>
        <p className="text-muted">{countOf(line.balanceAfter, 'credit')} after</p>
      </div>
      <div className="text-right">
        <p className={`text-lg font-bold ${moved}`}>{formatDelta(line.delta)}</p>
        <time dateTime={line.createdAt} className="text-sm text-faint">
          {formatShortDay(line.createdAt)}, {formatTime(line.createdAt)}
        </time>
      </div>
    </li>
  );
}

/** The latest ten movements of credits, newest first; on request the latest hundred. */
export function Transactions() {
  const [all, setAll] = useState(false);
  const { data, error, refetch, isRefetching } = useQuery({
    ...ledgerQuery(all ? ALL : LATEST),
    placeholderData: keepPreviousData,
  });
  const lines = data?.items.slice(0, all ? ALL : LATEST) ?? [];
  return (
    <section aria-labelledby="transactions-title" className="panel self-start">
      <div className="flex min-h-[53px] items-center gap-3 px-5">
        <h2 id="transactions-title" className="text-md font-semibold">
          Transactions
        </h2>
        <span className="text-faint">{all ? `latest ${ALL}` : `latest ${LATEST}`}</span>
        <span className="flex-1" />
        {(all || lines.length >= LATEST) && (
          <button type="button" className="underlined py-2" onClick={() => setAll((now) => !now)}>
            {all ? 'Only the latest' : 'All of them'}
          </button>
        )}
      </div>
      {error && !data && (
        <div className="p-4">
          <ErrorPanel
            title="The transactions could not be loaded"
            onRetry={() => void refetch()}
            retrying={isRefetching}
            errorId={errorIdOf(error)}
          >
            {messageOf(error)}
          </ErrorPanel>
        </div>
      )}
      {!data && !error && (
        <>
          <LoadingText>Loading transactions...</LoadingText>
          {Array.from({ length: 5 }, (_, at) => (
            <div key={at} className="border-t border-line p-5">
              <Skeleton className="h-5" />
            </div>
          ))}
        </>
      )}
      {data && lines.length === 0 && (
        <p className="border-t border-line px-5 py-10 text-center text-muted">No transactions yet</p>
      )}
      {lines.length > 0 && (
        <ul>
          {lines.map((line) => (
            <Line key={line.id} line={line} />
          ))}
        </ul>
      )}
    </section>
  );
}
