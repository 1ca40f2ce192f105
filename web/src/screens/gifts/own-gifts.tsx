import { Printer } from 'lucide-react';
import type { Gift } from '../../../../application/subscriptions/contract.js';
import { paths } from '../../paths.js';
import { Badge } from '../../ui/badge.js';
import { ButtonLink } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy-button.js';
import { formatDay } from '../../ui/format.js';
import { Section } from '../../ui/section.js';

const STATES = {
  open: { tone: 'info', label: 'Not redeemed' },
  frozen: { tone: 'warn', label: 'Frozen' },
  redeemed: { tone: 'ok', label: 'Redeemed' },
  expired: { tone: 'neutral', label: 'Expired' },
  withdrawn: { tone: 'danger', label: 'Refunded' },
} as const;

function explain({ state, credits, email, expiresAt, endedAt }: Gift): string {
  const day = endedAt ? formatDay(endedAt) : '';
  switch (state) {
    case 'open':
      return `${email ? `Mailed to ${email}. ` : ''}The code is valid until ${formatDay(expiresAt)}. If it is not used by then, you get the credits.`;
    case 'frozen':
      return 'A bank is deciding about your payment. Until then the code cannot be redeemed.';
    case 'redeemed':
      return `${email ? `Mailed to ${email}. ` : ''}Redeemed on ${day}.`;
    case 'expired':
      return `The code was not used. You got its ${credits} credits on ${day}.`;
    case 'withdrawn':
      return 'The payment went back to you, so the code is worth nothing.';
  }
}

/** The gifts that the visitor bought, newest first. */
export function OwnGifts({ gifts }: { gifts: readonly Gift[] }) {
  return (
    <Section title="Gifts you bought" heading="display text-3xl" className="mt-12">
      {gifts.length === 0 ? (
        <p className="mt-2 text-muted">None yet. Their codes and states will be listed here.</p>
      ) : (
        <ul className="mt-4 grid gap-2">
          {gifts.map((gift) => (
            <li key={gift.id} className="panel flex flex-wrap items-center gap-x-5 gap-y-3 p-4">
              <div className="min-w-0 flex-1 basis-72">
                <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
                  <b className="font-semibold">{gift.name}</b>
                  <Badge tone={STATES[gift.state].tone}>{STATES[gift.state].label}</Badge>
                </p>
                {gift.code && (
                  <p className="mt-1 text-md wrap-anywhere" translate="no">
                    {gift.code}
                  </p>
                )}
                <p className="mt-1 text-muted wrap-anywhere">{explain(gift)}</p>
              </div>
              {gift.state === 'open' && gift.code && (
                <div className="flex flex-wrap gap-3">
                  <CopyButton text={gift.code} aria-label={`Copy the code of ${gift.name}`} />
                  <ButtonLink to={`${paths.gifts}?card=${gift.id}`} aria-label={`Print ${gift.name}`}>
                    <Printer size={16} /> Print
                  </ButtonLink>
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
