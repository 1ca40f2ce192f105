import { Injectable } from '@nestjs/common';
import { forgivenBefore, releasedBefore } from '../../domain/payouts/policy.js';
import { Clock } from '../shared/clock.js';
import { PayoutStreams } from './payout-streams.js';
import { EarningsReader } from './readers.js';

/** Gives up what creators have owed for half a year: sales that were undone after they had been paid out. */
@Injectable()
export class WriteOffDebts {
  constructor(
    private readonly streams: PayoutStreams,
    private readonly earnings: EarningsReader,
    private readonly clock: Clock,
  ) {}

  /** Several workers at once forgive once: whoever comes second finds nothing owed. */
  async run(): Promise<void> {
    const now = this.clock.now();
    for (const creatorId of await this.earnings.owingSince(forgivenBefore(now))) {
      const { heldMicroUsd, ...earned } = await this.earnings.sums(creatorId, releasedBefore(now));
      await this.streams.execute(
        creatorId,
        { type: 'WriteOffDebt', creatorId, earned, heldMicroUsd, now: this.clock.now().toISOString() },
        { actor: 'system:write-off', correlationId: `write-off-${creatorId}` },
      );
    }
  }
}
