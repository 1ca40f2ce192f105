import { query } from '../api/api.js';
import { queryClient } from '../api/query-client.js';
import { paths } from '../paths.js';
import { type Intent, signInFor, type DownloadPlace } from '../session/after-sign-in.js';
import { openSignIn } from '../session/sign-in-request.js';
import { showAlert } from '../ui/overlays/alerts.js';
import { countOf, formatDay } from '../ui/format.js';
import { dismissToast, toast } from '../ui/overlays/toast.js';
import type { Delivery } from './deliver.js';

export type Go = (path: string) => void;

/** @param intent an action to continue after sign-in */
export function askToSignIn(place: DownloadPlace, intent?: Intent): void {
  toast({
    title: 'Sign in required',
    description: place === 'editor' ? 'Please sign in to download.' : 'Please sign in to download tracks.',
    tone: 'info',
    action: { label: 'Sign in', onPress: () => (intent ? signInFor(intent) : openSignIn()) },
  });
}

export function notifyUnavailable(place: DownloadPlace): void {
  if (place === 'pack') void showAlert({ title: 'Download not available' });
  else if (place === 'library') void showAlert({ title: 'No download URL' });
  else void showAlert({ title: 'Download Unavailable', message: 'This download is not available.' });
}

/** Reports missing credits, with the next billing date of an active plan or a link to the plans. */
export async function notifyInsufficient(balanceCredits: number, go: Go, nextBillingDate?: string | null) {
  const date = nextBillingDate === undefined ? await nextBilling() : nextBillingDate;
  const rest = date
    ? `Your next billing date is ${formatDay(date)}.`
    : 'Go to Settings to subscribe and get more credits.';
  void showAlert({
    title: 'Insufficient Credits',
    message: `You have ${balanceCredits} credits remaining. ${rest}`,
    action: { label: 'Go to Settings', onPress: () => go(paths.credits) },
  });
}

async function nextBilling(): Promise<string | null> {
  const plan = await queryClient.fetchQuery(query('GET /api/subscription')).catch(() => null);
  return plan?.status === 'active' ? plan.currentPeriodEnd : null;
}

const failedPurchase = (place: DownloadPlace): string =>
  place === 'swipe' || place === 'creator'
    ? 'Failed to purchase/download. Please try again.'
    : 'Failed to process purchase. Please try again.';

export function notifyFailedPurchase(place: DownloadPlace): void {
  void showAlert({ title: 'Error', message: failedPurchase(place) });
}

export function notifyUnknownPurchase(place: DownloadPlace, again: () => void): void {
  const message = `${failedPurchase(place)} We do not know yet whether you were charged. If you try again, you are charged only once.`;
  void showAlert({ title: 'Error', message, action: { label: 'Try again', onPress: again } });
}

export function notifyChangedPrice(title: string, costCredits: number): void {
  const description = `${title} now costs ${countOf(costCredits, 'credit')}. Nothing was charged.`;
  toast({ title: 'Not bought', description, tone: 'danger' });
}

/** @param again downloads the file again for free @returns false if the delivery failed */
export function notifyDelivery(outcome: Delivery, description: string, again: () => void): boolean {
  const action = { label: 'Try again', onPress: again };
  if (outcome === 'saved') toast({ title: 'Downloaded', description });
  else if (outcome === 'failed') {
    // Hides the toast that may still say that the file is on its way.
    dismissToast();
    void showAlert({ title: 'Download failed', message: 'Trying again is free.', action });
  } else
    toast({
      title: 'Handed to your browser',
      description: `${description} Your browser shows whether it arrived. Trying again is free.`,
      tone: 'info',
      action,
    });
  return outcome !== 'failed';
}
