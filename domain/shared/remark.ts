/**
 * What somebody said about a decision. The text is kept beside the log, so that it can be forgotten; the event names it
 * and proves it by its salted SHA-256 for as long as it is there.
 */
export interface Remark {
  remarkId: string;
  /** Of the salt and the text, hex. */
  remarkSha256: string;
}
