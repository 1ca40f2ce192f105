/**
 * A person's words about a decision. The text is stored outside the log, so that it can be deleted. The event has its
 * id and its salted SHA-256, which proves the text while it exists.
 */
export interface Remark {
  remarkId: string;
  /** The hash of the salt and the text in hex. */
  remarkSha256: string;
}

/** The reason in an event. Empty if a remark has it; older events have the text itself. */
export type Reason = { reason: string } & Partial<Remark>;

export const remarkIn = ({ remarkId, remarkSha256 }: Partial<Remark>): Remark | undefined =>
  remarkId !== undefined && remarkSha256 !== undefined ? { remarkId, remarkSha256 } : undefined;

export const reasonIn = ({ reason, ...more }: Reason): Reason => ({ reason, ...remarkIn(more) });
