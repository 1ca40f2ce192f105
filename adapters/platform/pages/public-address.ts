/** The public origin, for links in mails, feeds and heads. */
export class PublicAddress {
  /** @param url without a slash at its end */
  constructor(readonly url: string) {}
}
