/** The month (UTC) of a line of the journal; formatted once a month, not once a line. */
export const MONTH = `date_trunc('month', at at time zone 'UTC')`;

/** The month that two people chose as the first of the books; null: the books begin with their first entry. */
export const FIRST_MONTH = `(select data->>'month' from readable_event where stream = 'books-begin' order by version desc limit 1)`;

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
