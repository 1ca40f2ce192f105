/** The address that explains an id, or the event at a position. @param line of a payout's statement, from 1 */
export const explained = (id: string | number, line?: number): string =>
  `/finance/trace/${encodeURIComponent(id)}${line === undefined ? '' : `?line=${line}`}`;
