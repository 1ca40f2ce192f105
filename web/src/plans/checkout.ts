import type { Product } from '../../../application/subscriptions/contract.js';
import { CURRENT_CONSENT } from '../../../application/subscriptions/values.js';
import { planChanged } from '../api/changes.js';
import { apiOnce, pages, query } from '../api/api.js';
import { ApiProblem, messageOf } from '../api/transport/http.js';
import { queryClient } from '../api/query-client.js';
import { type CheckoutPlace, signInFor } from '../session/after-sign-in.js';
import { currentSession } from '../session/session.js';
import { keep, kept } from '../kept.js';
import { showAlert } from '../ui/overlays/alerts.js';
import { deviceNow } from '../clock.js';

const MEMORY = 'checkout-lots';

export interface Frame {
  framed: boolean;
  /** Opens an empty tab. Browsers block the tab unless it opens while a press is being handled. */
  openTab: () => Window | null;
  leaveTop: (url: string) => void;
  leave: (url: string) => void;
}

const browser: Frame = {
  get framed() {
    return window.self !== window.top;
  },
  openTab: () => window.open('', '_blank'),
  leaveTop: (url) => {
    if (window.top) window.top.location.href = url;
  },
  leave: (url) => window.location.assign(url),
};

/**
 * Opens an address from the server: in the top window if this page is in a frame, else in a new tab, or in this tab if
 * the browser blocks a new one. The tab opens before the request, while the browser still attributes it to the press.
 * @throws what `ask` throws, after closing the tab
 */
export async function openOutside(ask: () => Promise<{ url: string }>, frame: Frame = browser) {
  const tab = frame.framed ? null : frame.openTab();
  if (tab) tab.opener = null;
  try {
    const { url } = await ask();
    if (frame.framed) frame.leaveTop(url);
    else if (tab) tab.location.href = url;
    else frame.leave(url);
  } catch (error) {
    tab?.close();
    throw error;
  }
}

function rememberLots(): void {
  keep(MEMORY, queryClient.getQueryData(query('GET /api/credits').queryKey)?.lots.map(({ id }) => id) ?? []);
}

/** Ids of the lots that existed when the payment page opened; null if this browser stored no ids. */
export function lotsBeforeCheckout(): readonly string[] | null {
  const known = kept(MEMORY);
  return Array.isArray(known) ? known.filter((id): id is string => typeof id === 'string') : null;
}

const FAILURES = {
  settings: { title: 'Error creating checkout session', message: 'Nothing was charged. Please try again.' },
  prices: { title: 'Checkout Error', message: 'Unable to start checkout. Please try again.' },
} as const;

function sayWhyNot(error: unknown, place: CheckoutPlace): Promise<void> {
  const refused = error instanceof ApiProblem && error.status >= 400 && error.status < 500;
  if (refused && error.code === 'SubscriptionExists') {
    // The visitor has a plan that the screen does not show yet.
    planChanged();
    return showAlert({
      title: 'You have a plan already',
      message: 'Nothing was charged. The plan can be changed under Subscription & Credits in Settings.',
    });
  }
  return showAlert({ ...FAILURES[place], ...(refused && { message: messageOf(error) }) });
}

export interface GiftOrder {
  product: Product['id'];
  quantity: number;
  /** The e-mail address that gets the gift code, or `print` if only the payer gets it. */
  giftTo: string;
}

/** The gifts that the visitor bought, newest first. */
export const giftsQuery = pages('GET /api/gifts');

/** Opens the payment page of a gift, and resolves once it is open. @throws ApiProblem if the server refuses */
export async function buyGift(order: GiftOrder, frame?: Frame): Promise<void> {
  const body = { ...order, consent: CURRENT_CONSENT };
  const before = queryClient.getQueryData(giftsQuery.queryKey)?.pages[0]?.items[0]?.id;
  await openOutside(() => apiOnce('POST /api/checkout', { body }), frame);
  watchCheckout(async () => {
    const { pages: found } = await queryClient.fetchInfiniteQuery({ ...giftsQuery, staleTime: 0 });
    return found[0]?.items[0]?.id !== before;
  });
}

const isTopUp = (product: Product['id']): boolean => product.startsWith('top-up');

/** Opens the payment page of a plan or a top-up. Asks a guest to sign in first. */
export async function buy(product: Product['id'], place: CheckoutPlace, frame?: Frame): Promise<void> {
  const { user } = currentSession();
  if (!user) {
    await showAlert({
      title: 'Sign In Required',
      message: isTopUp(product) ? 'Please sign in to buy credits' : 'Please sign in to subscribe to a plan',
      action: { label: 'Sign in', onPress: () => signInFor({ kind: 'buy', product, place }) },
    });
    return;
  }
  const ask = () => apiOnce('POST /api/checkout', { body: { product, consent: CURRENT_CONSENT } });
  rememberLots();
  try {
    await openOutside(ask, frame);
    watchCheckout(isTopUp(product) ? hasNewLot : hasPlan);
  } catch (error) {
    await sayWhyNot(error, place);
  }
}

const LOOK_MS = 5_000;
const SLOW_AFTER_MS = 3 * 60_000;
const SLOW_LOOK_MS = 30_000;
/** Polling ends after this time, which is longer than any payment takes. */
const GIVE_UP_MS = 30 * 60_000;

let stop = (): void => undefined;

async function hasPlan(): Promise<boolean> {
  return (
    (await queryClient.fetchQuery({ ...query('GET /api/subscription'), staleTime: 0 })).status === 'active'
  );
}

async function hasNewLot(): Promise<boolean> {
  const before = lotsBeforeCheckout() ?? [];
  const { lots } = await queryClient.fetchQuery({ ...query('GET /api/credits'), staleTime: 0 });
  return lots.some(({ id, source }) => source === 'top_up' && !before.includes(id));
}

/**
 * Polls until the payment arrives, because the page to which the payment provider sends the payer back may never
 * load.
 */
function watchCheckout(hasArrived: () => Promise<boolean>): void {
  stop();
  const user = currentSession().user?.id;
  const began = deviceNow();
  let timer: ReturnType<typeof setTimeout>;
  const later = (): void => {
    timer = setTimeout(() => void look(), deviceNow() - began > SLOW_AFTER_MS ? SLOW_LOOK_MS : LOOK_MS);
  };
  const look = async (): Promise<void> => {
    clearTimeout(timer);
    if (currentSession().user?.id !== user || deviceNow() - began > GIVE_UP_MS) return stop();
    if (!(await hasArrived().catch(() => false))) return later();
    stop();
    planChanged();
  };
  const lookNow = (): void => {
    if (!document.hidden) void look();
  };
  document.addEventListener('visibilitychange', lookNow);
  window.addEventListener('focus', lookNow);
  stop = () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', lookNow);
    window.removeEventListener('focus', lookNow);
    stop = () => undefined;
  };
  later();
}
