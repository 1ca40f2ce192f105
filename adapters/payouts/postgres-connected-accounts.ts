import { Injectable } from '@nestjs/common';
import { ConnectedAccounts } from '../../application/payouts/connected-accounts.js';
import type { ConnectedAccount } from '../../application/payouts/payout-gateway.js';
import { Database } from '../platform/database/database.js';

const COLUMNS = `account_id as "accountId", charges_enabled as "chargesEnabled",
  payouts_enabled as "payoutsEnabled", requirements`;

@Injectable()
export class PostgresConnectedAccounts extends ConnectedAccounts {
  constructor(private readonly database: Database) {
    super();
  }

  override async find(creatorId: string): Promise<ConnectedAccount | undefined> {
    const { rows } = await this.database.pool.query(
      `select ${COLUMNS} from connect_account where creator_id = $1`,
      [creatorId],
    );
    return rows[0] as ConnectedAccount | undefined;
  }

  override async creatorOf(accountId: string): Promise<string | undefined> {
    const { rows } = await this.database.pool.query(
      `select creator_id from connect_account where account_id = $1`,
      [accountId],
    );
    return (rows[0] as { creator_id: string } | undefined)?.creator_id;
  }

  override async connect(
    creatorId: string,
    account: ConnectedAccount,
    now: Date,
    replaces?: string,
  ): Promise<ConnectedAccount> {
    const { accountId, chargesEnabled, payoutsEnabled, requirements } = account;
    await this.database.pool.query(
      `insert into connect_account (creator_id, account_id, charges_enabled, payouts_enabled, requirements, created_at, checked_at)
       values ($1, $2, $3, $4, $5, $6, $6)
       on conflict (creator_id) do update
          set account_id = excluded.account_id, charges_enabled = excluded.charges_enabled,
              payouts_enabled = excluded.payouts_enabled, requirements = excluded.requirements,
              created_at = excluded.created_at, checked_at = excluded.checked_at
        where connect_account.account_id = $7`,
      [creatorId, accountId, chargesEnabled, payoutsEnabled, requirements, now, replaces ?? null],
    );
    return (await this.find(creatorId)) as ConnectedAccount;
  }

  override async refresh(account: ConnectedAccount, now: Date): Promise<void> {
    const { accountId, chargesEnabled, payoutsEnabled, requirements } = account;
    await this.database.pool.query(
      `update connect_account set charges_enabled = $2, payouts_enabled = $3, requirements = $4, checked_at = $5
        where account_id = $1`,
      [accountId, chargesEnabled, payoutsEnabled, requirements, now],
    );
  }
}
