import { useMutation, useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { NAME_MAX_LENGTH } from '../../../../application/subscriptions/values.js';
import type { FormBody } from '../../api/check-body.js';
import { mutation, query } from '../../api/api.js';
import { useSession } from '../../session/session.js';
import { PageTitle } from '../../shell/page-frame.js';
import { Button } from '../../ui/button.js';
import { Input } from '../../ui/forms/field.js';
import { useBodyForm } from '../../ui/forms/use-body-form.js';
import { formatDay } from '../../ui/format.js';
import { Problem } from '../../ui/states.js';

type Declaration = FormBody<'POST /api/withdrawals'>;

const timeOf = (time: string): string =>
  new Date(time).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'medium' });

/** Lists the contracts of a signed-in visitor. Choosing one fills its order number into the form. */
function OwnContracts({ onChoose }: { onChoose: (orderNumber: string) => void }) {
  const { data } = useQuery(query('GET /api/me/contracts'));
  if (!data || data.items.length === 0) return null;
  return (
    <section aria-labelledby="own-contracts" className="mb-8">
      <h2 id="own-contracts" className="display text-3xl">
        Your contracts
      </h2>
      <ul className="mt-3 grid gap-2">
        {data.items.map(({ orderNumber, sold, paidAt, withdrawUntil, withdrawnAt }) => (
          <li key={orderNumber} className="panel flex flex-wrap items-center gap-x-5 gap-y-2 p-4">
            <p className="min-w-0 flex-1 basis-60 wrap-anywhere">
              <b className="font-semibold">{sold.join(' and ') || orderNumber}</b>
              {sold.length > 0 && <span className="block text-muted">{orderNumber}</span>}
              <span className="block text-muted">
                {withdrawnAt
                  ? `Withdrawn on ${formatDay(withdrawnAt)}`
                  : `Paid on ${formatDay(paidAt)}. You can withdraw until ${timeOf(withdrawUntil)}.`}
              </span>
            </p>
            {!withdrawnAt && (
              <Button aria-label={`Choose the contract ${orderNumber}`} onClick={() => onChoose(orderNumber)}>
                Choose
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Moves the focus to the heading of a new step, so that screen readers announce it. */
function useFocus(step: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(step);
  useEffect(() => {
    if (before.current !== step) heading.current?.focus();
    before.current = step;
  }, [step]);
  return heading;
}

function Review({
  declared,
  onBack,
  onDone,
}: {
  declared: Declaration;
  onBack: () => void;
  onDone: (at: string) => void;
}) {
  const { mutate, isPending, error } = useMutation({
    ...mutation('POST /api/withdrawals'),
    onSuccess: ({ receivedAt }) => onDone(receivedAt),
  });
  return (
    <div className="panel p-5 md:p-7">
      <p>I, {declared.name}, withdraw from the contract with the order number</p>
      <p className="my-3 text-lg font-semibold wrap-anywhere">{declared.orderNumber}</p>
      <p>Send the confirmation to {declared.email}.</p>
      {error && <Problem of={error} className="mt-4" />}
      <div className="mt-6 flex flex-wrap gap-3">
        <Button tone="primary" busy={isPending} onClick={() => mutate({ body: declared })}>
          Confirm withdrawal
        </Button>
        <Button disabled={isPending} onClick={onBack}>
          Change
        </Button>
      </div>
    </div>
  );
}

const HEADINGS = {
  form: 'Withdraw from contract',
  review: 'Confirm withdrawal',
  done: 'Withdrawal received',
};

/** The page to withdraw from a contract, as Directive (EU) 2023/2673 requires. It needs no account. */
export default function WithdrawScreen() {
  const { user } = useSession();
  const [search] = useSearchParams();
  const [declared, setDeclared] = useState<Declaration | null>(null);
  const [receivedAt, setReceivedAt] = useState<string | null>(null);
  const { field, formProps, setValue, setFocus, getValues } = useBodyForm('POST /api/withdrawals', {
    defaultValues: { name: '', orderNumber: search.get('order') ?? '', email: '' },
  });
  const email = user?.email;
  useEffect(() => {
    if (email && !getValues('email')) setValue('email', email);
  }, [email, getValues, setValue]);
  const step = receivedAt ? 'done' : declared ? 'review' : 'form';
  const heading = useFocus(step);
  const choose = (orderNumber: string) => {
    setValue('orderNumber', orderNumber);
    setFocus('name');
  };
  return (
    <div className="gutter mx-auto max-w-190 py-12">
      <PageTitle />
      <h1 ref={heading} tabIndex={-1} className="display mb-6 text-6xl outline-none md:text-8xl">
        {HEADINGS[step]}
      </h1>
      {step === 'done' && (
        <div role="status" className="border-l-3 border-ok pl-4">
          <p>We received your withdrawal on {timeOf(receivedAt ?? '')}.</p>
          <p className="mt-3">
            If order number and address belong together, the confirmation with the outcome is on its way to{' '}
            {declared?.email}. If no mail arrives within some minutes, compare the order number with your
            receipt and try again.
          </p>
        </div>
      )}
      {step === 'review' && declared && (
        <Review declared={declared} onBack={() => setDeclared(null)} onDone={setReceivedAt} />
      )}
      {step === 'form' && (
        <>
          <p className="mb-8 max-w-[68ch] text-muted">
            You can withdraw from a plan within 14 days after each payment, without giving a reason. We refund
            its unspent credits to the card that paid, and the plan ends. Credits that you spent on downloads
            are not refunded.
          </p>
          {user && <OwnContracts onChoose={choose} />}
          <form
            {...formProps(async (body) => setDeclared(body))}
            aria-label="Withdrawal"
            className="panel grid gap-5 p-5 md:p-7"
          >
            <Input
              label="Your name"
              autoComplete="name"
              required
              maxLength={NAME_MAX_LENGTH}
              {...field('name')}
            />
            <Input
              label="Order number"
              required
              hint="It is in the receipt that we mailed you, and begins with in_."
              {...field('orderNumber')}
            />
            <Input
              label="E-mail address of your account"
              type="email"
              autoComplete="email"
              required
              hint="We send the confirmation there."
              {...field('email')}
            />
            <Button type="submit" tone="primary" className="justify-self-start">
              Continue
            </Button>
          </form>
        </>
      )}
    </div>
  );
}
