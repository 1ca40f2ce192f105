/** The public origin, for links in mails, feeds and the heads of pages. */
export class PublicAddress {
  constructor(readonly url: string) {}
}
