import { createHash } from 'node:crypto';
import { Command, CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import type { Outcome } from '../../domain/shared/decision.js';
import { payoutDecider, type PayoutRejection } from '../../domain/payouts/payouts.js';
import type { Payout } from './contract.js';
import type { ConnectedAccount } from '../payments/payout-gateway.js';
import { Clock } from '../shared/clock.js';
import { Streams } from '../shared/streams.js';
import { PayoutAccounts } from './payout-accounts.js';
import { PayoutQueries } from './queries.js';
import { Withdrawals } from './withdrawals.js';

export interface WithdrawalRequest {
  creatorId: string;
  /** Identifies the withdrawal. A repeated key is the same withdrawal. */
  key: string;
  /** The amount to withdraw. If absent, everything available is withdrawn. */
  amountUsdCents?: number | undefined;
  /** The person or system that acts. Absent if the creator acts. */
  actor?: string;
  /** For a claim to a deleted account's balance: the claimant's payout account, or null if none is connected. */
  claimedBy?: ConnectedAccount | null;
}

/** Reserves an amount, which a reactor then transfers. Throws EarningsNotCounted if the earnings lag behind the log. */
export class RequestWithdrawal extends Command<Outcome<{ payout: Payout }, PayoutRejection>> {
  constructor(readonly request: WithdrawalRequest) {
    super();
  }
}

@CommandHandler(RequestWithdrawal)
export class RequestWithdrawalHandler implements ICommandHandler<RequestWithdrawal> {
  constructor(
    private readonly streams: Streams,
    private readonly accounts: PayoutAccounts,
    private readonly payouts: PayoutQueries,
    private readonly withdrawals: Withdrawals,
    private readonly clock: Clock,
  ) {}

  async execute({ request }: RequestWithdrawal): Promise<CommandResult<RequestWithdrawal>> {
    const { creatorId, key, amountUsdCents, actor = creatorId, claimedBy } = request;
    const account =
      claimedBy === undefined ? await this.accounts.current(creatorId) : (claimedBy ?? undefined);
    await this.withdrawals.allCounted();
    const withdrawalId = idFor(creatorId, key);
    const earned = await this.withdrawals.sums(creatorId);
    const asked = { withdrawalId, account, amountUsdCents, paysClaim: claimedBy !== undefined, earned };
    const now = this.clock.now().toISOString();
    const command = { type: 'RequestWithdrawal', creatorId, ...asked, now } as const;
    const metadata = { actor, correlationId: `withdrawal-${withdrawalId}` };
    const outcome = await this.streams.execute(payoutDecider, creatorId, command, metadata);
    if (!outcome.accepted) return outcome;
    return { accepted: true, payout: (await this.payouts.find(creatorId, withdrawalId)) as Payout };
  }
}

/** Derives the id from the key, so that a repeated request is the same withdrawal, even after a crash. */
function idFor(creatorId: string, key: string): string {
  return createHash('sha256').update(`${creatorId} ${key.toLowerCase()}`).digest('hex').slice(0, 32);
}
