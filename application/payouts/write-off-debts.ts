import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { forgivenBefore, releasedBefore } from '../../domain/payouts/policy.js';
import { Clock } from '../shared/clock.js';
import { WriteOffDebt } from './commands.js';
import { EarningsQueries } from './queries.js';

/** Gives up what creators have owed for half a year: sales that were undone after they had been paid out. */
@Injectable()
export class WriteOffDebts {
  constructor(
    private readonly commands: CommandBus,
    private readonly earnings: EarningsQueries,
    private readonly clock: Clock,
  ) {}

  /** If several workers run at once, the second finds nothing owed. */
  async run(): Promise<void> {
    const today = this.clock.now();
    for (const creatorId of await this.earnings.owingSince(forgivenBefore(today))) {
      const { heldMicroUsd, ...earned } = await this.earnings.sums(creatorId, releasedBefore(today));
      const now = this.clock.now().toISOString();
      await this.commands.execute(new WriteOffDebt({ creatorId, earned, heldMicroUsd, now }));
    }
  }
}
