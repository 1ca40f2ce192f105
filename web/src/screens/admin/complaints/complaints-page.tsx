import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { type ComplaintItem, complaintsQuery } from '../../../api/admin-complaints.js';
import { KINDS, STATUSES, titleOf } from '../../../creators/complaint-words.js';
import { More, type PagedList, usePages } from '../../../staff/list/paged-list.js';
import { Awaited } from '../../../staff/page-parts.js';
import { staffPaths } from '../../../../../application/pages/staff-paths.js';
import { Badge, Chip } from '../../../ui/badge.js';
import { formatShortDay } from '../../../ui/format.js';
import { EmptyState } from '../../../ui/states.js';
import { ComplaintDetail } from './detail.js';

type State = 'waiting' | 'closed';

function Due({ item }: { item: ComplaintItem }) {
  if (item.dueAt === null)
    return <Badge tone={STATUSES[item.status].tone}>{STATUSES[item.status].label}</Badge>;
  return (
    <Badge tone={item.isOverdue ? 'danger' : 'warn'}>
      {item.isOverdue ? 'overdue since' : 'by'} {formatShortDay(item.dueAt)}
    </Badge>
  );
}

function Queue(props: { list: PagedList<ComplaintItem>; chosen: string | undefined; state: State }) {
  const { list, chosen, state } = props;
  return (
    <div className="min-w-0">
      <section
        aria-label={state === 'waiting' ? 'Complaints that wait' : 'Answered complaints'}
        className="panel"
      >
        <ul className="divide-y divide-line">
          {list.data?.items.map((item) => (
            <li key={item.id}>
              <Link
                to={staffPaths.adminComplaints(item.id, state)}
                aria-current={item.id === chosen || undefined}
                preventScrollReset
                className="queue-entry block"
              >
                <span className="block truncate font-semibold text-text">{titleOf(item)}</span>
                <span className="mt-1 flex flex-wrap items-center justify-between gap-2 text-sm text-muted">
                  <span>
                    {KINDS[item.kind].label}
                    {item.isCounterNotice && ', counter-notice'}
                    {item.isHeld && ', held'}
                  </span>
                  <Due item={item} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </section>
      <More of={list}>More complaints</More>
    </div>
  );
}

export function ComplaintsPage() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const state: State = search.get('state') === 'closed' ? 'closed' : 'waiting';
  const query = usePages(complaintsQuery(state));
  const items = query.data?.items;
  const chosen = search.get('complaint') ?? items?.[0]?.id;
  return (
    <>
      <div className="-mt-3 mb-4 flex flex-wrap items-center gap-3">
        <p className="mr-auto text-muted">We promise an answer within seven business days.</p>
        <div role="group" aria-label="Which" className="flex gap-2">
          {(['waiting', 'closed'] as const).map((each) => (
            <Chip
              key={each}
              pressed={each === state}
              onClick={() => void navigate(staffPaths.adminComplaints('', each))}
            >
              {each === 'waiting' ? 'Waiting' : 'Answered'}
            </Chip>
          ))}
        </div>
      </div>
      {!items && <Awaited query={query} what="complaints" height={480} />}
      {items && items.length === 0 && chosen === undefined && (
        <EmptyState title={state === 'waiting' ? 'Nothing waits' : 'Nothing was answered'}>
          What people complain of is listed here by its deadline.
        </EmptyState>
      )}
      {items && chosen !== undefined && (
        <div className="grid grid-cols-1 items-start gap-4 lg:split-320">
          <Queue list={query} chosen={chosen} state={state} />
          <ComplaintDetail key={chosen} id={chosen} />
        </div>
      )}
    </>
  );
}
