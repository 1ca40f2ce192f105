/** What accounts depend on from the configuration. */
export class AccountSettings {
  constructor(
    /** Where links in mails lead. */
    readonly publicUrl: string,
    /** Only where a mail server is configured can people be asked to confirm their address first. */
    readonly confirmationRequired: boolean,
    /** Multiplies every limit, for load tests. */
    readonly rateLimitScale: number,
  ) {}
}
