import { useQuery } from '@tanstack/react-query';
import {
  BadgePercent,
  CalendarPlus,
  CirclePlus,
  Download,
  Gift,
  type LucideIcon,
  Pencil,
  RotateCcw,
  ShieldAlert,
} from 'lucide-react';
import { useState } from 'react';
import type { CREDIT_REASONS, CreditLinePage } from '../../../../application/credits/contract.js';
import { ledgerQuery } from '../../api/account.js';
import { countOf, formatDelta, formatShortDay, formatTime } from '../../ui/format.js';
import { Cover } from '../../ui/sound/cover.js';
import { LoadingText, QueryFailure, Skeleton } from '../../ui/states.js';
import { ALL, LATEST } from './first-queries.js';

export const REASONS: Record<(typeof CREDIT_REASONS)[number], { name: string; Icon: LucideIcon }> = {
  monthly_grant: { name: 'Monthly Credits', Icon: CalendarPlus },
  top_up: { name: 'Top-up', Icon: CirclePlus },
  gift: { name: 'Gift', Icon: Gift },
  download: { name: 'Download', Icon: Download },
  admin_adjustment: { name: 'Admin Adjustment', Icon: Pencil },
  refund: { name: 'Refund', Icon: RotateCcw },
  chargeback: { name: 'Chargeback', Icon: ShieldAlert },
  promotion: { name: 'Promotion', Icon: BadgePercent },
};

type CreditLine = CreditLinePage['items'][number];

/** A line of the list: one credit movement, or all movements of the purchase of a pack. */
interface Entry {
  line: CreditLine;
  delta: number;
  samples: number;
}

/** Whether two credit movements concern samples of one pack at the same time, such as in a purchase of the pack. */
const isSamePack = (one: CreditLine, other: CreditLine) =>
  one.sample !== null && one.sample.packId === other.sample?.packId && one.createdAt === other.createdAt;

/**
 * Combines successive movements of one pack at the same time.
 * @param cut whether older movements exist that were not fetched. The last pack is then left out, because it may be
 * incomplete, unless it is the only line.
 */
function foldPacks(lines: readonly CreditLine[], cut: boolean): Entry[] {
  const entries: Entry[] = [];
  for (const line of lines) {
    const last = entries.at(-1);
    if (last && isSamePack(last.line, line)) {
      last.delta += line.delta;
      last.samples += 1;
    } else entries.push({ line, delta: line.delta, samples: 1 });
  }
  const partial = cut && entries.length > 1 && (entries.at(-1)?.line.sample ?? null) !== null;
  return partial ? entries.slice(0, -1) : entries;
}

function nameOf({ line, samples }: Entry): string {
  if (!line.sample) return REASONS[line.reason].name;
  return samples > 1 ? `${line.sample.pack}, ${countOf(samples, 'sample')}` : line.sample.title;
}

function Line({ entry }: { entry: Entry }) {
  const { line, delta } = entry;
  const { name, Icon } = REASONS[line.reason];
  return (
    <li className="flex min-h-[61px] items-center gap-4 border-t border-line px-5">
      <span className="grid w-10 flex-none place-items-center text-muted">
        {line.sample ? (
          <Cover
            title={line.sample.pack}
            genre={line.sample.genre}
            artworkUrl={line.sample.artworkUrl}
            size="small"
            className="w-10"
          />
        ) : (
          <Icon size={17} />
        )}
      </span>
      <div className="min-w-0 flex-1">
        <p className="truncate font-semibold">{nameOf(entry)}</p>
        <p className="text-muted">
          {line.sample && `${name} · `}
          {countOf(line.balanceAfter, 'credit')} after
        </p>
      </div>
      <div className="text-right">
        <p className={`text-lg font-bold ${delta < 0 ? 'text-danger' : 'text-ok'}`}>{formatDelta(delta)}</p>
        <time dateTime={line.createdAt} className="text-sm text-faint">
          {formatShortDay(line.createdAt)}, {formatTime(line.createdAt)}
        </time>
      </div>
    </li>
  );
}

/**
 * Lists credit movements. The purchase of a pack is one line. Shows the latest ten lines, or on request all lines of
 * the latest 100 movements.
 */
export function Transactions() {
  const [all, setAll] = useState(false);
  const answer = useQuery(ledgerQuery(ALL));
  const { data, error } = answer;
  const entries = data ? foldPacks(data.items, data.nextCursor !== null) : [];
  const shown = all ? entries : entries.slice(0, LATEST);
  return (
    <section aria-labelledby="transactions-title" className="panel self-start">
      <div className="flex min-h-[53px] items-center gap-3 px-5">
        <h2 id="transactions-title" className="text-md font-semibold">
          Transactions
        </h2>
        <span className="text-faint">{all ? `of the latest ${ALL}` : `latest ${LATEST}`}</span>
        <span className="flex-1" />
        {(all || entries.length > LATEST) && (
          <button type="button" className="underlined py-2" onClick={() => setAll((now) => !now)}>
            {all ? 'Only the latest' : 'All of them'}
          </button>
        )}
      </div>
      <QueryFailure of={answer} title="The transactions could not be loaded" className="p-4" />
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
      {data && shown.length === 0 && (
        <p className="border-t border-line px-5 py-10 text-center text-muted">No transactions yet</p>
      )}
      {shown.length > 0 && (
        <ul>
          {shown.map((entry) => (
            <Line key={entry.line.id} entry={entry} />
          ))}
        </ul>
      )}
    </section>
  );
}
