import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type { Person } from '../../../../application/administration/contract.js';
import { type Adjustment, adjustCredits, adjustmentsQuery, decideAdjustment } from '../../api/admin.js';
import { ApiProblem, messageOf } from '../../api/http.js';
import { isAnswer } from '../../api/idempotency-key.js';
import { useSession } from '../../session/session.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Input, Textarea } from '../../ui/forms/field.js';
import { countOf, formatDay, formatDelta, formatMicroUsd, formatTime } from '../../ui/format.js';
import { toast } from '../../ui/overlays/toast.js';
import { Cell, List } from './list.js';
import { PersonPicker } from './person-picker.js';

interface Values {
  credits: string;
  reason: string;
  worth: string;
  makesGood: string;
}

const NONE: Values = { credits: '', reason: '', worth: '', makesGood: '' };
const WHOLE = /^[+\u2212-]?\d{1,7}$/;
const DOLLARS = /^\d{1,6}(\.\d{1,2})?$/;

const numberOf = (text: string) => Number(text.replace('\u2212', '-'));

function AdjustForm() {
  const { register, handleSubmit, formState, reset } = useForm<Values>({ defaultValues: NONE });
  const { errors, isSubmitting } = formState;
  const [person, setPerson] = useState<Person>();
  const [asked, setAsked] = useState(false);
  const adjust = async ({ credits, reason, worth, makesGood }: Values) => {
    if (!person) return;
    try {
      const { status, balance } = await adjustCredits({
        userId: person.id,
        credits: numberOf(credits),
        reason: reason.trim(),
        valueUsdCents: Math.round(Number(worth || 0) * 100),
        ...(makesGood.trim() && { makesGood: makesGood.trim() }),
      });
      toast(
        status === 'waiting'
          ? { title: 'It waits for a second person', description: 'Nothing was booked yet.', tone: 'info' }
          : {
              title: 'The credits are adjusted',
              description: balance === undefined ? undefined : `${countOf(balance, 'credit')} now`,
            },
      );
      reset(NONE);
      setPerson(undefined);
      setAsked(false);
    } catch (error) {
      const missing = error instanceof ApiProblem && error.code === 'NotFound';
      toast({
        title: isAnswer(error) ? 'Nothing was adjusted' : 'It is not known yet whether it was adjusted',
        description: missing ? 'The account is gone.' : messageOf(error),
        tone: 'danger',
      });
    }
  };
  return (
    <form
      noValidate
      aria-label="Adjust credits"
      className="panel grid grid-cols-[minmax(0,1fr)] content-start gap-4 p-5"
      onSubmit={(event) => {
        setAsked(true);
        void handleSubmit(adjust)(event);
      }}
    >
      <h2 className="text-lg font-semibold">Adjust credits</h2>
      <PersonPicker
        value={person}
        onChange={setPerson}
        error={asked && !person ? 'Whose credits?' : undefined}
      />
      <Input
        label="Credits"
        inputMode="text"
        hint="Above 0 given, below 0 taken. More than 500 in 24 hours, all yours together, wait for a second person."
        error={errors.credits?.message}
        {...register('credits', {
          validate: (text) => (WHOLE.test(text.trim()) && numberOf(text) !== 0) || 'A whole number, not 0',
        })}
      />
      <Textarea
        label="Reason"
        error={errors.reason?.message}
        {...register('reason', { validate: (text) => text.trim().length >= 3 || 'Say why' })}
      />
      <Input
        label="Worth in dollars"
        inputMode="decimal"
        placeholder="0.00"
        hint="What the shop pays for given credits; creators earn by it. More than $50 in 24 hours wait too."
        error={errors.worth?.message}
        {...register('worth', {
          validate: (text) => text === '' || DOLLARS.test(text) || 'An amount such as 4.50',
        })}
      />
      <Input
        label="Makes good"
        hint="The id of their lot or purchase. Only credits that make something good are worth anything."
        error={errors.makesGood?.message}
        {...register('makesGood', {
          validate: (text, { worth }) =>
            text.trim() !== '' || !(Number(worth) > 0) || 'Which lot or purchase does it make good?',
        })}
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
    onError: (error) => {
      const title = isAnswer(error) ? 'Nothing was booked' : 'It is not known yet whether it was booked';
      toast({ title, description: messageOf(error), tone: 'danger' });
    },
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

/** Credits with a value name what they compensate. */
function Worth({ item }: { item: Adjustment }) {
  return (
    <>
      <span className="whitespace-nowrap">{formatMicroUsd(item.valueMicroUsd)}</span>
      {item.makesGood && (
        <span className="block break-all text-sm text-faint">makes good {item.makesGood}</span>
      )}
    </>
  );
}

/** Credits given and taken by hand; large amounts need two people. */
export function CreditsPage() {
  const adminId = useSession().user?.id;
  const query = useQuery(adjustmentsQuery);
  return (
    <div className="admin-columns">
      <AdjustForm />
      <section aria-labelledby="adjustments-title" className="min-w-0">
        <h2 id="adjustments-title" className="mb-4 text-lg font-semibold">
          Adjustments
        </h2>
        <List
          query={query}
          label="Adjustments, those that wait for a second person first"
          empty="Nothing was adjusted"
          columns={['User', 'Credits', 'Worth', 'Reason', 'Requested', 'Status', 'Decision']}
          row={(item) => (
            <tr key={item.id}>
              <th scope="row" className="font-semibold">
                {item.userName}
              </th>
              <Cell label="Credits">
                <b className={item.credits < 0 ? 'text-danger' : 'text-ok'}>{formatDelta(item.credits)}</b>
              </Cell>
              <Cell label="Worth">
                <Worth item={item} />
              </Cell>
              <Cell label="Reason">{item.reason}</Cell>
              <Cell label="Requested">
                {formatDay(item.requestedAt)}, {formatTime(item.requestedAt)}
                {` by ${item.requestedBy === adminId ? 'you' : item.requestedByName}`}
              </Cell>
              <Cell label="Status">
                <Badge tone={TONES[item.status]}>{item.status}</Badge>
                {item.decidedByName && <span className="ml-2 text-sm">by {item.decidedByName}</span>}
              </Cell>
              <td>
                <Verdict item={item} adminId={adminId} />
              </td>
            </tr>
          )}
        />
      </section>
    </div>
  );
}
