/** The month (UTC) of a line of the journal; formatted once a month, not once a line. */
export const MONTH = `date_trunc('month', at at time zone 'UTC')`;

/** Every month from the first to that of `now`, by UTC; none without a first. */
export function monthsFrom(first: string | undefined, now: Date): string[] {
  const months: string[] = [];
  if (first === undefined) return months;
  const last = now.toISOString().slice(0, 7);
  const at = new Date(`${first}-01T00:00:00Z`);
  for (let month = first; month <= last;) {
    months.push(month);
    at.setUTCMonth(at.getUTCMonth() + 1);
    month = at.toISOString().slice(0, 7);
  }
  return months;
}
