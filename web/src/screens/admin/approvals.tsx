import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { query } from '../../api/api.js';
import {
  actsFile,
  actsQuery,
  type ChosenActs,
  type StaffAct,
  askForLimits,
  type Limits,
} from '../../api/approvals.js';
import { FileLink } from '../../downloads/file-link.js';
import { ACTION_WORDS, ACTS, sentenceOf } from '../../staff/approvals/act-words.js';
import { shortUtcTime, spanOf } from '../../staff/dates.js';
import type { Column } from '../../staff/list/column.js';
import { FilterFields, useFilters } from '../../staff/list/list-page.js';
import { List } from '../../staff/list/list.js';
import { usePages, type PagedList } from '../../staff/list/paged-list.js';
import { Avatar } from '../../ui/avatar.js';
import { buttonClass, Button } from '../../ui/button.js';
import { countOf, formatDay, formatTime, centsOf, formatMicroUsd, MICRO_PER_CENT } from '../../ui/format.js';
import { ALONE_WINDOW_HOURS, HIGHEST_LIMITS } from '../../../../application/administration/values.js';
import { REASON_MAX_LENGTH } from '../../../../application/shared/values.js';
import { staffPaths } from '../../../../application/pages/staff-paths.js';
import { Requests } from '../../staff/approvals/requests.js';
import { reportWaiting } from '../../staff/decisions.js';
import { FormDialog } from '../../ui/forms/form-dialog.js';
import { Fact } from '../../staff/page-parts.js';
import { Input, Textarea } from '../../ui/forms/field.js';
import { useBodyForm } from '../../ui/forms/use-body-form.js';

const FILTERS = {
  person: { label: 'Person', pattern: /^[\w-]{1,100}$/ },
  kind: { label: 'Kind', any: 'all', options: ACTS },
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

const waitedOf = ({ waits, waitedMs }: StaffAct) =>
  waits ? 'waits' : waitedMs === null ? null : spanOf(waitedMs);

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

export function ActsOfKind({ kind, title }: { kind: StaffAct['kind']; title: string }) {
  return <Acts of={usePages(actsQuery({ kind }))} title={title} />;
}

/**
 * Lists what staff requested and decided.
 * @param props.isPage hides the heading of the list, because the page has its own
 */
function ActLog({ isPage, className }: { isPage?: boolean; className?: string }) {
  const { kind, did, ...given } = useFilters(FILTERS);
  const chosen: ChosenActs = { ...given, kind: kind || undefined, did: did || undefined };
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

const microOf = (dollars: string) => centsOf(dollars) * MICRO_PER_CENT;
const dollarsOf = (microUsd: number) => (microUsd / 1_000_000).toFixed(2);

const MONEY = [
  ['adjustmentMicroUsd', 'Worth of credits'],
  ['refundsMicroUsd', 'Refunds'],
  ['writeOffMicroUsd', 'One written-off debt'],
] as const;

function ChangeDialog({ limits, onClose }: { limits: Limits; onClose: () => void }) {
  const form = useBodyForm('POST /api/admin/limits', {
    defaultValues: {
      adjustmentCredits: String(limits.adjustmentCredits),
      adjustmentMicroUsd: dollarsOf(limits.adjustmentMicroUsd),
      refundsMicroUsd: dollarsOf(limits.refundsMicroUsd),
      writeOffMicroUsd: dollarsOf(limits.writeOffMicroUsd),
      reason: '',
    },
    body: ({ adjustmentCredits, adjustmentMicroUsd, refundsMicroUsd, writeOffMicroUsd, reason }) => ({
      adjustmentCredits: Number(adjustmentCredits),
      adjustmentMicroUsd: microOf(adjustmentMicroUsd),
      refundsMicroUsd: microOf(refundsMicroUsd),
      writeOffMicroUsd: microOf(writeOffMicroUsd),
      reason,
    }),
    words: {
      adjustmentCredits: `A number from 0 to ${HIGHEST_LIMITS.adjustmentCredits.toLocaleString('en')}`,
      ...Object.fromEntries(
        MONEY.map(([name]) => [
          name,
          `An amount such as 50.00, at most ${formatMicroUsd(HIGHEST_LIMITS[name])}`,
        ]),
      ),
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Limits of one person"
      description={`Above it a second person agrees. Credits and refunds count together for ${ALONE_WINDOW_HOURS} hours.`}
      confirmLabel="Ask for approval"
      form={form}
      send={(body) => askForLimits(body).then(() => reportWaiting('Until then the limits stay as they are.'))}
      refusalAt="reason"
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Input label="Credits" inputMode="numeric" data-autofocus {...form.field('adjustmentCredits')} />
        {MONEY.map(([name, label]) => (
          <Input key={name} label={`${label}, USD`} inputMode="decimal" {...form.field(name)} />
        ))}
      </div>
      <Textarea label="Reason" rows={3} maxLength={REASON_MAX_LENGTH} {...form.field('reason')} />
    </FormDialog>
  );
}

function LimitsPanel() {
  const { data } = useQuery(query('GET /api/admin/limits'));
  const [changing, setChanging] = useState(false);
  if (!data) return null;
  const { changedAt, changedByName, approvedByName, requestId } = data;
  return (
    <section aria-labelledby="limits-title" className="panel mt-6 p-5 sm:p-6">
      <div className="flex flex-wrap items-baseline justify-between gap-3">
        <h3 id="limits-title" className="text-lg font-semibold">
          Limits of one person
        </h3>
        {requestId ? (
          <Link className="underlined text-sm" to={staffPaths.approvals('admin', requestId)}>
            A change waits for a second person
          </Link>
        ) : (
          <Button size="small" onClick={() => setChanging(true)}>
            Change the limits
          </Button>
        )}
      </div>
      <dl className="mt-4 flex flex-wrap gap-x-9 gap-y-4">
        <Fact name={`Credits in ${ALONE_WINDOW_HOURS} hours`} className="mt-1 text-md font-semibold">
          {countOf(data.adjustmentCredits, 'credit')}
        </Fact>
        {MONEY.map(([name, label]) => (
          <Fact
            key={name}
            name={name === 'writeOffMicroUsd' ? label : `${label} in ${ALONE_WINDOW_HOURS} hours`}
            className="mt-1 text-md font-semibold"
          >
            {formatMicroUsd(data[name])}
          </Fact>
        ))}
      </dl>
      {changedAt && (
        <p className="mt-4 text-sm text-muted">
          Set by {changedByName} and {approvedByName} on {formatDay(changedAt)}.
        </p>
      )}
      {changing && <ChangeDialog limits={data} onClose={() => setChanging(false)} />}
    </section>
  );
}

export function ApprovalsPage() {
  return (
    <>
      <Requests area="admin" />
      <ActLog className="mt-6" />
      <LimitsPanel />
    </>
  );
}
