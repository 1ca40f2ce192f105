import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import type { AdjustmentBody } from '../../../../application/administration/contract.js';
import { ALONE_WINDOW_HOURS } from '../../../../application/administration/values.js';
import { type Adjustment, adjustCredits, adjustmentsQuery, decideAdjustment } from '../../api/admin.js';
import { limitsQuery } from '../../api/approvals.js';
import { ApiProblem } from '../../api/transport/http.js';
import { usePages } from '../../staff/list/paged-list.js';
import { staffPaths } from '../../../../application/pages/staff-paths.js';
import { reportFailure } from '../../staff/failure.js';
import { useSession } from '../../session/session.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Input, Textarea } from '../../ui/forms/field.js';
import { useBodyForm } from '../../ui/forms/use-body-form.js';
import { countOf, formatDelta, formatMicroUsd } from '../../ui/format.js';
import { toast } from '../../ui/overlays/toast.js';
import { type Column, kinds } from '../../staff/list/column.js';
import { List } from '../../staff/list/list.js';
import { PersonPicker, useChosenPerson } from './person-picker.js';

interface Values {
  credits: string;
  reason: string;
  /** In dollars. */
  valueUsdCents: string;
  makesGood: string;
}

const NONE: Values = { credits: '', reason: '', valueUsdCents: '', makesGood: '' };
const DOLLARS = /^\d+(\.\d{1,2})?$/;

const numberOf = (text: string) => Number(text.trim().replace('\u2212', '-'));
const centsOf = (dollars: string) =>
  dollars === '' ? 0 : DOLLARS.test(dollars) ? Math.round(Number(dollars) * 100) : undefined;

function AdjustForm() {
  const [person, setPerson] = useChosenPerson();
  const { data: limits } = useQuery(limitsQuery);
  const { register, formProps, formState, reset } = useBodyForm('POST /api/admin/adjustments', {
    defaultValues: NONE,
    body: ({ credits, reason, valueUsdCents, makesGood }: Values) => ({
      userId: person?.id,
      credits: numberOf(credits),
      reason,
      valueUsdCents: centsOf(valueUsdCents) ?? Number.NaN,
      ...(makesGood.trim() && { makesGood: makesGood.trim() }),
    }),
    words: { credits: 'A whole number, not 0', valueUsdCents: 'An amount such as 4.50' },
    check: ({ valueUsdCents, makesGood }) =>
      makesGood.trim() === '' && (centsOf(valueUsdCents) ?? 0) > 0
        ? { makesGood: 'Enter the lot or purchase that it compensates' }
        : {},
  });
  const { errors, isSubmitting, isSubmitted } = formState;
  const adjust = async (body: AdjustmentBody) => {
    try {
      const { status, balance } = await adjustCredits(body);
      toast(
        status === 'waiting'
          ? { title: 'A second person must approve it', description: 'Nothing was booked yet.', tone: 'info' }
          : {
              title: 'The credits are adjusted',
              description: balance === undefined ? undefined : `${countOf(balance, 'credit')} now`,
            },
      );
      reset(NONE);
      setPerson(undefined);
    } catch (error) {
      const missing = error instanceof ApiProblem && error.code === 'NotFound';
      reportFailure(error, 'adjusted', missing ? 'The account is gone.' : undefined);
    }
  };
  return (
    <form
      {...formProps(adjust)}
      aria-label="Adjust credits"
      className="panel grid grid-cols-[minmax(0,1fr)] content-start gap-4 p-5"
    >
      <h2 className="text-lg font-semibold">Adjust credits</h2>
      <PersonPicker
        value={person}
        onChange={setPerson}
        error={isSubmitted && !person ? 'Choose a person' : undefined}
      />
      <Input
        label="Credits"
        inputMode="text"
        hint={`A number above 0 gives credits, one below 0 takes them.${limits ? ` Above ${limits.adjustmentCredits.toLocaleString('en')} in ${ALONE_WINDOW_HOURS} hours, a second person must approve.` : ''}`}
        error={errors.credits?.message}
        {...register('credits')}
      />
      <Textarea label="Reason" error={errors.reason?.message} {...register('reason')} />
      <Input
        label="Worth in dollars"
        inputMode="decimal"
        placeholder="0.00"
        hint={`What the shop pays for the credits; creators earn from it.${limits ? ` Above ${formatMicroUsd(limits.adjustmentMicroUsd)} in ${ALONE_WINDOW_HOURS} hours, a second person must approve.` : ''}`}
        error={errors.valueUsdCents?.message}
        {...register('valueUsdCents')}
      />
      <Input
        label="Compensates"
        hint="The id of their lot or purchase. Only credits that compensate something have a value."
        error={errors.makesGood?.message}
        {...register('makesGood')}
      />
      <Button type="submit" tone="primary" busy={isSubmitting}>
        Adjust
      </Button>
    </form>
  );
}

const TONES = {
  waiting: 'warn',
  applied: 'ok',
  approved: 'ok',
  declined: 'neutral',
  failed: 'danger',
} as const;

function Verdict({ item, adminId }: { item: Adjustment; adminId: string | undefined }) {
  const { mutate, isPending } = useMutation({
    mutationFn: (decision: 'approve' | 'decline') => decideAdjustment(item.id, decision),
    onSuccess: (_, decision) =>
      toast({ title: decision === 'approve' ? 'Approved and booked' : 'Declined. Nothing was booked.' }),
    onError: (error) => reportFailure(error, 'booked'),
  });
  if (item.status !== 'waiting') return null;
  if (item.requestedBy === adminId || item.userId === adminId) {
    return <span className="text-sm text-faint">Another administrator decides</span>;
  }
  return (
    <div className="flex gap-2 lg:justify-end">
      <Button size="small" disabled={isPending} onClick={() => mutate('decline')}>
        Decline
      </Button>
      <Button size="small" tone="primary" disabled={isPending} onClick={() => mutate('approve')}>
        Approve
      </Button>
    </div>
  );
}

const columnsFor = (adminId: string | undefined): Column<Adjustment>[] => [
  { label: 'User', value: ({ userName }) => userName, kind: kinds.strong },
  {
    label: 'Credits',
    value: ({ credits }) => credits,
    cell: ({ credits }) => <b className={credits < 0 ? 'text-danger' : 'text-ok'}>{formatDelta(credits)}</b>,
  },
  {
    // Credits with a value name what they compensate.
    label: 'Worth',
    value: ({ valueMicroUsd }) => ({ microUsd: valueMicroUsd }),
    cell: ({ valueMicroUsd, makesGood }) => (
      <>
        <span className="whitespace-nowrap">{formatMicroUsd(valueMicroUsd)}</span>
        {makesGood && <span className="block break-all text-sm text-faint">compensates {makesGood}</span>}
      </>
    ),
  },
  { label: 'Reason', value: ({ reason }) => reason },
  {
    label: 'Requested',
    value: ({ requestedAt }) => requestedAt,
    cell: ({ requestedAt, requestedBy, requestedByName }) => (
      <>
        {kinds.localTime(requestedAt)} by {requestedBy === adminId ? 'you' : requestedByName}
      </>
    ),
  },
  {
    label: 'Status',
    value: ({ status }) => status,
    cell: ({ id, status, decidedByName }) => (
      <>
        {status === 'waiting' ? (
          <Link to={staffPaths.approvals('admin', id)}>
            <Badge tone={TONES.waiting}>waiting</Badge>
            <span className="sr-only">, look at the request</span>
          </Link>
        ) : (
          <Badge tone={TONES[status]}>{status}</Badge>
        )}
        {decidedByName && <span className="ml-2 text-sm">by {decidedByName}</span>}
      </>
    ),
  },
  { label: 'Decision', cell: (item) => <Verdict item={item} adminId={adminId} /> },
];

/** Credits that administrators give or take; large amounts need two people. */
export function CreditsPage() {
  const adminId = useSession().user?.id;
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:split-340">
      <AdjustForm />
      <section aria-labelledby="adjustments-title" className="min-w-0">
        <h2 id="adjustments-title" className="mb-4 text-lg font-semibold">
          Adjustments
        </h2>
        <List
          cards
          of={usePages(adjustmentsQuery)}
          title="Adjustments, those that wait for a second person first"
          file="adjustments"
          empty="Nothing was adjusted"
          more="More adjustments"
          keyOf={({ id }) => id}
          columns={columnsFor(adminId)}
        />
      </section>
    </div>
  );
}
