import type { Reason, Remark } from '../../domain/shared/remark.js';

/** Texts about decisions, stored outside the log. A text is deleted once any user that it concerns is erased. */
export abstract class Remarks {
  /**
   * Stores a text before the event that names it is recorded. A text that no event names is removed after a day.
   * @param of.stream the stream of that event; if absent, the text stays, because the sweep cannot search all streams
   * @param of.about ids of the users whom the text may concern
   */
  abstract keep(text: string, of: { stream?: string; about: readonly string[] }): Promise<Remark>;
  /** Returns texts by remark id, without deleted ones. */
  abstract read(remarkIds: readonly string[]): Promise<Map<string, string>>;
  /** Removes texts that no event names. Returns their number. */
  abstract sweep(): Promise<number>;
}

/** Returns the text of a reason, or an empty text if it was deleted. */
export async function textOf(remarks: Remarks, { reason, remarkId }: Reason): Promise<string> {
  return remarkId === undefined ? reason : ((await remarks.read([remarkId])).get(remarkId) ?? '');
}
