import { useQuery } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import { Link } from 'react-router-dom';
import { query } from '../../api/api.js';
import { businessNow } from '../../clock.js';
import type { PayoutClaims } from '../../../../application/payouts/contract.js';
import { payClaim } from '../../api/finance.js';
import { ApiProblem, messageOf } from '../../api/transport/http.js';
import { isAnswer } from '../../api/transport/idempotency-key.js';
import { staffPaths } from '../../../../application/pages/staff-paths.js';
import { Button } from '../../ui/button.js';
import { countOf, formatUsdCents } from '../../ui/format.js';
import { Input } from '../../ui/forms/field.js';
import { useBodyForm } from '../../ui/forms/use-body-form.js';
import { toast } from '../../ui/overlays/toast.js';
import { type Column, kinds } from '../../staff/list/column.js';
import { List } from '../../staff/list/list.js';
import { ageSince, utcDay } from '../../staff/dates.js';
import { PageHead } from '../../staff/page-parts.js';
import { UserForm, Who } from './parts/user-form.js';

type Claim = PayoutClaims['items'][number];

const stateOf = ({ owedMicroUsd, payableUntil }: Claim) =>
  owedMicroUsd < 10_000 ? 'paid' : Date.parse(payableUntil) < businessNow() ? 'ended' : 'open';
const TONES = { paid: 'ok', ended: 'neutral', open: 'warn' } as const;

const COLUMNS: Column<Claim>[] = [
  {
    label: 'Deleted account',
    value: ({ creatorId }) => creatorId,
    total: 'Total',
    cell: ({ creatorId }) => (
      <Link className="mono underlined" to={staffPaths.financeCreator(creatorId)} title={creatorId}>
        {creatorId.length > 12 ? `${creatorId.slice(0, 8)}…` : creatorId}
      </Link>
    ),
  },
  { label: 'State', value: stateOf, tone: (claim) => TONES[stateOf(claim)] },
  {
    label: 'Made (UTC)',
    value: ({ madeAt }) => madeAt,
    cell: ({ madeAt }) => (
      <span className="whitespace-nowrap">
        {utcDay(madeAt)}
        <span className="ml-2 text-sm text-faint">{ageSince(madeAt)}</span>
      </span>
    ),
  },
  { label: 'Payable until', value: ({ payableUntil }) => payableUntil, kind: kinds.day },
  { label: 'Payouts', value: ({ payouts }) => payouts },
  { label: 'Owed', value: ({ owedMicroUsd }) => ({ microUsd: owedMicroUsd }), sum: true },
];

const EMPTY = { code: '', userId: '' };

/**
 * Pays the available part of a claim to the person who shows its code. Staff find the person, then enter the
 * code.
 */
function PayForm() {
  const { register, formProps, formState, control, setValue, setError, reset } = useBodyForm(
    'POST /api/finance/claims/payouts',
    {
      defaultValues: EMPTY,
      // The code is printed in groups, so people type it in groups.
      body: ({ code, userId }: typeof EMPTY) => ({ code: code.replaceAll(/\s/g, ''), userId }),
      check: ({ userId }) => (userId ? {} : { userId: 'Find the person first' }),
    },
  );
  const { errors, isSubmitting, isSubmitted } = formState;
  const userId = useWatch({ control, name: 'userId' });
  const pay = async (body: typeof EMPTY) => {
    try {
      const { amountUsdCents } = await payClaim(body);
      toast({ title: `${formatUsdCents(amountUsdCents)} is on its way` });
      reset(EMPTY);
    } catch (error) {
      const unknown = error instanceof ApiProblem && error.code === 'NotFound';
      const lost = isAnswer(error)
        ? ''
        : 'We do not know yet whether it was paid. Try again: the claim is paid only once. ';
      setError('code', { message: unknown ? 'No claim has this code' : lost + messageOf(error) });
    }
  };
  return (
    <section aria-labelledby="pay-title" className="panel grid content-start gap-5 p-5">
      <div>
        <h2 id="pay-title" className="text-lg font-semibold">
          Pay a claim
        </h2>
        <p className="mt-1 text-muted">
          We pay the available part to the payout account of the person who shows the code. The rest can be
          paid later with the same code.
        </p>
      </div>
      <div>
        <p className="mb-2 font-semibold">Person who shows the code</p>
        <UserForm
          userId={userId}
          onUser={(user) => setValue('userId', user, { shouldValidate: isSubmitted })}
        />
        {userId && (
          <p className="mt-2 text-sm text-muted">
            <Who userId={userId} />
          </p>
        )}
      </div>
      <form {...formProps(pay)} aria-label="Pay a claim" className="grid gap-5">
        <Input
          label="Claim code"
          autoComplete="off"
          spellCheck={false}
          error={(errors.userId ?? errors.code)?.message}
          {...register('code')}
        />
        <Button type="submit" tone="primary" busy={isSubmitting} className="justify-self-start">
          Pay what is available
        </Button>
      </form>
    </section>
  );
}

export function ClaimsPage() {
  const answer = useQuery(query('GET /api/finance/claims'));
  return (
    <>
      <PageHead
        title="Claims"
        note="What we still owe to deleted accounts. We know them only by id, so we cannot replace a lost code."
      />
      <div className="fin-columns items-start">
        <List
          of={answer}
          what="claims"
          title="Claims"
          note={countOf(answer.data?.items.length ?? 0, 'claim')}
          file="claims"
          columns={COLUMNS}
          keyOf={({ creatorId }) => creatorId}
          empty="No deleted accounts are owed money."
        />
        <PayForm />
      </div>
    </>
  );
}
