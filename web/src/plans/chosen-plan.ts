import type { Plan } from '../../../application/subscriptions/contract.js';
import { currentSession, onSessionEvent } from '../session/session.js';
import { onSignInClosed, openSignIn } from '../session/sign-in-request.js';

/** The texts of a failure: the price list has one, Settings another. */
export type CheckoutPlace = 'prices' | 'settings';

export interface ChosenPlan {
  plan: Plan['id'];
  place: CheckoutPlace;
}

const MEMORY = 'chosen-plan';
/** A mail is opened within this, or the choice is an old one. */
const MAIL_WITHIN_MS = 60 * 60_000;

function write(storage: () => Storage, value: string | null): void {
  try {
    if (value === null) storage().removeItem(MEMORY);
    else storage().setItem(MEMORY, value);
  } catch {
    // Without storage the plan is chosen again.
  }
}

function read(storage: () => Storage): (ChosenPlan & { until?: number }) | null {
  try {
    return JSON.parse(storage().getItem(MEMORY) ?? 'null') as ReturnType<typeof read>;
  } catch {
    return null;
  }
}

// This tab's: leaving for Google and coming back keeps it, another tab does not have it.
const here = () => sessionStorage;
const everywhere = () => localStorage;

/** Asks to sign in, and carries on to the checkout of this plan afterwards. */
export function chooseAfterSignIn(chosen: ChosenPlan): void {
  write(here, JSON.stringify(chosen));
  openSignIn();
}

/** The account exists, its address has to be confirmed first: the link in the mail opens another tab. */
export function keepChosenPlanForMail(): void {
  const chosen = read(here);
  if (!chosen) return;
  write(everywhere, JSON.stringify({ ...chosen, until: Date.now() + MAIL_WITHIN_MS }));
  write(here, null);
}

function take(): ChosenPlan | null {
  const mailed = read(everywhere);
  const chosen = read(here) ?? ((mailed?.until ?? 0) > Date.now() ? mailed : null);
  write(here, null);
  write(everywhere, null);
  return chosen;
}

/** Carries on with a plan that was chosen before signing in; the returned function ends that. */
export function carryOnAfterSignIn(checkOut: (chosen: ChosenPlan) => void): () => void {
  const deafToSession = onSessionEvent((event) => {
    if ((event !== 'signed-in' && event !== 'initial-session') || !currentSession().user) return;
    const chosen = take();
    if (chosen) checkOut(chosen);
  });
  // The dialog was closed without signing in: a later sign-in for another reason must not start a payment.
  const deafToDialog = onSignInClosed(() => {
    if (!currentSession().user) write(here, null);
  });
  return () => {
    deafToSession();
    deafToDialog();
  };
}
