import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { Download } from 'lucide-react';
import { query } from '../../api/api.js';
import { actsFile, actsQuery, type ChosenActs, type StaffAct } from '../../api/approvals.js';
import { FileLink } from '../../downloads/file-link.js';
import { ACTION_WORDS, KINDS, sentenceOf } from '../../staff/approvals/act-words.js';
import { shortUtcTime, spanOf } from '../../staff/dates.js';
import type { Column } from '../../staff/list/column.js';
import { FilterFields, useFilters } from '../../staff/list/filters.js';
import { List } from '../../staff/list/list.js';
import { usePages, type PagedList } from '../../staff/list/paged-list.js';
import { Avatar } from '../../ui/avatar.js';
import { buttonClass } from '../../ui/button.js';
import { countOf, formatDay, formatTime } from '../../ui/format.js';

const FILTERS = {
  person: { label: 'Person', pattern: /^[\w-]{1,100}$/ },
  kind: { label: 'Kind', any: 'all', options: KINDS },
  did: { label: 'Did', any: 'anything', options: ACTION_WORDS },
  from: { label: 'From', type: 'date' },
  to: { label: 'To', type: 'date' },
} as const;

function usePeople(chosen: string, acts: readonly StaffAct[]): Record<string, string> {
  const staff = useQuery(query('GET /api/admin/staff')).data?.items ?? [];
  const people = Object.fromEntries(staff.map(({ userId, displayName }) => [userId, displayName]));
  if (chosen === '' || chosen in people) return people;
  const act = acts.find(({ by, beneficiary }) => by === chosen || beneficiary === chosen);
  const name = act?.by === chosen ? act.byName : act?.beneficiaryName;
  return { ...people, [chosen]: name ?? 'This person' };
}

function noteOf({ note, askedByName, did }: StaffAct): string {
  if (did !== 'asked' && did !== 'alone' && askedByName)
    return note ? `“${note}”, asked by ${askedByName}` : `asked by ${askedByName}`;
  return note ?? (did === 'alone' ? 'no second person needed' : '–');
}

function waitedOf({ waits, waitedMs }: StaffAct): string {
  if (waits) return 'waits';
  return waitedMs === null ? '–' : spanOf(waitedMs);
}

const COLUMNS: Column<StaffAct>[] = [
  {
    label: 'When (UTC)',
    value: ({ at }) => at,
    cell: ({ at }) => (
      <time dateTime={at} title={`${formatDay(at)}, ${formatTime(at)} here`} className="whitespace-nowrap">
        {shortUtcTime(at)}
      </time>
    ),
  },
  {
    label: 'Who',
    value: ({ byName }) => byName,
    cell: ({ byName }) => (
      <span className="inline-flex items-center gap-2.5 lg:whitespace-nowrap">
        <Avatar name={byName} size={26} />
        {byName}
      </span>
    ),
  },
  { label: 'Did', value: ({ did }) => ACTION_WORDS[did].label, tone: ({ did }) => ACTION_WORDS[did].tone },
  { label: 'What', value: sentenceOf },
  { label: 'Note', value: noteOf },
  { label: 'Waited', value: waitedOf },
];

function Acts({ of, title }: { of: PagedList<StaffAct>; title: string }) {
  return (
    <List
      cards
      of={of}
      title={title}
      empty="No matching acts"
      more="More entries"
      keyOf={({ id }) => id}
      columns={COLUMNS}
    />
  );
}

/** The acts of one kind, newest first. */
export function ActsOfKind({ kind, title }: { kind: StaffAct['kind']; title: string }) {
  return <Acts of={usePages(actsQuery({ kind }))} title={title} />;
}

/** The requests, decisions and other acts of staff. @param isPage the title of the page names the list */
export function ActLog({ isPage, className }: { isPage?: boolean; className?: string }) {
  const given = useFilters(FILTERS);
  const chosen: ChosenActs = {
    person: given.person || undefined,
    kind: given.kind || undefined,
    did: given.did || undefined,
    from: given.from || undefined,
    to: given.to || undefined,
  };
  const query = usePages(actsQuery(chosen));
  const items = query.data?.items;
  const people = usePeople(given.person, items ?? []);
  return (
    <section aria-labelledby="acts-title" className={clsx('min-w-0', className)}>
      <div className="mb-4 flex flex-wrap items-end justify-between gap-4">
        <h2 id="acts-title" className={isPage ? 'sr-only' : 'text-lg font-semibold'}>
          Who did what
        </h2>
        <div className="flex flex-wrap items-center gap-3">
          <p className="text-sm text-muted">
            {items && `${countOf(items.length, 'entry', 'entries')}${query.hasNextPage ? ' and more' : ''}, `}
            none can be changed
          </p>
          <FileLink path={actsFile(chosen)} name="staff-audit.csv" className={buttonClass({ size: 'small' })}>
            <Download size={15} />
            Export
          </FileLink>
        </div>
      </div>
      <div role="search" aria-label="Who did what" className="mb-4 grid grid-cols-2 gap-3 lg:grid-cols-5">
        <FilterFields filters={{ ...FILTERS, person: { label: 'Person', any: 'anyone', options: people } }} />
      </div>
      <Acts of={query} title="Who did what, newest first" />
    </section>
  );
}

export const AuditPage = () => <ActLog isPage />;
