import type { ConnectedAccount } from '../payments/payout-gateway.js';

export abstract class ConnectedAccounts {
  abstract find(creatorId: string): Promise<ConnectedAccount | undefined>;
  abstract creatorOf(accountId: string): Promise<string | undefined>;
  /** If two requests create an account at once, the first stays. @param replaces the account that no longer exists */
  abstract connect(
    creatorId: string,
    account: ConnectedAccount,
    now: Date,
    replaces?: string,
  ): Promise<ConnectedAccount>;
  abstract refresh(account: ConnectedAccount, now: Date): Promise<void>;
}
