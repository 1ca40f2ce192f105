import { deviceNow } from '../clock.js';
import type { PackDetail, Sample } from '../../../application/catalogue/contract.js';
import type { Plan } from '../../../application/subscriptions/contract.js';
import type { DownloadPlace } from '../downloads/place.js';
import type { SavePlace } from '../samples/place.js';
import { currentSession, onSessionEvent } from './session.js';
import { onSignInClosed, openSignIn } from './sign-in-request.js';

/** The place of a checkout: failures have one text in the price list and another in Settings. */
export type CheckoutPlace = 'prices' | 'settings';

/** The parts of a pack that are needed to save it. */
export type PackToSave = Pick<PackDetail, 'id' | 'title' | 'creator' | 'genre' | 'mood' | 'artworkUrl'>;

/** An action that waits until the visitor has signed in. */
export type Intent =
  | { kind: 'plan'; plan: Plan['id']; place: CheckoutPlace }
  | { kind: 'save'; sample: Sample; place: SavePlace }
  | { kind: 'save-pack'; pack: PackToSave }
  | { kind: 'download'; sample: Sample; place: DownloadPlace }
  | { kind: 'download-pack'; creator: string; slug: string };

interface Kept {
  intent: Intent;
  /** Milliseconds since 1970. An older intent is ignored. */
  until: number;
  page: string;
  /** The address of the new account, while its confirmation is awaited. */
  email?: string;
}

const MEMORY = 'after-sign-in';
const KEPT_MS = 60 * 60_000;

function write(storage: () => Storage, kept: Kept | null): void {
  try {
    if (kept === null) storage().removeItem(MEMORY);
    else storage().setItem(MEMORY, JSON.stringify(kept));
  } catch {
    // Without storage the visitor repeats the action.
  }
}

function read(storage: () => Storage): Kept | null {
  try {
    const kept = JSON.parse(storage().getItem(MEMORY) ?? 'null') as Kept | null;
    return kept && kept.until > deviceNow() ? kept : null;
  } catch {
    return null;
  }
}

// The action belongs to this tab, which keeps it while the visitor is at Google.
const here = () => sessionStorage;
const everywhere = () => localStorage;

/** Asks the visitor to sign in, and continues the action afterwards. */
export function signInFor(intent: Intent): void {
  const { pathname, search } = window.location;
  write(here, { intent, until: deviceNow() + KEPT_MS, page: pathname + search });
  openSignIn();
}

/** Keeps the action until a new account's address is confirmed: the link in the mail opens another tab. */
export function keepIntentForMail(email: string): void {
  const kept = read(here);
  if (!kept) return;
  write(everywhere, { ...kept, email });
  write(here, null);
}

/** The page to return to after the confirmation of a new account's address. */
export const pageOfMailedIntent = (): string | undefined => read(everywhere)?.page;

function take(email: string): Intent | null {
  const mailed = read(everywhere);
  const kept = read(here) ?? (mailed?.email?.toLowerCase() === email.toLowerCase() ? mailed : null);
  write(here, null);
  write(everywhere, null);
  return kept?.intent ?? null;
}

/** Continues the action that asked the visitor to sign in, until the returned function is called. */
export function carryOnAfterSignIn(carryOn: (intent: Intent) => void): () => void {
  const deafToSession = onSessionEvent((event) => {
    const { user } = currentSession();
    if (!user || (event !== 'signed-in' && event !== 'initial-session')) return;
    const intent = take(user.email);
    if (intent) carryOn(intent);
  });
  // The visitor closed the dialog: a later sign-in for another reason must not start a payment.
  const deafToDialog = onSignInClosed(() => {
    if (!currentSession().user) write(here, null);
  });
  return () => {
    deafToSession();
    deafToDialog();
  };
}
