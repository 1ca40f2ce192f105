import type { ConnectedAccount } from '../payments/payout-gateway.js';

/** Which creator is paid into which account, and what the provider last said of it. */
export abstract class ConnectedAccounts {
  abstract find(creatorId: string): Promise<ConnectedAccount | undefined>;
  abstract creatorOf(accountId: string): Promise<string | undefined>;
  /**
   * Stores the account of a creator. If two are made at once, the first stays.
   * @param replaces the account that no longer exists
   * @returns the stored account
   */
  abstract connect(
    creatorId: string,
    account: ConnectedAccount,
    now: Date,
    replaces?: string,
  ): Promise<ConnectedAccount>;
  /** The provider's present report. */
  abstract refresh(account: ConnectedAccount, now: Date): Promise<void>;
}
