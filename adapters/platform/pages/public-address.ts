/** The public origin, for links in mails, feeds and heads. */
export class PublicAddress {
  /** @param url without a trailing slash */
  constructor(readonly url: string) {}
}
