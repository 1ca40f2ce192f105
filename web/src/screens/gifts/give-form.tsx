import { useMutation } from '@tanstack/react-query';
import { clsx } from 'clsx';
import type { Product } from '../../../../application/subscriptions/contract.js';
import { buyGift, type GiftOrder } from '../../plans/checkout.js';
import { ConsentNote } from '../../plans/consent-note.js';
import { prepareCheckout, Measure, useTopUps } from '../../plans/top-ups.js';
import { Button } from '../../ui/button.js';
import { Input, Select } from '../../ui/forms/field.js';
import { useBodyForm } from '../../ui/forms/use-body-form.js';
import { formatUsdCents } from '../../ui/format.js';
import { Section } from '../../ui/section.js';
import { Problem, QueryFailure, Skeleton } from '../../ui/states.js';

const PRINT = 'print';

interface Fields {
  product: Product['id'];
  quantity: string;
  way: 'mail' | 'print';
  email: string;
}

const WAYS = [
  ['mail', 'We mail it to the receiver'],
  ['print', 'I print it or pass it on myself'],
] as const;

/** Chooses the credits of a gift and who gets its code, and opens the payment page. */
export function GiveForm() {
  const { answer, topUps } = useTopUps();
  const { mutateAsync, error } = useMutation({ mutationFn: (order: GiftOrder) => buyGift(order) });
  const { field, formProps, formState, register, watch } = useBodyForm<Fields, 'POST /api/checkout'>(
    'POST /api/checkout',
    {
      defaultValues: { product: 'top-up-50', quantity: '1', way: 'mail', email: '' },
      body: ({ product, quantity, way, email }) => ({
        product,
        quantity: Number(quantity),
        giftTo: way === 'mail' ? email : PRINT,
      }),
      check: ({ way, email }) =>
        way === 'mail' && !/^\S+@\S+\.\S+$/.test(email)
          ? { email: 'Enter the e-mail address of the receiver' }
          : {},
    },
  );
  const [product, quantity, way] = watch(['product', 'quantity', 'way']);
  const chosen = topUps?.find(({ id }) => id === product);
  const largest = Math.max(...(topUps ?? []).map(({ credits }) => credits));
  const count = Number(quantity);
  return (
    <Section title="Give credits" heading="display text-3xl" className="min-w-0">
      <p className="mt-1 max-w-[68ch] text-muted">
        You pay once, and the person with the code gets the credits, which never expire. If the code is not
        used in time, you get them.
      </p>
      <QueryFailure of={answer} title="The top-ups could not be loaded" className="mt-4" />
      {!answer.error && (
        <form
          {...formProps(({ product: id, quantity: many = 1, giftTo = PRINT }) =>
            mutateAsync({ product: id, quantity: many, giftTo }).catch(() => undefined),
          )}
          aria-label="Give credits"
          className="mt-4 grid gap-5"
          onPointerEnter={prepareCheckout}
        >
          <fieldset className="grid gap-3 md:grid-cols-3">
            <legend className="sr-only">How many credits</legend>
            {!topUps && [1, 2, 3].map((at) => <Skeleton key={at} className="h-40" />)}
            {topUps?.map((topUp) => (
              <label
                key={topUp.id}
                className={clsx(
                  'panel relative block cursor-pointer p-5 has-focus-visible:outline-2',
                  topUp.id === product && 'border-accent',
                )}
              >
                <input type="radio" value={topUp.id} className="sr-only" {...register('product')} />
                <span className="flex items-center justify-between gap-3">
                  <span className="display text-3xl">{topUp.name}</span>
                  {topUp.id === product && (
                    <span className="bg-accent px-2 py-1 text-xs leading-none font-semibold text-on-accent">
                      Chosen
                    </span>
                  )}
                </span>
                <Measure credits={topUp.credits} of={largest} className="mt-3" />
                <span className="display mt-3 block text-5xl">{formatUsdCents(topUp.priceUsdCents)}</span>
              </label>
            ))}
          </fieldset>
          <div className="grid gap-5 sm:grid-cols-2">
            <Select
              label="How many of them"
              options={Array.from(
                { length: chosen?.mostAtOnce ?? 1 },
                (_, at) => [at + 1, String(at + 1)] as const,
              )}
              {...field('quantity')}
            />
            <Select label="Who gets the code" options={WAYS} {...field('way')} />
          </div>
          {way === 'mail' && (
            <Input
              label="E-mail address of the receiver"
              type="email"
              autoComplete="off"
              required
              hint="We mail the code there when you have paid. You see it here as well."
              {...field('email')}
            />
          )}
          {error && <Problem of={error} />}
          <Button
            type="submit"
            tone="primary"
            size="large"
            busy={formState.isSubmitting}
            className="justify-self-start"
          >
            {chosen
              ? `Pay ${formatUsdCents(chosen.priceUsdCents * count)}${chosen.plusTax ? ' plus tax' : ''} for ${chosen.credits * count} credits`
              : 'Pay'}
          </Button>
        </form>
      )}
      <ConsentNote by="paying for the gift" className="mt-5" />
    </Section>
  );
}
