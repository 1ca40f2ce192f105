/** The server's business time minus the time of this device. The payment simulator can move business time. */
let aheadMs = 0;

/** @param stated the header `Business-Time`, if the server sent it @param askedAtMs device time of the request */
export function learnBusinessTime(stated: string | null, askedAtMs: number): void {
  const serverMs = Date.parse(stated ?? '');
  if (!Number.isNaN(serverMs)) aheadMs = serverMs - askedAtMs;
}

/** The current business time of the server, for the dates of sales, months, holds, requests and deadlines. */
export const businessNow = (): number => deviceNow() + aheadMs;

/** The current device time, for waits and for server times that follow the wall clock, such as those of sessions. */
export const deviceNow = (): number => Date.now();
