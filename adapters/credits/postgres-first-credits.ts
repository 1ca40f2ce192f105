import { createHmac } from 'node:crypto';
import type { CommandBus } from '@nestjs/cqrs';
import type { FirstCredits } from '../../application/accounts/first-credits.js';
import { GrantPromotion } from '../../application/credits/grant-promotion.js';
import type { Clock } from '../../application/shared/clock.js';
import type { Secrets } from '../../application/shared/keys/signing-keys.js';
import type { Database } from '../platform/database/database.js';

/** Remembers confirmed addresses by a keyed hash, which does not reveal them. */
export class PostgresFirstCredits implements FirstCredits {
  /** @param credits how many to give; 0 gives none and remembers no address */
  constructor(
    private readonly credits: number,
    private readonly database: Database,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
    private readonly commands: CommandBus,
  ) {}

  async give({ userId, email, isFirst }: Parameters<FirstCredits['give']>[0]): Promise<number> {
    if (this.credits === 0) return 0;
    const owner = await this.ownerOf(await this.digestOf(email), userId);
    if (!isFirst || owner !== userId) return 0;
    const { credits } = this;
    const grant = { userId, grantId: `first-${userId}`, credits, grantedAt: this.clock.now() };
    const granted = await this.commands.execute(new GrantPromotion(grant));
    return granted.accepted && granted.changed ? credits : 0;
  }

  /** Returns the first account to confirm the address, which may be this account. */
  private async ownerOf(address_digest: string, user_id: string): Promise<string | null> {
    const { db } = this.database;
    await db
      .insertInto('first_credits')
      .values({ address_digest, user_id, confirmed_at: this.clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const row = await db
      .selectFrom('first_credits')
      .select('user_id')
      .where('address_digest', '=', address_digest)
      .executeTakeFirstOrThrow();
    return row.user_id;
  }

  /** Mail to `ada+1@…` arrives at `ada@…`, so both count as one address. */
  private async digestOf(email: string): Promise<string> {
    const address = email.toLowerCase().replace(/\+[^@]*(?=@[^@]*$)/, '');
    return createHmac('sha256', await this.secrets.get('first-credits'))
      .update(address)
      .digest('base64url');
  }
}
