import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query } from '../../api/api.js';
import type { User } from '../../../../application/accounts/contract.js';
import type { ConnectStatus } from '../../../../application/payouts/contract.js';
import { startOnboarding } from '../../api/creator.js';
import { showAlert } from '../../ui/overlays/alerts.js';
import { Button } from '../../ui/button.js';
import { Select } from '../../ui/forms/field.js';
import { formatDay } from '../../ui/format.js';

export interface OnboardingProps {
  user: User;
  leave: (url: string) => void;
}

const useOnboarding = ({ user, leave }: OnboardingProps, country?: string) =>
  useMutation({
    mutationFn: () => startOnboarding({ ...user, country }),
    onSuccess: leave,
    onError: ({ message }) => void showAlert({ title: 'Error', message }),
  });

const NAMES = new Intl.DisplayNames(['en'], { type: 'region' });
const nameOf = (code: string): string => NAMES.of(code) ?? code;

/** The form that starts payouts. The country is chosen once, before the account at Stripe is opened. */
export function Connect(leaving: OnboardingProps) {
  const { data } = useQuery(query('GET /api/stripe/connect/countries'));
  const [chosen, setChosen] = useState<string>();
  const [isMissing, setMissing] = useState(false);
  const { mutate, isPending, isSuccess } = useOnboarding(leaving, chosen);
  const busy = isPending || isSuccess;
  return (
    <div className="grid gap-3">
      {data && (
        <Select
          label="Country of your home and bank"
          error={isMissing && !chosen ? 'Choose your country first' : undefined}
          hint={
            !chosen || chosen === data.home
              ? 'It cannot be changed later. Stripe opens the account by the law of your country.'
              : 'It cannot be changed later. Stripe opens the account by the law of your country. Stripe pays you in the currency of your bank, once the smallest amount that it sends there has come together.'
          }
          value={chosen ?? ''}
          disabled={busy}
          options={data.items
            .map((code) => [code, nameOf(code)] as const)
            .sort(([, one], [, other]) => one.localeCompare(other))}
          onChange={(event) => setChosen(event.target.value)}
        >
          <option value="" disabled>
            Choose a country
          </option>
        </Select>
      )}
      <Button
        tone="primary"
        className="w-full"
        busy={busy}
        onClick={() => (chosen ? mutate() : setMissing(true))}
      >
        {busy ? 'Connecting...' : 'Connect with Stripe'}
      </Button>
    </div>
  );
}

/**
 * The requirements of Stripe that are still open, and a button that leads to Stripe. Renders nothing if payouts are
 * enabled and no requirement is open.
 */
export function Needs({ status, ...leaving }: OnboardingProps & { status: ConnectStatus }) {
  const { mutate } = useOnboarding(leaving);
  const { needs, neededBy, payoutsEnabled } = status;
  if (payoutsEnabled && needs.length === 0) return null;
  return (
    <div className="mt-3 grid gap-2">
      {needs.length > 0 && (
        <>
          <h3 className="text-sm text-muted">
            {neededBy ? `Stripe needs from you by ${formatDay(neededBy)}` : 'Stripe still needs from you'}
          </h3>
          <ul className="grid gap-1 text-sm">
            {needs.map(({ text, late, problem }) => (
              <li key={text} className={`border-l-3 pl-3 ${late ? 'border-danger' : 'border-line'}`}>
                {text}
                {problem && <span className="block text-muted">{problem}</span>}
                {late && <span className="block text-muted">Until it is there, nothing is paid.</span>}
              </li>
            ))}
          </ul>
        </>
      )}
      <Button tone="quiet" className="w-full" onClick={() => mutate()}>
        Finish the setup with Stripe
      </Button>
    </div>
  );
}
