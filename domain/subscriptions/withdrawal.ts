import { accept, type Decider } from '../shared/decision.js';
import type { Remark } from '../shared/remark.js';

/** Withdraws from the contract of one invoice. A repeated withdrawal records nothing. */
export interface Withdraw extends Partial<Remark> {
  type: 'Withdraw';
  userId: string;
  invoiceId: string;
  paidAt: string;
  /** The invoice sold top-ups and no plan, so no plan ends. Absent in older events. */
  topUp?: true;
  now: string;
}

/** The remark holds the name that the person gave. */
export interface ContractWithdrawn {
  type: 'ContractWithdrawn';
  data: Omit<Withdraw, 'type' | 'now'> & { at: string };
}

export interface Withdrawal {
  at?: string;
}

/** Stream `contract-{invoiceId}`: whether its buyer withdrew from a contract. */
export const withdrawalDecider: Decider<Withdraw, Withdrawal, ContractWithdrawn, never> = {
  streamOf: (invoiceId) => `contract-${invoiceId}`,
  initialState: {},
  decide: ({ type: _, now: at, ...data }, state) =>
    state.at === undefined ? accept({ type: 'ContractWithdrawn', data: { ...data, at } }) : accept(),
  evolve: (_, { data: { at } }) => ({ at }),
};

/**
 * The texts by which a buyer consents that the right of withdrawal ends for what is downloaded. To change a text, add
 * a version.
 */
export const CONSENT_TEXTS = {
  '1': 'Deliver at once. I know that I lose my right of withdrawal for the credits that I spend on downloads. I can still get unspent credits refunded within 14 days.',
} as const;
export const CONSENT_VERSIONS = ['1'] as const satisfies (keyof typeof CONSENT_TEXTS)[];
/** The version of the consent that new buyers give. */
export const CURRENT_CONSENT: ConsentVersion = '1';
export type ConsentVersion = keyof typeof CONSENT_TEXTS;

export interface GiveConsent {
  type: 'GiveConsent';
  userId: string;
  version: ConsentVersion;
  /** The contracts that can still be withdrawn from; none at a checkout, which has no invoice yet. */
  invoiceIds: readonly string[];
  occasion: 'checkout' | 'download';
  now: string;
}

export interface WithdrawalConsentGiven {
  type: 'WithdrawalConsentGiven';
  data: Omit<GiveConsent, 'type' | 'now'> & { at: string };
}

/** Stream `withdrawal-consent-{userId}`. The state holds the ids of the invoices for which the user has consented. */
export const consentDecider: Decider<GiveConsent, ReadonlySet<string>, WithdrawalConsentGiven, never> = {
  streamOf: (userId) => `withdrawal-consent-${userId}`,
  initialState: new Set(),
  decide: ({ type: _, now: at, ...given }, consented) => {
    const invoiceIds = given.invoiceIds.filter((each) => !consented.has(each));
    if (given.occasion === 'download' && invoiceIds.length === 0) return accept();
    return accept({ type: 'WithdrawalConsentGiven', data: { ...given, invoiceIds, at } });
  },
  evolve: (consented, { data: { invoiceIds } }) => new Set([...consented, ...invoiceIds]),
};
