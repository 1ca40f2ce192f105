/** The public origin, for links in mails, feeds and heads. */
export class PublicAddress {
  constructor(readonly url: string) {}
}
