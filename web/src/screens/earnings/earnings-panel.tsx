import { useQuery, useMutation } from '@tanstack/react-query';
import { query, api } from '../../api/api.js';
import type { CreatorBalance, ScheduleChoice } from '../../../../application/payouts/contract.js';
import { PAYOUT_POLICY } from '../../../../application/payouts/values.js';
import { creatorQuery } from '../../api/account.js';
import { watchedBalanceQuery } from '../../api/creator.js';
import { unpaidParts } from '../../creators/payout-status.js';
import { WithdrawButton } from '../../creators/withdraw-button.js';
import { paths } from '../../paths.js';
import { ButtonLink } from '../../ui/button.js';
import { formatMicroUsd, formatShortDay, formatUsdCents } from '../../ui/format.js';
import { QuietCents } from '../../ui/money.js';
import { Skeleton } from '../../ui/states.js';
import { Tape } from '../../ui/tape.js';
import { useLogged } from './use-logged.js';
import { queryClient } from '../../api/query-client.js';
import { Segmented } from '../../ui/tabs.js';
import { notifyOf } from '../../ui/overlays/toast.js';

const CHOICES = [
  { value: 'on_demand', label: 'On demand' },
  { value: 'monthly', label: 'Monthly' },
] as const satisfies readonly { value: ScheduleChoice; label: string }[];

/** The payout schedule: only on request, or also on the first of each month. */
function Schedule({ minimumUsdCents }: { minimumUsdCents: number }) {
  const { data } = useQuery(query('GET /api/creator/payout-schedule'));
  const change = useMutation({
    mutationFn: (schedule: ScheduleChoice) => api('PUT /api/creator/payout-schedule', { body: { schedule } }),
    onSuccess: (chosen) =>
      queryClient.setQueryData(query('GET /api/creator/payout-schedule').queryKey, chosen),
    onError: notifyOf('The schedule was not changed'),
  });
  if (!data) return null;
  // Shows the new choice before the server answers. If the request fails, the former choice is shown again.
  const chosen = change.isPending ? change.variables : data.schedule;
  const nextDay = data.nextAt && formatShortDay(`${data.nextAt.slice(0, 10)}T12:00`);
  return (
    <div className="grid min-h-10 content-center justify-items-start gap-2">
      <Segmented
        options={CHOICES}
        value={chosen}
        onChange={(schedule) => change.mutate(schedule)}
        label="Payout schedule"
      />
      {nextDay && chosen === 'monthly' && (
        <span className="text-sm text-faint">
          Next payout on {nextDay}, if at least {formatUsdCents(minimumUsdCents)} is available
        </span>
      )}
    </div>
  );
}

const MICRO_PER_CENT = 10_000;

function Part(props: {
  swatch: string;
  label: string;
  microUsd: number | undefined;
  note: string | undefined;
  className: string;
}) {
  return (
    <div className={`min-w-0 border-line p-4 md:p-5 ${props.className}`}>
      <dt className="flex items-center gap-2 text-muted">
        <span aria-hidden="true" className={`size-2.5 ${props.swatch}`} /> {props.label}
      </dt>
      <dd className="display mt-3.5 text-4xl">
        {props.microUsd === undefined ? (
          <span className="text-faint">–</span>
        ) : (
          <QuietCents microUsd={props.microUsd} />
        )}
      </dd>
      <dd className="mt-2.5 text-sm text-faint">{props.note}</dd>
    </div>
  );
}

function heldNote({ heldMicroUsd, heldUntil, inDoubtMicroUsd }: CreatorBalance): string {
  if (inDoubtMicroUsd > 0) return `${formatMicroUsd(inDoubtMicroUsd)} of it is under review`;
  if (heldMicroUsd <= 0 || !heldUntil) return 'Nothing is on hold';
  return `All of it is released by ${formatShortDay(heldUntil)}`;
}

function Withdraw({ userId, balance }: { userId: string; balance: CreatorBalance }) {
  const { data } = useQuery(query('GET /api/stripe/connect/status/:userId', { params: { userId } }));
  if (!data) return null;
  if (!data.payoutsEnabled)
    return balance.availableMicroUsd > 0 ? (
      <ButtonLink to={paths.dashboard} size="small">
        Set up payouts
      </ButtonLink>
    ) : null;
  return (
    <>
      {balance.availableMicroUsd >= MICRO_PER_CENT && <WithdrawButton balance={balance} />}
      <Schedule minimumUsdCents={balance.minimumUsdCents} />
    </>
  );
}

function Suspended() {
  const { data } = useQuery(creatorQuery);
  return (
    <div className="text-muted">
      <p>
        Your creator access is suspended. You keep your balance, but you cannot withdraw it until the
        suspension ends.
      </p>
      {data?.reason && <p className="mt-2 wrap-anywhere">Reason: {data.reason}</p>}
    </div>
  );
}

export function EarningsPanel({ userId, suspended }: { userId: string; suspended: boolean }) {
  const { data, error } = useQuery(watchedBalanceQuery);
  useLogged('Your earnings', error);
  if (!data && !error) return <Skeleton className="h-46.5" text="Loading your earnings..." />;
  const paid = { label: 'Paid out', amount: (data?.paidUsdCents ?? 0) / 100, colour: 'var(--wave)' };
  const tape = data ? [paid, ...unpaidParts(data)] : [];
  return (
    <section aria-label="Earnings" className="panel">
      <dl className="grid grid-cols-2 md:grid-cols-3 xl:grid-cols-[1.3fr_repeat(3,1fr)]">
        <div className="min-w-0 px-4 pt-4 pb-1 max-xl:col-span-full md:px-5 md:pt-5 xl:pb-5">
          <dt className="text-md font-semibold">Total Earnings</dt>
          <dd className="display mt-3 text-9xl">
            {data ? formatMicroUsd(data.totalEarningsMicroUsd) : <span className="text-faint">–</span>}
          </dd>
          {data && (
            <dd className="mt-4 flex flex-wrap items-start gap-3">
              {suspended ? <Suspended /> : <Withdraw userId={userId} balance={data} />}
            </dd>
          )}
        </div>
        <Part
          className="max-md:col-span-full xl:border-l"
          swatch="tape-part bg-(--sticker)"
          label="Available for withdrawal"
          microUsd={data?.availableMicroUsd}
          note={data && `The minimum withdrawal is ${formatMicroUsd(data.minimumUsdCents * MICRO_PER_CENT)}`}
        />
        <Part
          className="max-md:border-t md:border-l"
          swatch="tape-part hatched text-(--sticker)"
          label={`On hold for ${PAYOUT_POLICY.holdDays} days`}
          microUsd={data?.heldMicroUsd}
          note={data && heldNote(data)}
        />
        <Part
          className="border-l max-md:border-t"
          swatch="bg-(--wave)"
          label="Paid out"
          microUsd={data && data.paidUsdCents * MICRO_PER_CENT}
          note={data?.inFlight ? 'Another payout is on its way' : undefined}
        />
      </dl>
      {tape.some(({ amount }) => amount > 0) && (
        <div className="px-5 pb-5 max-md:px-4">
          <Tape parts={tape} />
        </div>
      )}
    </section>
  );
}
