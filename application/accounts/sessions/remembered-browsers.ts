/** Browsers that signed in to an account, each known by the hash of its own cookie. */
export abstract class RememberedBrowsers {
  abstract remember(userId: string, cookieHash: string, now: Date): Promise<void>;
  /** @param userId undefined for an unknown account; the query takes the same time */
  abstract includes(userId: string | undefined, cookieHash: string, since: Date): Promise<boolean>;
  abstract forget(userId: string, cookieHash: string): Promise<void>;
}
