import { createHash, randomBytes } from 'node:crypto';
import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { payableUntil, payoutClaimDecider } from '../../domain/payouts/payout-claim.js';
import { payoutDecider } from '../../domain/payouts/payouts.js';
import { RequestApproval } from '../approvals/request-approval.js';
import { setAside } from '../alerts/set-aside.js';
import { Clock } from '../shared/clock.js';
import type { EventMetadata } from '../shared/event-store.js';
import { Streams } from '../shared/streams.js';
import {
  MakePayoutClaim,
  RecordSettlement,
  RedeemPayoutClaim,
  RequestRelease,
  RequestWithdrawal,
  WRITE_OFF,
  WriteOffDebt,
  type RedeemOutcome,
  type WithdrawalOutcome,
} from './commands.js';
import { ConnectedAccounts } from './connected-accounts.js';
import type { Payout } from './contract.js';
import { PayoutAccounts } from './payout-accounts.js';
import { PayoutClaimQueries, PayoutQueries, SalesUnderReviewQueries } from './queries.js';
import { CLAIM_CODE_LENGTH } from './values.js';
import { Withdrawals } from './withdrawals.js';

@CommandHandler(RequestWithdrawal)
export class RequestWithdrawalHandler implements ICommandHandler<RequestWithdrawal> {
  constructor(
    private readonly streams: Streams,
    private readonly accounts: PayoutAccounts,
    private readonly payouts: PayoutQueries,
    private readonly withdrawals: Withdrawals,
    private readonly clock: Clock,
  ) {}

  async execute({ request }: RequestWithdrawal): Promise<WithdrawalOutcome> {
    const { creatorId, key, amountUsdCents, actor = creatorId, claimedBy } = request;
    const account =
      claimedBy === undefined ? await this.accounts.current(creatorId) : (claimedBy ?? undefined);
    await this.withdrawals.allCounted();
    const withdrawalId = idFor(creatorId, key);
    const outcome = await this.streams.execute(
      payoutDecider,
      creatorId,
      {
        type: 'RequestWithdrawal',
        creatorId,
        withdrawalId,
        account,
        amountUsdCents,
        ...(claimedBy === undefined ? {} : { paysClaim: true }),
        earned: await this.withdrawals.sums(creatorId),
        now: this.clock.now().toISOString(),
      },
      { actor, correlationId: `withdrawal-${withdrawalId}` },
    );
    if (!outcome.accepted) return outcome;
    return { accepted: true, payout: (await this.payouts.find(creatorId, withdrawalId)) as Payout };
  }
}

@CommandHandler(MakePayoutClaim)
export class MakePayoutClaimHandler implements ICommandHandler<MakePayoutClaim> {
  constructor(
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  async execute({ creatorId }: MakePayoutClaim): Promise<{ code: string; payableUntil: string }> {
    const code = randomBytes(CLAIM_CODE_LENGTH / 2).toString('hex');
    const now = this.clock.now().toISOString();
    const made = { type: 'MakeClaim', creatorId, codeHash: hashOf(code), now } as const;
    await this.streams.execute(payoutClaimDecider, creatorId, made, causedBy(creatorId, creatorId));
    return { code, payableUntil: payableUntil(now) };
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

  async execute({ order }: RedeemPayoutClaim): Promise<RedeemOutcome> {
    const { userId, key, actor } = order;
    if (userId === actor) return { accepted: false, rejection: { code: 'OwnInterest' } };
    const claim = await this.claims.find(hashOf(order.code));
    if (!claim) return { accepted: false, rejection: { code: 'NotFound' } };
    const { creatorId, payableUntil: until } = claim;
    const at = this.clock.now().toISOString();
    if (until < at) return { accepted: false, rejection: { code: 'ClaimExpired', payableUntil: until } };
    const account = await this.accounts.find(userId);
    const outcome = await this.commands.execute(
      new RequestWithdrawal({ creatorId, key: `claim ${key}`, actor, claimedBy: account ?? null }),
    );
    if (!outcome.accepted) return outcome;
    const { payout } = outcome;
    if (!account) return outcome;
    const redeemed = {
      type: 'RedeemClaim',
      creatorId,
      withdrawalId: payout.id,
      redeemedBy: userId,
      accountId: account.accountId,
      paidBy: actor,
      now: at,
    } as const;
    await this.streams.execute(payoutClaimDecider, creatorId, redeemed, causedBy(actor, creatorId));
    return outcome;
  }
}

@CommandHandler(RecordSettlement)
export class RecordSettlementHandler implements ICommandHandler<RecordSettlement> {
  constructor(
    private readonly streams: Streams,
    private readonly commands: CommandBus,
  ) {}

  async execute({ creatorId, settlement, cause }: RecordSettlement): Promise<void> {
    const { withdrawalId } = settlement;
    const metadata = { ...cause, correlationId: `withdrawal-${withdrawalId}` };
    const outcome = await this.streams.execute(payoutDecider, creatorId, settlement, metadata);
    if (outcome.accepted) return;
    const { rejection } = outcome;
    const detail =
      'detail' in rejection ? rejection.detail : `${settlement.type} was refused: ${rejection.code}`;
    await this.commands.execute(
      setAside('withdrawal', withdrawalId, `withdrawal ${withdrawalId}: ${detail}`, cause),
    );
  }
}

@CommandHandler(WriteOffDebt)
export class WriteOffDebtHandler implements ICommandHandler<WriteOffDebt> {
  constructor(private readonly streams: Streams) {}

  async execute({ debt }: WriteOffDebt): Promise<void> {
    const { creatorId } = debt;
    const metadata = { actor: WRITE_OFF, correlationId: `write-off-${creatorId}` };
    await this.streams.execute(payoutDecider, creatorId, { type: 'WriteOffDebt', ...debt }, metadata);
  }
}

const hashOf = (code: string): string => createHash('sha256').update(code.trim().toLowerCase()).digest('hex');

const causedBy = (actor: string, creatorId: string): EventMetadata => ({
  actor,
  correlationId: payoutClaimDecider.streamOf(creatorId),
});

/** Derives the id from the key, so that a repeated request is the same withdrawal, even after a crash. */
function idFor(creatorId: string, key: string): string {
  return createHash('sha256').update(`${creatorId} ${key.toLowerCase()}`).digest('hex').slice(0, 32);
}

@CommandHandler(RequestRelease)
export class RequestReleaseHandler implements ICommandHandler<RequestRelease> {
  constructor(
    private readonly sales: SalesUnderReviewQueries,
    private readonly commands: CommandBus,
  ) {}

  async execute({ asked }: RequestRelease): ReturnType<ICommandHandler<RequestRelease>['execute']> {
    const { purchaseId, ...request } = asked;
    const sale = await this.sales.find(purchaseId);
    if (!sale) return { accepted: false, rejection: { code: 'NotFound' } };
    const { creatorId, buyerId, shareMicroUsd } = sale;
    const work = { kind: 'release-sale', purchaseId, creatorId, buyerId, shareMicroUsd } as const;
    return this.commands.execute(new RequestApproval({ ...request, work, beneficiary: creatorId }));
  }
}

export const PAYOUT_HANDLERS = [
  RequestReleaseHandler,
  RequestWithdrawalHandler,
  MakePayoutClaimHandler,
  RedeemPayoutClaimHandler,
  RecordSettlementHandler,
  WriteOffDebtHandler,
];
