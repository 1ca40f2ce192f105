import { clsx } from 'clsx';
import {
  BookOpenCheck,
  CalendarDays,
  Clock,
  DatabaseBackup,
  Coins,
  KeyRound,
  LockOpen,
  Scale,
  Undo2,
  type LucideIcon,
} from 'lucide-react';
import { Link, useSearchParams } from 'react-router-dom';
import { APPROVAL_DAYS } from '../../../../application/approvals/values.js';
import { type Approval, waitingQuery } from '../../api/approvals.js';
import { useSession } from '../../session/session.js';
import type { StaffArea } from '../../shell/staff-area.js';
import { ageSince } from '../dates.js';
import { Awaited, PageHead } from '../page-parts.js';
import { More, type PagedList, usePages } from '../list/paged-list.js';
import { Badge } from '../../ui/badge.js';
import { SelectControl } from '../../ui/forms/field.js';
import { EmptyState } from '../../ui/states.js';
import { ACTS, wordsOf } from './act-words.js';
import { Request } from './request.js';

type Kind = Approval['work']['kind'];

const ICONS: Record<Kind, LucideIcon> = {
  adjustment: Coins,
  refund: Undo2,
  'write-off': Scale,
  'adjusting-entry': BookOpenCheck,
  'reopen-month': CalendarDays,
  'begin-books': BookOpenCheck,
  'record-restore': DatabaseBackup,
  'release-sale': LockOpen,
  'record-purchase': DatabaseBackup,
  limits: Clock,
  'grant-role': KeyRound,
  'revoke-role': KeyRound,
};

const NUMBERS = ['Nothing', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'];
const waitFor = (count: number, andMore: boolean) =>
  `${andMore ? `More than ${count}` : (NUMBERS[count] ?? count)} ${count < 2 ? 'waits' : 'wait'} for a second person. You cannot approve your own request.`;

function Entry(props: { item: Approval; to: string; current: boolean; mine: boolean }) {
  const { item, to, current, mine } = props;
  const { title, whom, amount } = wordsOf(item);
  const Icon = ICONS[item.work.kind];
  return (
    <li className="border-t border-line">
      <Link
        to={to}
        aria-current={current || undefined}
        preventScrollReset
        className="queue-entry grid min-h-17 items-center gap-3.5 px-5 split-40"
      >
        <span
          className={clsx(
            'grid size-10 place-content-center',
            current ? 'bg-accent text-on-accent' : 'bg-badge',
          )}
        >
          <Icon size={18} />
        </span>
        <span className="min-w-0">
          <span className="flex flex-wrap items-baseline justify-between gap-x-3 font-semibold text-text">
            <span>{title}</span>
            {mine ? <Badge tone="info">Yours, others decide</Badge> : <span>{amount}</span>}
          </span>
          <span className="flex flex-wrap items-baseline justify-between gap-x-3 text-sm text-muted">
            <span>{whom}</span>
            <span>
              {item.requestedByName}, {ageSince(item.requestedAt)}
            </span>
          </span>
        </span>
      </Link>
    </li>
  );
}

function Waiting(props: {
  list: PagedList<Approval>;
  chosen: string | undefined;
  linkTo: (id: string) => string;
}) {
  const { list, chosen, linkTo } = props;
  const items = list.data?.items ?? [];
  const me = useSession().user?.id;
  const oldest = list.hasNextPage ? undefined : items.at(-1);
  return (
    <section aria-labelledby="waiting-title" className="panel min-w-0 self-start">
      <div className="flex items-baseline justify-between gap-3 px-5 py-4">
        <h3 id="waiting-title" className="text-lg font-semibold">
          Waiting
        </h3>
        {oldest && <p className="text-sm text-muted">oldest {ageSince(oldest.requestedAt)}</p>}
      </div>
      <ul>
        {items.map((item) => (
          <Entry
            key={item.id}
            item={item}
            to={linkTo(item.id)}
            current={item.id === chosen}
            mine={item.requestedBy === me}
          />
        ))}
      </ul>
      <div className="px-5 not-empty:pb-4">
        <More of={list}>More requests</More>
      </div>
      <p className="flex items-center gap-2.5 border-t border-line px-5 py-4 text-sm text-muted">
        <Clock size={16} />
        Requests lapse after {APPROVAL_DAYS} days.
      </p>
    </section>
  );
}

export function Requests({ area }: { area: StaffArea }) {
  const [search, setSearch] = useSearchParams();
  // This filter is the parameter `waiting` of the address, because `kind` already filters the acts below the requests.
  const waiting = search.get('waiting') ?? '';
  const kind = waiting in ICONS ? (waiting as Kind) : undefined;
  const query = usePages(waitingQuery(area, kind));
  const items = query.data?.items;
  const chosen = search.get('request') ?? items?.[0]?.id;
  const linkTo = (request: string) => `?${new URLSearchParams({ ...(kind && { waiting: kind }), request })}`;
  return (
    <section aria-labelledby="approvals-title">
      <h2 id="approvals-title" className="sr-only">
        Requests
      </h2>
      <div className="-mt-3 mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="text-muted">{items && waitFor(items.length, query.hasNextPage)}</p>
        {area === 'admin' && (
          <div className="flex flex-wrap items-center gap-2 text-muted">
            <label htmlFor="waiting-kind">Kind of request</label>
            <SelectControl
              id="waiting-kind"
              value={kind ?? ''}
              options={Object.keys(ICONS).map((each) => [each, ACTS[each as Kind].label])}
              onChange={({ target }) =>
                setSearch(target.value ? { waiting: target.value } : {}, { preventScrollReset: true })
              }
            >
              <option value="">all</option>
            </SelectControl>
          </div>
        )}
      </div>
      {!items && <Awaited query={query} what="requests" height={360} />}
      {items?.length === 0 && !chosen && (
        <EmptyState title="Nothing waits">
          What one person may not do alone is listed here until another one decides.
        </EmptyState>
      )}
      {items && chosen && (
        <div
          className={clsx(
            'grid grid-cols-1 items-start gap-4',
            items.length > 0 && 'lg:split-340 min-[87.5rem]:split-400',
          )}
        >
          {items.length > 0 && <Waiting list={query} chosen={chosen} linkTo={linkTo} />}
          <Request key={chosen} area={area} id={chosen} />
        </div>
      )}
    </section>
  );
}

export function FinanceApprovals() {
  return (
    <>
      <PageHead title="Approvals" />
      <Requests area="finance" />
    </>
  );
}
