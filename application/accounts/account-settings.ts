import { isIP } from 'node:net';

/** The settings that accounts depend on. */
export class AccountSettings {
  constructor(
    /** The address that links in mails begin with. */
    readonly publicUrl: string,
    /** People can confirm an address first only if a mail server is configured. */
    readonly confirmationRequired: boolean,
    /** Multiplies every limit, for load tests. */
    readonly rateLimitScale: number,
    /** How long a session lasts, however often it is renewed. */
    readonly sessions: { maxMs: number; staffMaxMs: number },
    /** Whether roles count only in sessions with a second factor. */
    readonly staffNeedsSecondFactor: boolean,
  ) {}

  /** The name that passkeys belong to. */
  get host(): string {
    return new URL(this.publicUrl).hostname;
  }

  /** An address of digits is no name. */
  get passkeysOffered(): boolean {
    return isIP(this.host.replaceAll(/[[\]]/g, '')) === 0;
  }
}
