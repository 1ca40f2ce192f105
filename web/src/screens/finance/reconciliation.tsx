import { useQuery } from '@tanstack/react-query';
import {
  DatabaseBackup,
  Link2,
  type LucideIcon,
  Moon,
  RotateCcw,
  Scale,
  Stamp,
  TextSearch,
  RotateCw,
} from 'lucide-react';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { query } from '../../api/api.js';
import { businessNow } from '../../clock.js';
import type { Reconciliation } from '../../../../application/ledger/contract.js';
import { reconciliationQuery } from '../../api/finance.js';
import { staffPaths } from '../../../../application/pages/staff-paths.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { utcTime } from '../../staff/dates.js';
import { Missing, Awaited } from '../../staff/page-parts.js';
import { countOf } from '../../ui/format.js';
import { type Column, kinds } from '../../staff/list/column.js';
import { List } from '../../staff/list/list.js';

function Line(props: {
  icon: LucideIcon;
  state: string;
  tone?: ComponentProps<typeof Badge>['tone'];
  children: ReactNode;
}) {
  const { icon: Icon, state, tone, children } = props;
  return (
    <li className="flex min-h-11.5 items-center gap-3.5 border-t border-line px-5 py-2">
      <Icon size={17} className="text-muted" />
      <span className="min-w-0 flex-1">{children}</span>
      <Badge tone={tone}>{state}</Badge>
    </li>
  );
}

/**
 * Says whether signed heads of the log are missing or late. A head is the hash of the newest event. It is signed
 * every hour and stored outside the database, so that it contradicts a rewritten log.
 */
function Heads({ heads: { verified, newest, isLate, missingDays } }: Pick<Reconciliation, 'heads'>) {
  const missing = missingDays.length;
  return (
    <Line
      icon={Stamp}
      tone={!newest ? 'neutral' : missing === 0 && !isLate ? 'ok' : 'warn'}
      state={isLate ? 'late' : missing === 0 ? `${verified} signed` : `${countOf(missing, 'day')} missing`}
    >
      {newest ? `Signed hourly heads, the newest of ${utcTime(newest.signedAt)}` : 'No head is signed yet'}
    </Line>
  );
}

const OVERDUE_MS = 36 * 3_600_000;

/** The findings of last night's check; the line is also red if that check is older than `OVERDUE_MS`. */
function LastNight() {
  const { data } = useQuery(query('GET /api/finance/checks'));
  if (!data) return null;
  const newest = data.items[0];
  if (!newest)
    return (
      <Line icon={Moon} state="not yet">
        Nightly check, at 03:00 UTC
      </Line>
    );
  const { broken, checkedAt, holds } = newest;
  const overdue = businessNow() - Date.parse(checkedAt) > OVERDUE_MS;
  const state = holds ? (overdue ? 'overdue' : 'passed') : `${broken.length} broken`;
  return (
    <Line icon={Moon} tone={holds && !overdue ? 'ok' : 'danger'} state={state}>
      Nightly check, {utcTime(checkedAt)}
      {broken.map(({ number, name, detail }) => (
        <span key={number} className="line-clamp-2 text-sm text-danger" title={detail}>
          {number} {name}: {detail}
        </span>
      ))}
    </Line>
  );
}

function Now({ chain, heads, invariants, drift, unreadable, proof }: Reconciliation) {
  const holding = invariants.filter(({ holds }) => holds).length;
  const drifted = drift.reduce((sum, { rows }) => sum + rows, 0);
  return (
    <>
      <Line icon={Link2} tone={chain.verified ? 'ok' : 'danger'} state={chain.verified ? 'ok' : 'broken'}>
        Hash chain {chain.verified ? 'verified to' : 'broken at'} position{' '}
        <strong>{chain.position.toLocaleString('en')}</strong>
        {proof.since && (
          <span className="text-sm text-muted">
            {' '}
            from {proof.since.position.toLocaleString('en')}, whole last{' '}
            {proof.whole.log ? utcTime(proof.whole.log) : 'never'}
          </span>
        )}
      </Line>
      <Heads heads={heads} />
      {heads.restores.map(({ at, position, heads: excused }) => (
        <Line key={`${at} ${position}`} icon={DatabaseBackup} state={`${excused.length} excused`}>
          Restored from a backup to event {position.toLocaleString('en')}, recorded {utcTime(at)}
          <span className="block text-sm text-muted">Excused heads: {excused.join(', ')}</span>
        </Line>
      ))}
      <Line
        icon={Scale}
        tone={holding === invariants.length ? 'ok' : 'danger'}
        state={`${holding} of ${invariants.length}`}
      >
        Invariants, in SQL and in code
      </Line>
      <Line icon={RotateCcw} tone={drifted === 0 ? 'ok' : 'danger'} state={`${drifted} drift`}>
        Read models compared with the log
      </Line>
      {unreadable.length > 0 && (
        <Line icon={TextSearch} tone="warn" state={`${unreadable.length} events`}>
          Text that cannot be stored was left out at position{' '}
          {unreadable.map(({ position }) => position.toLocaleString('en')).join(', ')}
        </Line>
      )}
    </>
  );
}

/** `Health` checks a log with up to this many events when its page opens, and a longer log on demand. */
const CHECKED_AT_ONCE = 50_000;

/** @param props.position the position of the newest event; undefined until it is known */
export function Health({ position }: { position: number | undefined }) {
  const [asked, setAsked] = useState(false);
  const waits = !asked && position !== undefined && position > CHECKED_AT_ONCE;
  const { data, error } = useQuery({ ...reconciliationQuery, enabled: position !== undefined && !waits });
  return (
    <section className="panel" aria-labelledby="proof-title">
      <div className="flex min-h-13 items-center justify-between gap-3 px-5">
        <h2 id="proof-title" className="text-lg font-semibold">
          Proof
        </h2>
        <span className="text-sm text-muted">
          {data && `${utcTime(data.checkedAt)} · `}
          <Link to={staffPaths.financeReconciliation} className="underlined">
            Every rule
          </Link>
        </span>
      </div>
      <ul>
        <LastNight />
        {data && <Now {...data} />}
      </ul>
      {!data && waits && (
        <div className="flex items-center justify-between gap-4 border-t border-line px-5 py-3">
          <p className="text-muted">
            Checking reads the events since the last signed head and adds the books up again.
          </p>
          <Button size="small" onClick={() => setAsked(true)}>
            Check now
          </Button>
        </div>
      )}
      {!data && (error || !waits) && (
        <div className="border-t border-line p-5">
          <Missing error={error} loading="Checking the books..." height={152} />
        </div>
      )}
    </section>
  );
}

const RULES: Column<Reconciliation['invariants'][number]>[] = [
  { label: 'No.', value: ({ number }) => number },
  {
    label: 'Always true',
    value: ({ name, detail }) => (detail ? `${name}: ${detail}` : name),
    cell: ({ name, detail }) => (
      <>
        {name}
        {detail && <p className="text-sm break-words text-danger">{detail}</p>}
      </>
    ),
  },
  {
    label: 'Verdict',
    value: ({ holds }) => (holds ? 'holds' : 'broken'),
    tone: ({ holds }) => (holds ? 'ok' : 'danger'),
  },
];

const MODELS: Column<Reconciliation['drift'][number]>[] = [
  { label: 'Read model', value: ({ projection }) => projection, kind: kinds.code },
  {
    label: 'Rows that differ',
    value: ({ rows }) => rows,
    cell: ({ rows }) => (
      <span className={rows === 0 ? 'text-faint' : 'text-danger'}>{rows.toLocaleString('en')}</span>
    ),
  },
];

/** Shows from which event on this check read the log, and the dates of the last full checks. */
function ProvenBefore({ since, whole }: Reconciliation['proof']) {
  if (!since) return <p className="mt-1 text-sm text-muted">This check read all events.</p>;
  const last = (at: string | null): string => (at ? `${utcTime(at)} UTC` : 'never');
  return (
    <p className="mt-1 text-sm text-muted">
      This check read the events after {since.position.toLocaleString('en')}. An earlier check, before the
      head signed {utcTime(since.signedAt)} UTC, covers those before. Last full check of the log:{' '}
      {last(whole.log)}; of the rules: {last(whole.rules)}; of the read models: {last(whole.readModels)}; of
      all files: {last(whole.files)}.
    </p>
  );
}

export function ReconciliationPage() {
  const query = useQuery(reconciliationQuery);
  const { data, refetch, isFetching } = query;
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h1 className="display text-5xl">Reconciliation</h1>
          <p className="mt-2 text-muted">
            {data
              ? `Checked ${utcTime(data.checkedAt)} UTC: ${data.chain.position.toLocaleString('en')} events`
              : 'Reads what is new in the log; it may take a while.'}
          </p>
          {data && <ProvenBefore {...data.proof} />}
        </div>
        <Button busy={isFetching} onClick={() => void refetch()} icon={<RotateCw size={16} />}>
          Check again
        </Button>
      </div>
      {!data && (
        <div className="mt-5">
          <Awaited
            query={query}
            failure="The books could not be checked"
            loading="Checking the books..."
            height={720}
          />
        </div>
      )}
      {data && (
        <div className="fin-columns mt-5">
          <List
            title="Invariants"
            note={`${data.invariants.filter(({ holds }) => holds).length} of ${data.invariants.length} hold`}
            file="invariants"
            columns={RULES}
            of={data.invariants}
            keyOf={({ number }) => String(number)}
          />
          <div className="grid min-w-0 content-start">
            <List
              title="Read models"
              note="Rows compared with the log"
              file="drift"
              columns={MODELS}
              of={data.drift}
              keyOf={({ projection }) => projection}
              empty="There are none."
            />
          </div>
        </div>
      )}
    </>
  );
}
