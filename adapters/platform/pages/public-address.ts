import { mediaAddress } from '../../../application/media/values.js';

/** The public origin, for links in mails, feeds and the heads of pages. */
export class PublicAddress {
  constructor(
    readonly url: string,
    private readonly mediaBaseUrl = '',
  ) {}

  /** Returns the address of a preview or picture: at the CDN, or a path of this site. */
  media(path: string): string {
    return mediaAddress(path, this.mediaBaseUrl);
  }
}
