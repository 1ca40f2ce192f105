import { query } from '../api/api.js';
import { queryClient } from '../api/query-client.js';
import { paths } from '../paths.js';
import { askToSignIn, type Intent, type DownloadPlace } from '../session/after-sign-in.js';
import { showAlert } from '../ui/overlays/alerts.js';
import { countOf, formatDay, listed } from '../ui/format.js';
import { toast } from '../ui/overlays/toast.js';

export type Go = (path: string) => void;

/** Asks the visitor to sign in. @param intent an action that continues after sign-in */
export const signInToDownload = (place: DownloadPlace, intent?: Intent): void =>
  askToSignIn(
    place === 'editor' ? 'Please sign in to download.' : 'Please sign in to download tracks.',
    intent,
  );

export function notifyUnavailable(place: DownloadPlace): void {
  if (place === 'pack') void showAlert({ title: 'Download not available' });
  else if (place === 'library') void showAlert({ title: 'No download URL' });
  else void showAlert({ title: 'Download Unavailable', message: 'This download is not available.' });
}

/**
 * Reports missing credits, and offers top-ups.
 * @param nextBillingDate null without an active plan; absent if the function must ask the server
 */
export async function notifyInsufficient(balanceCredits: number, go: Go, nextBillingDate?: string | null) {
  const date = nextBillingDate === undefined ? await nextBilling() : nextBillingDate;
  const rest = date
    ? `Your next billing date is ${formatDay(date)}.`
    : 'Go to Settings to subscribe and get more credits.';
  // If the code of the top-ups cannot be loaded, for example offline, the alert appears without them.
  const offer = await import('../plans/top-up-offer.js').catch(() => null);
  void showAlert({
    title: 'Insufficient Credits',
    message: `You have ${balanceCredits} credits remaining. ${rest}`,
    action: { label: 'Go to Settings', onPress: () => go(paths.credits) },
    ...(offer && { More: offer.default }),
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

/** Names samples that are no longer on sale. @param rest downloads the others; absent if there are no others */
export function notifyMissing(titles: readonly string[], rest?: () => void): void {
  const [is, it] = titles.length === 1 ? ['is', 'it'] : ['are', 'them'];
  void showAlert({
    title: 'Not all of it can be downloaded',
    message: `${listed(titles)} ${is} not on sale any more. Nothing was charged.`,
    ...(rest && { action: { label: `Continue without ${it}`, onPress: rest } }),
  });
}

export function notifyChangedPrice(title: string, costCredits: number): void {
  const description = `${title} now costs ${countOf(costCredits, 'credit')}. Nothing was charged.`;
  toast({ title: 'Not bought', description, tone: 'danger' });
}
