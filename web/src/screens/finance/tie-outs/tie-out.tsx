import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router-dom';
import { inCurrency } from '../../../../../application/ledger/values.js';
import type { StripeTieOut } from '../../../../../application/ledger/contract.js';
import { staffPaths } from '../../../../../application/pages/staff-paths.js';
import type { TieOutDetails } from '../../../../../application/ledger/tie-outs/tie-out-contract.js';
import { keptTieOutQuery, type NamedTieOut } from '../../../api/finance.js';
import { Awaited, PageHead } from '../../../staff/page-parts.js';
import { EmptyState } from '../../../ui/states.js';
import { Badge } from '../../../ui/badge.js';
import { countOf } from '../../../ui/format.js';
import { Tape } from '../../../ui/tape.js';
import { Addition, lastDay, TieOutState } from '../parts/provider-panel.js';
import { By, CopyId, inWords } from '../parts/named.js';
import { type Column, kinds } from '../../../staff/list/column.js';
import { List } from '../../../staff/list/list.js';
import { ageOf, utcDay, utcTime } from '../../../staff/dates.js';
import { tracedEvent, tracedId } from '../trace/explained-id.js';

type Open = TieOutDetails['open'][number];
type Matched = StripeTieOut['matched'][number];
type AtStripe = StripeTieOut['onlyAtStripe'][number];
type InBooks = StripeTieOut['onlyInBooks'][number];

/** Items older than this need a person's attention; newer items may still match by themselves. */
const AGED_DAYS = 7;

const sumOf = <Item,>(items: readonly Item[], amount: (item: Item) => number) =>
  items.reduce((sum, item) => sum + amount(item), 0);
const allIds = ({ references }: { references: readonly string[] }) => references.join(' ');
const AGE = {
  label: 'Age in days',
  value: ({ ageDays }: { ageDays: number }) => ageDays,
  kind: ageOf,
  tone: ({ ageDays }: { ageDays: number }) =>
    ageDays > AGED_DAYS ? ('warn' as const) : ('neutral' as const),
};

const AMOUNT = { sum: true, align: 'right' } as const;
/** Returns the amount in its own currency. Sums contain dollars only. */
const own = (microUsd: number, foreign: Open['foreign']) =>
  foreign ? inCurrency(foreign.amountMicro, foreign.currency) : { microUsd };

const MATCHED: Column<Matched>[] = [
  { label: 'Transaction', value: ({ transactionId }) => transactionId, total: 'Sum', kind: tracedId(30) },
  { label: 'Event', value: ({ position }) => position, kind: tracedEvent },
  { label: 'Net amount', value: ({ amountMicroUsd, foreign }) => own(amountMicroUsd, foreign), ...AMOUNT },
];

const AT_STRIPE: Column<AtStripe>[] = [
  {
    label: 'Transaction',
    value: ({ transactionId }) => transactionId,
    total: 'Sum',
    cell: ({ transactionId }) => <CopyId text={transactionId} of="transaction" short={30} />,
  },
  { label: 'What', value: ({ category }) => inWords(category) },
  { label: 'Names', value: allIds, kind: kinds.code },
  { label: 'At (UTC)', value: ({ at }) => at, kind: kinds.time },
  AGE,
  { label: 'Net amount', value: ({ netMicroUsd, foreign }) => own(netMicroUsd, foreign), ...AMOUNT },
];

const IN_BOOKS: Column<InBooks>[] = [
  { label: 'Event', value: ({ position }) => position, total: 'Sum', align: 'right', kind: tracedEvent },
  { label: 'Fact', value: ({ fact }) => inWords(fact) },
  { label: 'About', value: allIds, kind: kinds.code },
  { label: 'Posted (UTC)', value: ({ at }) => at, kind: kinds.time },
  AGE,
  { label: 'Amount', value: ({ amountMicroUsd, foreign }) => own(amountMicroUsd, foreign), ...AMOUNT },
];

/** Shows that our movement plus the open items is the movement in Stripe's report. */
function Sum({ ours, theirs, items }: { ours: number; theirs: number; items: number }) {
  return (
    <Addition
      parts={[
        { label: 'Movement of our Stripe balance', microUsd: ours },
        { label: countOf(items, 'open item'), microUsd: theirs - ours, tone: items > 0 ? 'text-warn' : '' },
        { label: 'Movement in the report', microUsd: theirs },
      ]}
    />
  );
}

export function TieOutResult({ result }: { result: NamedTieOut }) {
  const { matched, onlyAtStripe, onlyInBooks } = result;
  const both = sumOf(matched, ({ amountMicroUsd }) => amountMicroUsd);
  const theirs = sumOf(onlyAtStripe, ({ netMicroUsd }) => netMicroUsd);
  const ours = sumOf(onlyInBooks, ({ amountMicroUsd }) => amountMicroUsd);
  const open = onlyAtStripe.length + onlyInBooks.length;
  const parts = [
    { label: 'matched', amount: matched.length, colour: 'var(--ok)' },
    { label: 'only at Stripe', amount: onlyAtStripe.length, colour: 'var(--warn)' },
    { label: 'only in our books', amount: onlyInBooks.length, colour: 'var(--warn)', hatched: true },
  ];
  return (
    <div className="grid gap-4">
      <section className="panel p-5" aria-label="The sum">
        <Sum ours={both + ours} theirs={both + theirs} items={open} />
        {matched.length + open > 0 && (
          <div className="mt-5">
            <Tape parts={parts} />
          </div>
        )}
        <div className="mt-3 flex flex-wrap items-center gap-x-6 gap-y-2">
          {parts.map(({ label, amount }) => (
            <span key={label} className="text-muted">
              <strong className="text-text">{amount.toLocaleString('en')}</strong> {label}
            </span>
          ))}
          <span className="ml-auto">
            <Badge tone={open > 0 ? 'warn' : matched.length > 0 ? 'ok' : 'neutral'}>
              {open > 0
                ? `${countOf(open, 'item')} to explain`
                : matched.length > 0
                  ? 'Ties out'
                  : 'Nothing moved'}
            </Badge>
          </span>
        </div>
      </section>
      <List
        title="Only at Stripe"
        note="Stripe reports these movements. The books do not have them, or not in full."
        file="only-at-stripe"
        searchable
        columns={AT_STRIPE}
        of={onlyAtStripe}
        keyOf={({ transactionId }) => transactionId}
        empty="None. Everything that Stripe reports is in the books."
      />
      <List
        title="Only in our books"
        note="The books have these movements. The report does not have them, or not yet."
        file="only-in-our-books"
        searchable
        columns={IN_BOOKS}
        of={onlyInBooks}
        keyOf={({ position }) => String(position)}
        empty="None. Every movement in the books is in the report."
      />
      <List
        title="Matched"
        note="The transaction id and the amount are the same on both sides."
        file="matched"
        searchable
        columns={MATCHED}
        of={matched}
        keyOf={({ transactionId }) => transactionId}
        empty="Nothing matched."
      />
    </div>
  );
}

const COLUMNS: Column<Open>[] = [
  { label: 'About', value: ({ id }) => id, total: 'Sum', kind: tracedId(30) },
  { label: 'What', value: ({ what }) => inWords(what) },
  { label: 'At (UTC)', value: ({ at }) => at, kind: kinds.time },
  { label: 'Amount', value: ({ amountMicroUsd, foreign }) => own(amountMicroUsd, foreign), ...AMOUNT },
];

function Side({ tieOut, side }: { tieOut: TieOutDetails; side: Open['side'] }) {
  const isStripe = side === 'stripe';
  const rows = tieOut.open.filter((item) => item.side === side);
  const all = isStripe ? tieOut.onlyAtStripe : tieOut.onlyInBooks;
  return (
    <List
      title={isStripe ? 'Only at Stripe' : 'Only in our books'}
      note={
        rows.length < all
          ? `The first ${rows.length.toLocaleString('en')} of ${all.toLocaleString('en')} were kept`
          : countOf(all, 'item')
      }
      file={`${isStripe ? 'only-at-stripe' : 'only-in-our-books'}-${tieOut.from.slice(0, 10)}`}
      searchable={rows.length > 5}
      columns={COLUMNS}
      of={rows}
      keyOf={({ id, what, at, amountMicroUsd }) => `${id} ${what} ${at} ${amountMicroUsd}`}
      empty={`None. Every${isStripe ? 'thing that Stripe reported was in the books' : ' movement in the books was in the report'}.`}
    />
  );
}

export function TieOutPage() {
  const { id = '' } = useParams();
  const query = useQuery(keptTieOutQuery(id));
  const { data } = query;
  return (
    <>
      <PageHead
        trail={{ to: staffPaths.financeStripe, above: 'Stripe', here: 'kept tie-out' }}
        title={data ? `${utcDay(data.from)} \u2013 ${lastDay(data.to)}` : 'Tie-out'}
        note={<CopyId text={id} of="SHA-256 of the report" short={40} />}
      />
      {!data && (
        <Awaited
          query={query}
          what="tie-out"
          height={420}
          unknown={
            <EmptyState title="No tie-out">No report with this id was compared with the books.</EmptyState>
          }
        />
      )}
      {data && (
        <div className="grid gap-4">
          <section className="panel p-5" aria-label="The sum">
            <Sum
              ours={data.booksMicroUsd}
              theirs={data.stripeMicroUsd}
              items={data.onlyAtStripe + data.onlyInBooks}
            />
            <p className="mt-5 flex flex-wrap items-baseline gap-x-4 gap-y-2 border-t border-line pt-4">
              <TieOutState tieOut={data} />
              <span>{data.matched.toLocaleString('en')} matched</span>
              <span className="text-muted">
                <By id={data.doneBy} />, {utcTime(data.doneAt)} UTC, event {tracedEvent(data.position)}
              </span>
            </p>
          </section>
          <Side tieOut={data} side="stripe" />
          <Side tieOut={data} side="books" />
        </div>
      )}
    </>
  );
}
