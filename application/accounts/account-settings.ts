import { isIP } from 'node:net';

export class AccountSettings {
  constructor(
    readonly publicUrl: string,
    /** Whether users must confirm their address before they can sign in. Requires a mail server. */
    readonly confirmationRequired: boolean,
    /** Multiplies the rate limits, so that load tests do not reach them. */
    readonly rateLimitScale: number,
    /** The maximum age of a session, counted from the sign-in. Renewals do not extend it. */
    readonly sessions: { maxMs: number; staffMaxMs: number },
    /** Whether staff roles apply only in sessions with a second factor. */
    readonly staffNeedsSecondFactor: boolean,
  ) {}

  /** Host name that passkeys are bound to. */
  get host(): string {
    return new URL(this.publicUrl).hostname;
  }

  /** False if the site is reached by an IP address: passkeys need a host name. */
  get passkeysOffered(): boolean {
    return isIP(this.host.replaceAll(/[[\]]/g, '')) === 0;
  }
}
