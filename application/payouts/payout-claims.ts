import { createHash, randomBytes } from 'node:crypto';
import { Command, CommandBus, CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import { reject, type Outcome } from '../../domain/shared/decision.js';
import type { PayoutRejection } from '../../domain/payouts/payouts.js';
import { payableUntil, payoutClaimDecider } from '../../domain/payouts/payout-claim.js';
import type { Payout } from './contract.js';
import { Clock } from '../shared/clock.js';
import type { EventMetadata } from '../shared/event-store.js';
import { Streams } from '../shared/streams.js';
import { RequestWithdrawal } from './request-withdrawal.js';
import { ConnectedAccounts } from './payout-accounts.js';
import { PayoutClaimQueries } from './queries.js';
import { CLAIM_CODE_LENGTH } from './values.js';

/** Makes the balance of a deleted account payable to the holder of a code. Only a hash of the code is stored. */
export class MakePayoutClaim extends Command<{ accepted: true; code: string; payableUntil: string }> {
  constructor(readonly creatorId: string) {
    super();
  }
}

/**
 * Pays the available balance of a deleted account to the claimant. The same claim code later pays the shares that
 * are still held.
 */
export class RedeemPayoutClaim extends Command<
  Outcome<
    { payout: Payout },
    PayoutRejection | { code: 'ClaimExpired'; payableUntil: string } | { code: 'OwnInterest' }
  >
> {
  constructor(
    /** `userId` is the holder of the code, who has their own payout account. */
    readonly order: { code: string; userId: string; key: string; actor: string },
  ) {
    super();
  }
}

@CommandHandler(MakePayoutClaim)
export class MakePayoutClaimHandler implements ICommandHandler<MakePayoutClaim> {
  constructor(
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  async execute({ creatorId }: MakePayoutClaim): Promise<CommandResult<MakePayoutClaim>> {
    const code = randomBytes(CLAIM_CODE_LENGTH / 2).toString('hex');
    const now = this.clock.now().toISOString();
    const made = { type: 'MakeClaim', creatorId, codeHash: hashOf(code), now } as const;
    await this.streams.execute(payoutClaimDecider, creatorId, made, causedBy(creatorId, creatorId));
    return { accepted: true, code, payableUntil: payableUntil(now) };
  }
}

@CommandHandler(RedeemPayoutClaim)
export class RedeemPayoutClaimHandler implements ICommandHandler<RedeemPayoutClaim> {
  constructor(
    private readonly streams: Streams,
    private readonly claims: PayoutClaimQueries,
    private readonly commands: CommandBus,
    private readonly accounts: ConnectedAccounts,
    private readonly clock: Clock,
  ) {}

  async execute({ order }: RedeemPayoutClaim): Promise<CommandResult<RedeemPayoutClaim>> {
    const { userId, key, actor } = order;
    if (userId === actor) return reject({ code: 'OwnInterest' });
    const claim = await this.claims.find(hashOf(order.code));
    if (!claim) return reject({ code: 'NotFound' });
    const { creatorId, payableUntil: until } = claim;
    const at = this.clock.now().toISOString();
    if (until < at) return reject({ code: 'ClaimExpired', payableUntil: until });
    const account = await this.accounts.find(userId);
    const outcome = await this.commands.execute(
      new RequestWithdrawal({ creatorId, key: `claim ${key}`, actor, claimedBy: account ?? null }),
    );
    if (!outcome.accepted || !account) return outcome;
    const { accountId } = account;
    const payment = { withdrawalId: outcome.payout.id, redeemedBy: userId, accountId, paidBy: actor };
    const redeemed = { type: 'RedeemClaim', creatorId, ...payment, now: at } as const;
    await this.streams.execute(payoutClaimDecider, creatorId, redeemed, causedBy(actor, creatorId));
    return outcome;
  }
}

const hashOf = (code: string): string => createHash('sha256').update(code.trim().toLowerCase()).digest('hex');

const causedBy = (actor: string, creatorId: string): EventMetadata => ({
  actor,
  correlationId: payoutClaimDecider.streamOf(creatorId),
});
