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
  ) {}
}
