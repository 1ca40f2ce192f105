/** How far the server's business calendar is ahead of this device's clock. */
let aheadMs = 0;

/**
 * Learns the calendar from an answer of the server.
 * @param stated its header `Business-Time`; null if something else answered
 * @param askedAtMs when the device asked
 */
export function learnBusinessTime(stated: string | null, askedAtMs: number): void {
  const serverMs = Date.parse(stated ?? '');
  if (!Number.isNaN(serverMs)) aheadMs = serverMs - askedAtMs;
}

/** Now by the business calendar, which dates sales, months, holds, requests and deadlines. */
export const businessNow = (): number => deviceNow() + aheadMs;

/** Now by this device's clock: for waits, and for times that the server takes from the wall clock, as of sessions. */
export const deviceNow = (): number => Date.now();
