import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { Download } from 'lucide-react';
import { useSearchParams } from 'react-router-dom';
import { actsFile, actsQuery, type ChosenActs, type StaffAct, staffQuery } from '../../api/approvals.js';
import { usePages } from '../../staff/paged-list.js';
import { FileLink } from '../../downloads/file-link.js';
import { Avatar } from '../../ui/avatar.js';
import { Badge } from '../../ui/badge.js';
import { buttonClass } from '../../ui/button.js';
import { Input, Select } from '../../ui/forms/field.js';
import { countOf, formatDay, formatTime } from '../../ui/format.js';
import { ACTION_WORDS, KINDS, sentenceOf, spanOf, whenUtc } from '../../staff/approvals/act-words.js';
import { Cell, List } from './list.js';

const NAMES = ['person', 'kind', 'did', 'from', 'to'] as const;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** The filters are in the address, so that a filtered list can be linked. */
function useChosen() {
  const [search, setSearch] = useSearchParams();
  const of = (name: (typeof NAMES)[number]) => search.get(name) ?? '';
  const known = <Value extends string>(name: 'kind' | 'did', among: Record<Value, unknown>) =>
    of(name) in among ? (of(name) as Value) : undefined;
  const day = (name: 'from' | 'to') => (DAY.test(of(name)) ? of(name) : undefined);
  const chosen: ChosenActs = {
    person: /^[\w-]{1,100}$/.test(of('person')) ? of('person') : undefined,
    kind: known('kind', KINDS),
    did: known('did', ACTION_WORDS),
    from: day('from'),
    to: day('to'),
  };
  const choose = (name: (typeof NAMES)[number], value: string) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        if (value) after.set(name, value);
        else after.delete(name);
        return after;
      },
      { replace: true, preventScrollReset: true },
    );
  return { chosen, choose };
}

function Filters(props: {
  chosen: ChosenActs;
  choose: (name: (typeof NAMES)[number], value: string) => void;
  people: ReadonlyMap<string, string>;
}) {
  const { chosen, choose, people } = props;
  const staff = useQuery(staffQuery).data?.items ?? [];
  const listed = new Map([
    ...staff.map(({ userId, displayName }) => [userId, displayName] as const),
    ...(chosen.person ? [[chosen.person, people.get(chosen.person) ?? 'This person'] as const] : []),
    ...staff.flatMap(({ userId, displayName }) =>
      userId === chosen.person ? [[userId, displayName] as const] : [],
    ),
  ]);
  return (
    <div role="search" aria-label="Who did what" className="mb-4 grid grid-cols-2 gap-3 lg:grid-cols-5">
      <Select
        label="Person"
        value={chosen.person ?? ''}
        onChange={(event) => choose('person', event.target.value)}
      >
        <option value="">anyone</option>
        {[...listed].map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <Select label="Kind" value={chosen.kind ?? ''} onChange={(event) => choose('kind', event.target.value)}>
        <option value="">all</option>
        {Object.entries(KINDS).map(([kind, label]) => (
          <option key={kind} value={kind}>
            {label}
          </option>
        ))}
      </Select>
      <Select label="Did" value={chosen.did ?? ''} onChange={(event) => choose('did', event.target.value)}>
        <option value="">anything</option>
        {Object.entries(ACTION_WORDS).map(([did, { label }]) => (
          <option key={did} value={did}>
            {label}
          </option>
        ))}
      </Select>
      <Input
        type="date"
        label="From"
        value={chosen.from ?? ''}
        max={chosen.to}
        onChange={(event) => choose('from', event.target.value)}
      />
      <Input
        type="date"
        label="To"
        value={chosen.to ?? ''}
        min={chosen.from}
        onChange={(event) => choose('to', event.target.value)}
      />
    </div>
  );
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

/** The requests, decisions and other acts of staff. @param isPage the title of the page names the list */
export function ActLog({ isPage, className }: { isPage?: boolean; className?: string }) {
  const { chosen, choose } = useChosen();
  const query = usePages(actsQuery(chosen));
  const items = query.data?.items;
  const people = new Map(
    items?.flatMap(({ by, byName, beneficiary, beneficiaryName }) => [
      ...(by ? [[by, byName] as const] : []),
      ...(beneficiary ? [[beneficiary, beneficiaryName ?? beneficiary] as const] : []),
    ]),
  );
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
            <Download size={15} strokeWidth={1.75} aria-hidden="true" />
            Export
          </FileLink>
        </div>
      </div>
      <Filters chosen={chosen} choose={choose} people={people} />
      <List
        query={query}
        more="More entries"
        label="Who did what, newest first"
        empty="No matching acts"
        columns={['When (UTC)', 'Who', 'Did', 'What', 'Note', 'Waited']}
        row={(act) => (
          <tr key={act.id}>
            <th scope="row" className="whitespace-nowrap">
              <time dateTime={act.at} title={`${formatDay(act.at)}, ${formatTime(act.at)} here`}>
                {whenUtc(act.at)}
              </time>
            </th>
            <Cell label="Who">
              <span className="inline-flex items-center gap-2.5 lg:whitespace-nowrap">
                <Avatar name={act.byName} size={26} />
                {act.byName}
              </span>
            </Cell>
            <Cell label="Did">
              <Badge tone={ACTION_WORDS[act.did].tone}>{ACTION_WORDS[act.did].label}</Badge>
            </Cell>
            <Cell label="What">{sentenceOf(act)}</Cell>
            <Cell label="Note">{noteOf(act)}</Cell>
            <Cell label="Waited">{waitedOf(act)}</Cell>
          </tr>
        )}
      />
    </section>
  );
}

/** A page of its own as the target of links. */
export const AuditPage = () => <ActLog isPage />;
