import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { availableMicroUsd, paidUsdCents, type PayoutRejection } from '../../domain/payouts/payouts.js';
import { PAYOUT_POLICY, releasedAt, releasedBefore } from '../../domain/payouts/policy.js';
import { Clock } from '../shared/clock.js';
import { EventStore } from '../shared/event-store.js';
import type { ConnectedAccount } from './payout-gateway.js';
import { ReadModelProgress } from '../shared/read-model-progress.js';
import type { CreatorBalance, Payout } from './contract.js';
import { PayoutAccounts } from './payout-accounts.js';
import { PayoutStreams } from './payout-streams.js';
import { EarningsReader, PayoutReader } from './readers.js';

export type WithdrawalOutcome =
  { accepted: true; payout: Payout } | { accepted: false; rejection: PayoutRejection };

const CATCH_UP_MS = 5_000;

/** The earnings are not counted up to now; ask again. */
export class EarningsNotCounted extends Error {
  override name = 'EarningsNotCounted';
}

/** Creators take out what they earned. */
@Injectable()
export class Withdrawals {
  constructor(
    private readonly accounts: PayoutAccounts,
    private readonly streams: PayoutStreams,
    private readonly earnings: EarningsReader,
    private readonly payouts: PayoutReader,
    private readonly events: EventStore,
    private readonly progress: ReadModelProgress,
    private readonly clock: Clock,
  ) {}

  /**
   * Reserves an amount; the transfer follows the event.
   * @param key the same again is the same withdrawal
   * @param options.amountUsdCents absent: all that is available
   * @param options.actor absent: the creator
   * @param options.claimedBy where a claim is paid instead of the creator; null: no account is connected
   * @throws EarningsNotCounted when the earnings lag behind the log
   */
  async request(
    creatorId: string,
    key: string,
    {
      amountUsdCents,
      actor = creatorId,
      claimedBy,
    }: { amountUsdCents?: number | undefined; actor?: string; claimedBy?: ConnectedAccount | null } = {},
  ): Promise<WithdrawalOutcome> {
    const account =
      claimedBy === undefined ? await this.accounts.current(creatorId) : (claimedBy ?? undefined);
    await this.#allCounted();
    const withdrawalId = idFor(creatorId, key);
    const decision = await this.streams.execute(
      creatorId,
      {
        type: 'RequestWithdrawal',
        creatorId,
        withdrawalId,
        account,
        amountUsdCents,
        ...(claimedBy === undefined ? {} : { paysClaim: true }),
        earned: await this.#sums(creatorId),
        now: this.clock.now().toISOString(),
      },
      { actor, correlationId: `withdrawal-${withdrawalId}` },
    );
    if (!decision.accepted) return decision;
    return { accepted: true, payout: (await this.payouts.find(creatorId, withdrawalId)) as Payout };
  }

  /**
   * What a creator would lose with the account: withdrawable or in its hold.
   * @throws EarningsNotCounted when the earnings lag behind the log
   */
  async owed(creatorId: string): Promise<{ owedMicroUsd: number; availableMicroUsd: number }> {
    await this.#allCounted();
    const { availableMicroUsd, heldMicroUsd } = await this.balance(creatorId);
    return { owedMicroUsd: Math.max(0, availableMicroUsd + heldMicroUsd), availableMicroUsd };
  }

  /** What was just taken back must count, so the earnings are read as of the newest event. */
  async #allCounted(): Promise<void> {
    const { position } = await this.events.head();
    if (!(await this.progress.caughtUp(position, CATCH_UP_MS, ['earnings']))) throw new EarningsNotCounted();
  }

  async balance(creatorId: string): Promise<CreatorBalance> {
    // Before the stream: what is no longer under way then is among what is paid.
    const inFlight = await this.payouts.inFlight(creatorId);
    const sums = await this.#sums(creatorId);
    const payouts = await this.streams.load(creatorId);
    return {
      totalEarningsMicroUsd: sums.releasedMicroUsd + sums.heldMicroUsd - sums.reversedMicroUsd,
      availableMicroUsd: availableMicroUsd(payouts, sums),
      heldMicroUsd: sums.heldMicroUsd,
      heldUntil: sums.lastHeldAt ? releasedAt(sums.lastHeldAt).toISOString() : null,
      paidUsdCents: paidUsdCents(payouts),
      minimumUsdCents: PAYOUT_POLICY.minimumUsdCents,
      inFlight: inFlight ?? null,
    };
  }

  #sums(creatorId: string) {
    return this.earnings.sums(creatorId, releasedBefore(this.clock.now()));
  }
}

/** The key names the withdrawal: asked again, even after a crash, it is the same one. */
function idFor(creatorId: string, key: string): string {
  return createHash('sha256').update(`${creatorId} ${key.toLowerCase()}`).digest('hex').slice(0, 32);
}
