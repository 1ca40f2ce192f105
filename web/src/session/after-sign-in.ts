import { deviceNow } from '../clock.js';
import type { CreatorRef, PackDetail, Sample } from '../../../application/catalogue/contract.js';
import type { Product } from '../../../application/subscriptions/contract.js';
import type { DawFormat } from '../../../application/purchases/values.js';
import type { Picked } from '../picks/picks.js';
import { keep, kept } from '../kept.js';
import { currentSession, onSessionEvent } from './session.js';
import { toast } from '../ui/overlays/toast.js';
import { onSignInClosed, openSignIn } from './sign-in-request.js';

export type DownloadPlace = 'list' | 'pack' | 'swipe' | 'creator' | 'library' | 'editor';

/** The place of a save button. In a list, a press removes a saved sample at once; a pack and the editor ask first. */
export type SavePlace = 'list' | 'pack' | 'editor';

/** The place of a checkout: failures have one text in the price list and another in Settings. */
export type CheckoutPlace = 'prices' | 'settings';

export type PackToSave = Pick<PackDetail, 'id' | 'title' | 'creator' | 'genre' | 'mood' | 'artworkUrl'>;

/** Samples to add to a collection: a single sample, the picked samples, or the samples of a pack. */
export interface Collectable {
  title: string;
  sampleIds: readonly string[];
}

/** A workbench, and the form in which it is exported. */
export interface WorkbenchExport {
  id: string;
  title: string;
  picked: readonly Picked[];
  format: DawFormat | 'zip';
  /** Whether the export also contains copies with tags, in addition to the original files. */
  tagged: boolean;
}

export type Intent =
  | { kind: 'buy'; product: Product['id']; place: CheckoutPlace }
  | { kind: 'save'; sample: Sample; place: SavePlace }
  | { kind: 'follow'; creator: Pick<CreatorRef, 'id' | 'handle' | 'displayName' | 'avatarUrl'> }
  | { kind: 'collect'; thing: Collectable }
  | { kind: 'copy-collection'; token: string }
  | { kind: 'save-pack'; pack: PackToSave }
  | { kind: 'download'; sample: Sample; place: DownloadPlace }
  | { kind: 'download-picked'; picked: readonly Picked[] }
  | { kind: 'export-workbench'; asked: WorkbenchExport }
  | { kind: 'download-pack'; creator: string; slug: string };

interface Kept {
  intent: Intent;
  /** The time in milliseconds since 1970 after which the action is forgotten. */
  until: number;
  page: string;
  email?: string;
}

const MEMORY = 'after-sign-in';
const KEPT_MS = 60 * 60_000;

function read(storage?: () => Storage): Kept | null {
  const before = kept(MEMORY, storage) as Kept | undefined;
  return before && before.until > deviceNow() ? before : null;
}

// This tab's storage keeps the action while the visitor is at Google, so that no other tab continues it.
const here = () => window.sessionStorage;

export function signInFor(intent: Intent): void {
  const { pathname, search } = window.location;
  keep(MEMORY, { intent, until: deviceNow() + KEPT_MS, page: pathname + search } satisfies Kept, here);
  openSignIn();
}

/**
 * Shows why an action needs an account, with a button to sign in.
 * @param intent the action to continue after the sign-in
 */
export function askToSignIn(why: string, intent?: Intent): void {
  const onPress = () => (intent ? signInFor(intent) : openSignIn());
  toast({ title: 'Sign in required', description: why, tone: 'info', action: { label: 'Sign in', onPress } });
}

/**
 * Moves the stored action from this tab to the whole browser, because the link in the confirmation mail opens another
 * tab.
 */
export function keepIntentForMail(email: string): void {
  const before = read(here);
  if (!before) return;
  keep(MEMORY, { ...before, email });
  keep(MEMORY, null, here);
}

export const pageOfMailedIntent = (): string | undefined => read()?.page;

function take(email: string): Intent | null {
  const mailed = read();
  const before = read(here) ?? (mailed?.email?.toLowerCase() === email.toLowerCase() ? mailed : null);
  keep(MEMORY, null, here);
  keep(MEMORY, null);
  return before?.intent ?? null;
}

export function carryOnAfterSignIn(carryOn: (intent: Intent) => void): () => void {
  const deafToSession = onSessionEvent((event) => {
    const { user } = currentSession();
    if (!user || (event !== 'signed-in' && event !== 'initial-session')) return;
    const intent = take(user.email);
    if (intent) carryOn(intent);
  });
  // Forgets the action when the visitor closes the dialog: a later sign-in for another reason must not start a payment.
  const deafToDialog = onSignInClosed(() => {
    if (!currentSession().user) keep(MEMORY, null, here);
  });
  return () => {
    deafToSession();
    deafToDialog();
  };
}
