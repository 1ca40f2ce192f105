import type { ConnectedAccount } from '../payments/payout-gateway.js';

/** Stores each creator's payout account, and the provider's last report of it. */
export abstract class ConnectedAccounts {
  abstract find(creatorId: string): Promise<ConnectedAccount | undefined>;
  abstract creatorOf(accountId: string): Promise<string | undefined>;
  /**
   * Stores the account of a creator. If two requests create one at once, the first stays.
   * @param replaces the account that no longer exists
   * @returns the stored account
   */
  abstract connect(
    creatorId: string,
    account: ConnectedAccount,
    now: Date,
    replaces?: string,
  ): Promise<ConnectedAccount>;
  abstract refresh(account: ConnectedAccount, now: Date): Promise<void>;
}
