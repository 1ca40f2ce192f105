import type { Reason, Remark } from '../../domain/shared/remark.js';

/** What people say about decisions, beside the log: a text is forgotten with the people that it is about. */
export abstract class Remarks {
  /**
   * Keeps a text before the event that names it is recorded. What no event came to name is removed after a day.
   * @param of.stream where that event will be; absent: in one of several, and the text is kept in any case
   * @param of.about ids of the users whom the text may tell of
   */
  abstract keep(text: string, of: { stream?: string; about: readonly string[] }): Promise<Remark>;
  /** The texts by remark; forgotten ones are left out. */
  abstract read(remarkIds: readonly string[]): Promise<Map<string, string>>;
  /** Removes what no event names. @returns how many */
  abstract sweep(): Promise<number>;
}

/** A reason as people read it; empty once it was forgotten. */
export async function textOf(remarks: Remarks, { reason, remarkId }: Reason): Promise<string> {
  return remarkId === undefined ? reason : ((await remarks.read([remarkId])).get(remarkId) ?? '');
}
