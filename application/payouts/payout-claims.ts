import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { payoutClaimDecider, payableUntil } from '../../domain/payouts/payout-claim.js';
import type { PayoutRejection } from '../../domain/payouts/payouts.js';
import { Clock } from '../shared/clock.js';
import { ConnectedAccounts } from './connected-accounts.js';
import type { EventMetadata } from '../shared/event-store.js';
import { Streams } from '../shared/streams.js';
import type { Payout } from './contract.js';
import { PayoutClaimReader } from './readers.js';
import { Withdrawals } from './withdrawals.js';

const CODE_BYTES = 20;

export type RedeemOutcome =
  | { accepted: true; payout: Payout }
  | {
      accepted: false;
      rejection: PayoutRejection | { code: 'ClaimExpired'; payableUntil: string };
    };

/** What deleted accounts are owed: payable to whoever shows the code that was given to the person. */
@Injectable()
export class PayoutClaims {
  constructor(
    private readonly streams: Streams,
    private readonly claims: PayoutClaimReader,
    private readonly withdrawals: Withdrawals,
    private readonly accounts: ConnectedAccounts,
    private readonly clock: Clock,
  ) {}

  /** Made again, the newest code counts. @returns the code, which is kept as a hash alone */
  async make(creatorId: string): Promise<{ code: string; payableUntil: string }> {
    const code = randomBytes(CODE_BYTES).toString('hex');
    const now = this.clock.now().toISOString();
    const made = { type: 'MakeClaim', creatorId, codeHash: hashOf(code), now } as const;
    await this.streams.execute(payoutClaimDecider, creatorId, made, causedBy(creatorId, creatorId));
    return { code, payableUntil: payableUntil(now) };
  }

  /**
   * Pays what is available now to another account; what is still in its hold, with the same code later.
   * @param order.userId who showed the code, with a payout account of their own
   * @throws EarningsNotCounted when the earnings lag behind the log
   */
  async redeem(order: { code: string; userId: string; key: string; actor: string }): Promise<RedeemOutcome> {
    const { userId, key, actor } = order;
    const claim = await this.claims.find(hashOf(order.code));
    if (!claim) return { accepted: false, rejection: { code: 'NotFound' } };
    const { creatorId, payableUntil: until } = claim;
    const at = this.clock.now().toISOString();
    if (until < at) return { accepted: false, rejection: { code: 'ClaimExpired', payableUntil: until } };
    const account = await this.accounts.find(userId);
    const outcome = await this.withdrawals.request(creatorId, `claim ${key}`, {
      actor,
      claimedBy: account ?? null,
    });
    if (!outcome.accepted) return outcome;
    const { payout } = outcome;
    if (!account) return outcome;
    const redeemed = {
      type: 'RedeemClaim',
      creatorId,
      withdrawalId: payout.id,
      redeemedBy: userId,
      accountId: account.accountId,
      now: at,
    } as const;
    await this.streams.execute(payoutClaimDecider, creatorId, redeemed, causedBy(actor, creatorId));
    return outcome;
  }
}

const hashOf = (code: string): string => createHash('sha256').update(code.trim().toLowerCase()).digest('hex');

const causedBy = (actor: string, creatorId: string): EventMetadata => ({
  actor,
  correlationId: payoutClaimDecider.streamOf(creatorId),
});
