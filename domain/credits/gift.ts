import { accept, reject, type Decision } from '../shared/decision.js';
import { sumOf } from '../shared/micro-usd.js';
import type { CreditAccount, CreditEvent, GiftEnd, Grant } from './credit-account.js';

/** A code can be redeemed for a year. */
export const GIFT_VALID_DAYS = 365;

/** The account of a gift. No command spends its lots. */
export const giftAccountOf = (giftId: string): string => `gift-${giftId}`;

export const isGiftAccount = (userId: string): boolean => userId.startsWith(giftAccountOf(''));

export interface HandOverGift {
  giftId: string;
  /** Who gets the credits: for an expired gift, its payer. */
  to: string;
  why: GiftEnd;
  now: string;
}

export type GiftRejection =
  /** Another account redeemed it, it expired, or its payment went back. */
  | { code: 'GiftGone' }
  | { code: 'GiftExpired'; expiredAt: string }
  /** A bank decides about the payment. */
  | { code: 'GiftFrozen' }
  | { code: 'GiftNotExpired' };

/** What is known about a gift, beside the account that has its lots. */
export interface GiftFacts {
  /** The grants of its lots. */
  grants: readonly Grant[];
  /** The payer erased the account, so the code never expires: no one else can get the credits. */
  payerIsGone: boolean;
}

/**
 * Moves what is left of a gift to its new owner. The lot keeps its id, value, date and payment, so refunds and disputes
 * of the payer still concern it.
 * @param account the account of the gift
 */
export function handOverGift(
  { giftId, to, why, now }: HandOverGift,
  account: CreditAccount,
  { grants, payerIsGone }: GiftFacts,
): Decision<CreditEvent, GiftRejection> {
  if (account.lots.length === 0) return reject({ code: 'GiftGone' });
  const expiredAt = grants.flatMap(({ gift }) => gift?.expiresAt ?? []).sort()[0] ?? '';
  const isExpired = !payerIsGone && now >= expiredAt;
  if (why === 'expired' && !isExpired) return reject({ code: 'GiftNotExpired' });
  if (why === 'redeemed' && isExpired) return reject({ code: 'GiftExpired', expiredAt });
  if (account.lots.some(({ disputedBy }) => disputedBy)) return reject({ code: 'GiftFrozen' });
  const from = giftAccountOf(giftId);
  return accept(
    ...account.lots.flatMap(({ lotId, credits: granted, spentCredits }): CreditEvent[] => {
      const grant = grants.find((each) => each.lotId === lotId);
      if (!grant) throw new Error(`Impossible: lot ${lotId} of gift ${giftId} was never granted`);
      const move = { giftId, lotId, why, credits: granted - spentCredits };
      return [
        { type: 'GiftGiven', data: { userId: from, ...move, to } },
        { type: 'GiftReceived', data: { userId: to, ...move, from, spentCredits, grant } },
      ];
    }),
  );
}

/** Returns the credits that a gift handed over. */
export const creditsOf = (events: readonly CreditEvent[]): number =>
  sumOf(events.map(({ type, data }) => (type === 'GiftReceived' ? data.credits : 0)));
