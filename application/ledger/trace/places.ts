const day = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
/** "6 Dec 2025", by UTC. */
export const dayOf = (time: Date): string => day.format(time);
