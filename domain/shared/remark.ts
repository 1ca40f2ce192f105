/**
 * A person's words about a decision. The text is stored outside the log, so that it can be deleted. The event has the
 * id of the text and its salted SHA-256, which proves that the text was not changed.
 */
export interface Remark {
  remarkId: string;
  /** The hash of the salt and the text in hex. */
  remarkSha256: string;
}

/** The reason in an event. `reason` is empty if a remark has the text; older events contain the text. */
export type Reason = { reason: string } & Partial<Remark>;

export const remarkIn = ({ remarkId, remarkSha256 }: Partial<Remark>): Remark | undefined =>
  remarkId !== undefined && remarkSha256 !== undefined ? { remarkId, remarkSha256 } : undefined;

export const reasonIn = ({ reason, ...more }: Reason): Reason => ({ reason, ...remarkIn(more) });
