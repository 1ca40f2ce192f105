import type { ConnectedAccount } from './payout-gateway.js';

/** Which creator is paid into which account, and what the provider last said of it. */
export abstract class ConnectedAccounts {
  abstract find(creatorId: string): Promise<ConnectedAccount | undefined>;
  abstract creatorOf(accountId: string): Promise<string | undefined>;
  /**
   * Keeps the account of a creator. Of two made at once the first stays.
   * @param replaces the account that no longer exists
   * @returns the account that is kept
   */
  abstract connect(
    creatorId: string,
    account: ConnectedAccount,
    now: Date,
    replaces?: string,
  ): Promise<ConnectedAccount>;
  /** What the provider says now. */
  abstract refresh(account: ConnectedAccount, now: Date): Promise<void>;
}
