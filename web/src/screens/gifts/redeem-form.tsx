import { useMutation } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { useLocation } from 'react-router-dom';
import { apiOnce, problemOf } from '../../api/api.js';
import { planChanged } from '../../api/changes.js';
import { paths } from '../../paths.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { Input } from '../../ui/forms/field.js';
import { useBodyForm } from '../../ui/forms/use-body-form.js';
import { countOf } from '../../ui/format.js';
import { Section } from '../../ui/section.js';
import { Problem } from '../../ui/states.js';

/** Says what a visitor can do about a refused code. Undefined for every other failure. */
function refusalOf(error: unknown): string | undefined {
  const problem = problemOf('POST /api/gifts/redeem', error);
  switch (problem?.code) {
    case 'GiftUnknown':
      return 'No gift has this code. Compare it with the mail or the card, letter by letter.';
    case 'GiftRedeemed':
      return problem.own
        ? 'You redeemed this code before. Its credits came into your balance then.'
        : 'This code was redeemed before. Every code counts once; ask the person who gave it to you.';
    case 'GiftExpired':
      return 'This code has expired. Its credits went back to the person who bought it, who can send them again as a new gift.';
    case 'GiftFrozen':
      return 'A bank is deciding about the payment for this gift. Keep the code, and try again when that is over.';
    case 'GiftWithdrawn':
      return 'The payment for this gift went back to the person who bought it, so the code is worth nothing.';
    default:
      return undefined;
  }
}

/** Redeems a gift code. The visitor types it, or the form takes it from the mailed link, where it follows the `#`. */
export function RedeemForm() {
  const { hash } = useLocation();
  const { mutateAsync, data, error } = useMutation({
    mutationFn: (body: { code: string }) => apiOnce('POST /api/gifts/redeem', { body }),
    onSuccess: planChanged,
  });
  const { field, formProps, formState } = useBodyForm('POST /api/gifts/redeem', {
    defaultValues: { code: hash.slice(1) },
  });
  const refusal = refusalOf(error);
  return (
    <Section title="Redeem a code" heading="display text-3xl" className="panel p-5">
      {data ? (
        <div role="status" className="mt-3">
          <p className="flex items-center gap-2.5 font-semibold">
            <CircleCheck size={18} className="text-ok" />
            {countOf(data.credits, 'credit')} arrived
          </p>
          <p className="mt-1 mb-5 text-muted">
            Your balance is {countOf(data.balance, 'credit')}. They never expire.
          </p>
          <ButtonLink to={paths.sounds} tone="primary">
            Find sounds
          </ButtonLink>
        </div>
      ) : (
        <form
          {...formProps((body) => mutateAsync(body).catch(() => undefined))}
          aria-label="Redeem a code"
          className="mt-3 grid gap-4"
        >
          <Input
            label="Code"
            required
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            hint="26 letters and digits. Hyphens and case do not matter."
            {...field('code')}
          />
          {refusal ? (
            <p role="alert" className="border-l-3 border-l-danger pl-3">
              {refusal}
            </p>
          ) : (
            error && <Problem of={error} />
          )}
          <Button type="submit" tone="primary" busy={formState.isSubmitting} className="justify-self-start">
            Redeem
          </Button>
        </form>
      )}
    </Section>
  );
}
