import { PayersToForget, type PayerToForget } from '../../application/payments/forget-payers.js';
import { DatabaseAdapter } from '../platform/database/database.js';

export class PostgresPayersToForget extends DatabaseAdapter implements PayersToForget {
  due(now: Date, limit: number): Promise<PayerToForget[]> {
    return this.all().where('next_at', '<=', now).orderBy('next_at').limit(limit).execute();
  }

  of(userId: string): Promise<PayerToForget | undefined> {
    return this.all().where('user_id', '=', userId).executeTakeFirst();
  }

  async blanked(userId: string, now: Date): Promise<void> {
    await this.change(userId).set({ blanked_at: now }).execute();
  }

  async postpone(userId: string, until: Date): Promise<void> {
    await this.change(userId).set({ next_at: until }).execute();
  }

  async forgotten(userId: string): Promise<void> {
    await this.database.db.deleteFrom('payer_to_forget').where('user_id', '=', userId).execute();
  }

  private all() {
    return this.database.db
      .selectFrom('payer_to_forget')
      .select(['user_id as userId', 'customer_id as customerId', 'account_id as accountId'])
      .select(['erased_at as erasedAt', 'blanked_at as blankedAt']);
  }

  private change(userId: string) {
    return this.database.db.updateTable('payer_to_forget').where('user_id', '=', userId);
  }
}
