/** Screens to which search results and explanations link. */
const at = (...segments: (string | number)[]): string =>
  `/finance/${segments.map((segment) => encodeURIComponent(segment)).join('/')}`;

export const explained = (id: string | number): string => at('trace', id);
export const explainedLine = (withdrawalId: string, line: number): string =>
  `${explained(withdrawalId)}?line=${line}`;
export const creatorPlace = (creatorId: string): string => at('creators', creatorId);
export const userPlace = (userId: string): string => at('proof', userId);
export const accountPlace = (account: string): string => at('accounts', account);
export const eventsFrom = (from: string | number): string => `/finance/events?from=${from}`;

const day = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
/** "6 Dec 2025", by UTC. */
export const dayOf = (time: Date): string => day.format(time);
