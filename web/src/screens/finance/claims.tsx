import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router-dom';
import type { PayoutClaims } from '../../../../application/payouts/contract.js';
import { CLAIM_CODE } from '../../../../application/payouts/values.js';
import { claimsQuery, payClaim } from '../../api/finance.js';
import { ApiProblem, messageOf } from '../../api/http.js';
import { isAnswer } from '../../api/idempotency-key.js';
import { paths } from '../../paths.js';
import { Awaited } from '../../staff/awaited.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { countOf, formatUsdCents } from '../../ui/format.js';
import { Input } from '../../ui/forms/field.js';
import { toast } from '../../ui/overlays/toast.js';
import { type Column, DataTable } from './parts/data-table.js';
import { ageOf, utcDay } from './parts/dates.js';
import { PageHead } from './parts/page.js';
import { UserForm, Who } from './parts/user-form.js';

const DAY_MS = 86_400_000;

type Claim = PayoutClaims['items'][number];

const stateOf = ({ owedMicroUsd, payableUntil }: Claim) =>
  owedMicroUsd < 10_000 ? 'paid' : new Date(payableUntil) < new Date() ? 'ended' : 'open';
const TONES = { paid: 'ok', ended: 'neutral', open: 'warn' } as const;

const columnsOf = (items: readonly Claim[]): Column<Claim>[] => [
  {
    label: 'Deleted account',
    value: ({ creatorId }) => creatorId,
    total: 'Together',
    cell: ({ creatorId }) => (
      <Link className="mono underlined" to={paths.financeCreator(creatorId)} title={creatorId}>
        {creatorId.length > 12 ? `${creatorId.slice(0, 8)}…` : creatorId}
      </Link>
    ),
  },
  {
    label: 'State',
    value: stateOf,
    cell: (claim) => <Badge tone={TONES[stateOf(claim)]}>{stateOf(claim)}</Badge>,
  },
  {
    label: 'Made (UTC)',
    value: ({ madeAt }) => madeAt,
    cell: ({ madeAt }) => (
      <span className="whitespace-nowrap">
        {utcDay(madeAt)}
        <span className="ml-2 text-sm text-faint">
          {ageOf(Math.max(0, Math.floor((Date.now() - new Date(madeAt).getTime()) / DAY_MS)))}
        </span>
      </span>
    ),
  },
  {
    label: 'Payable until',
    value: ({ payableUntil }) => payableUntil,
    cell: ({ payableUntil }) => <span className="whitespace-nowrap">{utcDay(payableUntil)}</span>,
  },
  { label: 'Payouts', value: ({ payouts }) => payouts },
  {
    label: 'Owed',
    value: ({ owedMicroUsd }) => ({ microUsd: owedMicroUsd }),
    total: { microUsd: items.reduce((sum, { owedMicroUsd }) => sum + owedMicroUsd, 0) },
  },
];

/** Pays the holder of the code: first the person, then the code. */
function PayForm() {
  const [userId, setUserId] = useState('');
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const { mutate, isPending } = useMutation({
    mutationFn: payClaim,
    onSuccess: ({ amountUsdCents }) => {
      toast({ title: `${formatUsdCents(amountUsdCents)} is on its way` });
      setCode('');
      setUserId('');
    },
    onError: (error) => {
      const unknown = error instanceof ApiProblem && error.code === 'NotFound';
      const lost = isAnswer(error)
        ? ''
        : 'It is not known yet whether it was paid; the same again pays once. ';
      setProblem(unknown ? 'No claim has this code' : lost + messageOf(error));
    },
  });
  const pay = (event: FormEvent) => {
    event.preventDefault();
    // Written down in groups, it is typed in groups.
    const bare = code.replaceAll(/\s/g, '');
    if (userId === '') return setProblem('Find first who shows it');
    if (!CLAIM_CODE.test(bare)) return setProblem('40 letters and digits, 0 to 9 and a to f');
    mutate({ code: bare, userId });
  };
  return (
    <section aria-labelledby="pay-title" className="panel grid content-start gap-5 p-5">
      <div>
        <h2 id="pay-title" className="text-lg font-semibold">
          Pay a claim
        </h2>
        <p className="mt-1 text-muted">
          Whoever shows the code is paid what is past its hold, to their own payout account. The rest is paid
          later, with the same code.
        </p>
      </div>
      <div>
        <p className="mb-2 font-semibold">Who shows the code</p>
        <UserForm
          userId={userId}
          onUser={(user) => {
            setUserId(user);
            setProblem(undefined);
          }}
        />
        {userId && (
          <p className="mt-2 text-sm text-muted">
            <Who userId={userId} />
          </p>
        )}
      </div>
      <form aria-label="Pay a claim" noValidate className="grid gap-5" onSubmit={pay}>
        <Input
          label="Claim code"
          autoComplete="off"
          spellCheck={false}
          error={problem}
          value={code}
          onChange={(event) => {
            setCode(event.target.value);
            setProblem(undefined);
          }}
        />
        <Button type="submit" tone="primary" busy={isPending} className="justify-self-start">
          Pay what is available
        </Button>
      </form>
    </section>
  );
}

/** Debts to deleted accounts, and their payment to the holder of the code. */
export function ClaimsPage() {
  const query = useQuery(claimsQuery);
  const { data } = query;
  return (
    <>
      <PageHead
        title="Claims"
        note="What deleted accounts are still owed. We know them by id alone: a lost code cannot be replaced."
      />
      <div className="fin-columns items-start">
        {data ? (
          <DataTable
            title="Claims"
            note={countOf(data.items.length, 'claim')}
            file="claims"
            columns={columnsOf(data.items)}
            rows={data.items}
            keyOf={({ creatorId }) => creatorId}
            empty="Nobody who was owed money has deleted their account."
          />
        ) : (
          <Awaited
            query={query}
            failure="The claims could not be loaded"
            loading="Loading claims..."
            height={240}
          />
        )}
        <PayForm />
      </div>
    </>
  );
}
