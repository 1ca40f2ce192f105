import { query } from '../api/api.js';
import { deviceNow } from '../clock.js';
import { planChanged } from '../api/changes.js';
import { queryClient } from '../api/query-client.js';
import { currentSession } from '../session/session.js';

export const LOOK_MS = 5_000;
const SLOW_AFTER_MS = 3 * 60_000;
const SLOW_LOOK_MS = 30_000;
/** Longer than any payment takes. */
const GIVE_UP_MS = 30 * 60_000;

let stop = (): void => undefined;

/**
 * Polls until the plan that the visitor is paying for in another tab runs, then announces it on any page. The page
 * that the payment leads back to may never load.
 */
export function watchCheckout(): void {
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
    const answer = await queryClient
      .fetchQuery({ ...query('GET /api/subscription'), staleTime: 0 })
      .catch(() => null);
    if (answer?.status !== 'active') return later();
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
