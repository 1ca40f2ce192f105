import { Injectable } from '@nestjs/common';
import { availableMicroUsd, paidUsdCents, payoutDecider } from '../../domain/payouts/payouts.js';
import { PAYOUT_POLICY, releasedAt, releasedBefore } from '../../domain/payouts/policy.js';
import { microUsdFromCents } from '../../domain/shared/micro-usd.js';
import { Clock } from '../shared/clock.js';
import { EventStore } from '../shared/event-store.js';
import { ReadModelProgress } from '../shared/read-model-progress.js';
import type { CreatorBalance } from './contract.js';
import { Streams } from '../shared/streams.js';
import { EarningsQueries, PayoutQueries } from './queries.js';

const CATCH_UP_MS = 5_000;

/** The earnings lag behind the log. The caller may retry. */
export class EarningsNotCounted extends Error {
  override name = 'EarningsNotCounted';
}

@Injectable()
export class Withdrawals {
  constructor(
    private readonly streams: Streams,
    private readonly earnings: EarningsQueries,
    private readonly payouts: PayoutQueries,
    private readonly events: EventStore,
    private readonly progress: ReadModelProgress,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns what we owe a creator who is deleting the account, including money in
   * transit. @throws EarningsNotCounted
   */
  async owed(creatorId: string): Promise<{ owedMicroUsd: number; availableMicroUsd: number }> {
    await this.allCounted();
    const { availableMicroUsd, heldMicroUsd, inFlight } = await this.balance(creatorId);
    const onItsWay = microUsdFromCents(inFlight?.amountUsdCents ?? 0);
    return { owedMicroUsd: Math.max(0, availableMicroUsd + heldMicroUsd) + onItsWay, availableMicroUsd };
  }

  /** Waits until the earnings include the newest event, so that a share that was just taken back counts. */
  async allCounted(): Promise<void> {
    const { position } = await this.events.head();
    if (!(await this.progress.caughtUp(position, CATCH_UP_MS, ['earnings']))) throw new EarningsNotCounted();
  }

  async balance(creatorId: string): Promise<CreatorBalance> {
    // Reads the withdrawal in transit first: if it is paid meanwhile, `inFlight` and `paidUsdCents` both include it.
    // In the other order, neither would.
    const inFlight = await this.payouts.inFlight(creatorId);
    const sums = await this.sums(creatorId);
    const payouts = await this.streams.load(payoutDecider, creatorId);
    return {
      totalEarningsMicroUsd: sums.releasedMicroUsd + sums.heldMicroUsd - sums.reversedMicroUsd,
      availableMicroUsd: availableMicroUsd(payouts, sums) - sums.inDoubtMicroUsd,
      heldMicroUsd: sums.heldMicroUsd + sums.inDoubtMicroUsd,
      inDoubtMicroUsd: sums.inDoubtMicroUsd,
      heldUntil: sums.lastHeldAt ? releasedAt(sums.lastHeldAt).toISOString() : null,
      paidUsdCents: paidUsdCents(payouts),
      minimumUsdCents: PAYOUT_POLICY.minimumUsdCents,
      inFlight: inFlight ?? null,
    };
  }

  sums(creatorId: string) {
    return this.earnings.sums(creatorId, releasedBefore(this.clock.now()));
  }
}
