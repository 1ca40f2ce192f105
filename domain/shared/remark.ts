/**
 * What somebody said about a decision. The text is kept beside the log, so that it can be forgotten; the event names it
 * and proves it by its salted SHA-256 for as long as it is there.
 */
export interface Remark {
  remarkId: string;
  /** Of the salt and the text, hex. */
  remarkSha256: string;
}

/** A reason in an event: empty where it is in a remark, and the text itself in events from before there were remarks. */
export type Reason = { reason: string } & Partial<Remark>;

/** The remark of what may have none. */
export const remarkIn = ({ remarkId, remarkSha256 }: Partial<Remark>): Remark | undefined =>
  remarkId !== undefined && remarkSha256 !== undefined ? { remarkId, remarkSha256 } : undefined;

/** Only the reason of what may have more to it. */
export const reasonIn = ({ reason, ...more }: Reason): Reason => ({ reason, ...remarkIn(more) });
