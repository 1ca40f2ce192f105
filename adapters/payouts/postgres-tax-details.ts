import type { TaxDetailsOfProvider } from '../../application/payouts/tax-contract.js';
import { TaxDetailStore, type StoredTaxDetails } from '../../application/payouts/tax-details.js';
import { DatabaseAdapter } from '../platform/database/database.js';

export class PostgresTaxDetails extends DatabaseAdapter implements TaxDetailStore {
  find(creatorIds: readonly string[]): Promise<StoredTaxDetails[]> {
    return this.database.db
      .selectFrom('tax_detail')
      .select(['creator_id as creatorId', 'stated', 'numbers as sealedNumbers'])
      .select(['from_provider as fromProvider', 'changed_at as changedAt'])
      .where(({ eb, val, fn }) => eb('creator_id', '=', fn.any(val([...creatorIds]))))
      .execute();
  }

  async state(
    creatorId: string,
    { stated, sealedNumbers: numbers }: Parameters<TaxDetailStore['state']>[1],
    now: Date,
  ): Promise<void> {
    const row = { stated: JSON.stringify(stated), numbers, changed_at: now };
    await this.database.db
      .insertInto('tax_detail')
      .values({ creator_id: creatorId, ...row })
      .onConflict((conflict) => conflict.column('creator_id').doUpdateSet(row))
      .execute();
  }

  async learn(creatorId: string, details: TaxDetailsOfProvider, now: Date): Promise<void> {
    const row = { from_provider: JSON.stringify(details), changed_at: now };
    await this.database.db
      .insertInto('tax_detail')
      .columns(['creator_id', 'from_provider', 'changed_at'])
      .expression(({ cast, selectFrom, val }) =>
        selectFrom('user_account')
          .select('user_id')
          .select(cast<TaxDetailsOfProvider>(val(row.from_provider), 'jsonb').as('from_provider'))
          .select(cast<Date>(val(now), 'timestamptz').as('changed_at'))
          .where('user_id', '=', creatorId)
          .where('erased_at', 'is', null),
      )
      .onConflict((conflict) =>
        conflict
          .column('creator_id')
          .doUpdateSet(row)
          .where('tax_detail.from_provider', 'is distinct from', details),
      )
      .execute();
  }

  async reseal(creatorId: string, before: Buffer, after: Buffer): Promise<void> {
    await this.database.db
      .updateTable('tax_detail')
      .set({ numbers: after })
      .where('creator_id', '=', creatorId)
      .where('numbers', '=', before)
      .execute();
  }
}
