/** Where the site is found; written into what leaves it. */
export class PublicAddress {
  /** @param url without a slash at its end */
  constructor(readonly url: string) {}
}
