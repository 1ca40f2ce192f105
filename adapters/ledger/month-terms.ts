/**
 * SQL for the month (UTC) of a journal line, as a timestamp. Formatting the month of every line as text would be
 * slow.
 */
export const MONTH = `date_trunc('month', at at time zone 'UTC')`;

/** The first month of the books, chosen by two people. Null if none was chosen: the first entry begins the books. */
export const FIRST_MONTH = `(select data->>'month' from readable_event where stream = 'books-begin' order by version desc limit 1)`;

/** Returns every month (UTC) from `first` to the month of `now`. Returns none if `first` is undefined. */
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
