import { Injectable } from '@nestjs/common';
import { ConnectedAccounts } from '../../application/payouts/connected-accounts.js';
import type { ConnectedAccount } from '../../application/payments/payout-gateway.js';
import { Database } from '../platform/database/database.js';

@Injectable()
export class PostgresConnectedAccounts implements ConnectedAccounts {
  constructor(private readonly database: Database) {}

  find(creatorId: string): Promise<ConnectedAccount | undefined> {
    return this.ofCreator(creatorId).executeTakeFirst();
  }

  private ofCreator(creatorId: string) {
    return this.database.db
      .selectFrom('connect_account')
      .select(['account_id as accountId', 'charges_enabled as chargesEnabled'])
      .select(['payouts_enabled as payoutsEnabled', 'requirements'])
      .where('creator_id', '=', creatorId);
  }

  async creatorOf(accountId: string): Promise<string | undefined> {
    const found = await this.database.db
      .selectFrom('connect_account')
      .select('creator_id')
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return found?.creator_id;
  }

  async connect(
    creatorId: string,
    account: ConnectedAccount,
    now: Date,
    replaces?: string,
  ): Promise<ConnectedAccount> {
    const row = { account_id: account.accountId, ...stateOf(account, now), created_at: now };
    await this.database.db
      .insertInto('connect_account')
      .values({ creator_id: creatorId, ...row })
      .onConflict((conflict) => {
        const taken = conflict.column('creator_id');
        if (replaces === undefined) return taken.doNothing();
        return taken.doUpdateSet(row).where('connect_account.account_id', '=', replaces);
      })
      .execute();
    return this.ofCreator(creatorId).executeTakeFirstOrThrow();
  }

  async refresh(account: ConnectedAccount, now: Date): Promise<void> {
    await this.database.db
      .updateTable('connect_account')
      .set(stateOf(account, now))
      .where('account_id', '=', account.accountId)
      .execute();
  }
}

const stateOf = ({ chargesEnabled, payoutsEnabled, requirements }: ConnectedAccount, now: Date) => ({
  charges_enabled: chargesEnabled,
  payouts_enabled: payoutsEnabled,
  requirements,
  checked_at: now,
});
