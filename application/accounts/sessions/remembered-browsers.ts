/** Browsers that an account was signed in to with, each by a cookie of its own; the cookie is known by hash only. */
export abstract class RememberedBrowsers {
  abstract remember(userId: string, cookieHash: string, now: Date): Promise<void>;
  /** @param userId undefined where no account is asked for; it takes as long */
  abstract includes(userId: string | undefined, cookieHash: string, since: Date): Promise<boolean>;
  abstract forget(userId: string, cookieHash: string): Promise<void>;
}
