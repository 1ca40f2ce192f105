import { useQuery } from '@tanstack/react-query';
import { Link2, Moon, RotateCcw, Scale, Stamp } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Reconciliation } from '../../../../application/finance/contract.js';
import { bookChecksQuery, reconciliationQuery, rollforwardQuery } from '../../api/finance.js';
import { messageOf } from '../../api/http.js';
import { paths } from '../../paths.js';
import { Badge } from '../../ui/badge.js';
import { formatShortDay, formatTime } from '../../ui/format.js';
import { LoadingText, Skeleton } from '../../ui/states.js';

const monthStart = (): string => `${new Date().toISOString().slice(0, 7)}-01`;

const STEPS = [
  ['opening', 'Opening', ''],
  ['granted', 'Granted', '+ '],
  ['spent', 'Spent', '\u2212 '],
  ['returned', 'Returned', '+ '],
  ['revoked', 'Revoked', '\u2212 '],
  ['adjusted', 'Adjusted', '± '],
  ['closing', 'Closing', ''],
] as const;

/** How this month's credits came to what they are: read as a sum. */
function Credits() {
  const from = monthStart();
  const { data, error } = useQuery(rollforwardQuery(from));
  return (
    <section className="panel p-5" aria-labelledby="credits-title">
      <h2 id="credits-title" className="text-[16px] font-semibold">
        Credits <span className="ml-2 text-[13px] font-normal text-muted">since {formatShortDay(from)}</span>
      </h2>
      {!data && <p className="mt-4 text-muted">{error ? messageOf(error) : 'Loading...'}</p>}
      {data && (
        <dl className="mt-4 flex flex-wrap gap-x-7 gap-y-3">
          {STEPS.map(([step, label, sign]) => (
            <div key={step} className={step === 'closing' ? 'border-l-2 border-text pl-4' : undefined}>
              <dt className="text-[13px] text-muted">{label}</dt>
              <dd className="mt-1 font-semibold">
                {step === 'adjusted' && data[step] !== 0
                  ? data[step] < 0
                    ? '\u2212 '
                    : '+ '
                  : data[step] === 0
                    ? ''
                    : sign}
                {Math.abs(data[step]).toLocaleString('en')}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

function Line({ icon, children, state }: { icon: ReactNode; children: ReactNode; state: ReactNode }) {
  return (
    <li className="flex min-h-[46px] items-center gap-3.5 border-t border-line px-5 py-2">
      <span className="text-muted">{icon}</span>
      <span className="min-w-0 flex-1">{children}</span>
      {state}
    </li>
  );
}

const daysAs = (days: number): string => `${days} ${days === 1 ? 'day' : 'days'}`;

/** Signed daily heads outside the database: a log that was written anew would contradict them. */
function Heads({ heads: { verified, newest, missingDays } }: { heads: Reconciliation['heads'] }) {
  const missing = missingDays.length;
  return (
    <Line
      icon={<Stamp size={17} strokeWidth={1.75} aria-hidden="true" />}
      state={
        <Badge tone={newest ? (missing === 0 ? 'ok' : 'warn') : 'neutral'}>
          {missing === 0 ? `${verified} signed` : `${daysAs(missing)} missing`}
        </Badge>
      }
    >
      {newest
        ? `Signed daily heads, the newest of ${formatShortDay(`${newest.date}T12:00`)}`
        : 'No daily head is signed yet'}
    </Line>
  );
}

const OVERDUE_MS = 36 * 3_600_000;

/** What the check of last night found; red too where no night was checked for long. */
function LastNight() {
  const { data, dataUpdatedAt } = useQuery(bookChecksQuery);
  if (!data) return null;
  const newest = data.items[0];
  const icon = <Moon size={17} strokeWidth={1.75} aria-hidden="true" />;
  if (!newest)
    return (
      <Line icon={icon} state={<Badge>not yet</Badge>}>
        Nightly check, at 03:00 UTC
      </Line>
    );
  const { broken, checkedAt, holds } = newest;
  const overdue = dataUpdatedAt - Date.parse(checkedAt) > OVERDUE_MS;
  const state = holds ? (overdue ? 'overdue' : 'passed') : `${broken.length} broken`;
  return (
    <Line icon={icon} state={<Badge tone={holds && !overdue ? 'ok' : 'danger'}>{state}</Badge>}>
      Nightly check, {formatShortDay(checkedAt)}, {formatTime(checkedAt)}
      {broken.map(({ number, name, detail }) => (
        <span key={number} className="block text-[13px] text-danger">
          {number} {name}: {detail}
        </span>
      ))}
    </Line>
  );
}

/** Chain, invariants and drift: what proves the figures. */
function Proof() {
  const { data, error } = useQuery(reconciliationQuery);
  const icon = { size: 17, strokeWidth: 1.75, 'aria-hidden': true } as const;
  const holding = data?.invariants.filter(({ holds }) => holds).length ?? 0;
  const drifted = data?.drift.reduce((sum, { rows }) => sum + rows, 0) ?? 0;
  return (
    <section className="panel" aria-labelledby="proof-title">
      <div className="flex min-h-[52px] items-center justify-between gap-3 px-5">
        <h2 id="proof-title" className="text-[16px] font-semibold">
          Proof
        </h2>
        <span className="text-[13px] text-muted">
          {data && `${formatShortDay(data.checkedAt)}, ${formatTime(data.checkedAt)} · `}
          <Link to={paths.financeReconciliation} className="underlined">
            Every rule
          </Link>
        </span>
      </div>
      {!data && !error && (
        <div className="px-5 pb-5">
          <LoadingText>Checking the books...</LoadingText>
          <Skeleton className="h-[120px]" />
        </div>
      )}
      {error && !data && <p className="px-5 pb-5 text-danger">{messageOf(error)}</p>}
      {data && (
        <ul>
          <Line
            icon={<Link2 {...icon} />}
            state={
              <Badge tone={data.chain.verified ? 'ok' : 'danger'}>
                {data.chain.verified ? 'ok' : 'broken'}
              </Badge>
            }
          >
            Hash chain {data.chain.verified ? 'verified to' : 'broken at'} position{' '}
            <strong>{data.chain.position.toLocaleString('en')}</strong>
          </Line>
          <Heads heads={data.heads} />
          <Line
            icon={<Scale {...icon} />}
            state={
              <Badge tone={holding === data.invariants.length ? 'ok' : 'danger'}>
                {holding} of {data.invariants.length}
              </Badge>
            }
          >
            Invariants, in SQL and in code
          </Line>
          <Line
            icon={<RotateCcw {...icon} />}
            state={<Badge tone={drifted === 0 ? 'ok' : 'danger'}>{drifted} drift</Badge>}
          >
            Log refolded against live rows
          </Line>
          <LastNight />
        </ul>
      )}
    </section>
  );
}

/** How well the books are, in two panels. */
export function Health() {
  return (
    <div className="grid content-start gap-4">
      <Credits />
      <Proof />
    </div>
  );
}
