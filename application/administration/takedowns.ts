import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Clock } from '../shared/clock.js';
import { ExecutePackCommands } from '../publishing/execute-pack-commands.js';
import { StandingPurchases } from './readers.js';
import { RETURNED_WHILE_WAITING, ReturnPurchases, type ReturnedPurchases } from './return-purchases.js';

/** What is withdrawn against its creator's will, and what that gives back to those who bought it. */
@Injectable()
export class Takedowns {
  constructor(
    private readonly commands: CommandBus,
    private readonly returns: ReturnPurchases,
    private readonly purchases: StandingPurchases,
    private readonly clock: Clock,
  ) {}

  /** @returns how many purchases were undone so far, the rest follows; undefined when there is no such pack */
  async takeDown(packId: string, reason: string, by: string): Promise<ReturnedPurchases | undefined> {
    const now = this.clock.now().toISOString();
    const standing = await this.purchases.count({ packId });
    const outcome = await this.commands.execute(
      new ExecutePackCommands(packId, [{ type: 'TakeDownPack', packId, reason, now }], by),
    );
    if (!outcome.accepted) return undefined;
    const metadata = { actor: by, correlationId: randomUUID() };
    const why = { reason: 'takedown', explanation: reason } as const;
    const { waiting } = await this.returns.all({ packId }, why, metadata, RETURNED_WHILE_WAITING);
    // The reaction to the takedown undoes them at the same time: what it did counts, too.
    const returned = standing - (await this.purchases.count({ packId }));
    return { returned: Math.max(0, returned), waiting };
  }

  /** A sample that is not what it said: everybody's purchase of it is undone, and it stays on sale as it is. */
  async returnDefective(sampleId: string, reason: string, by: string): Promise<ReturnedPurchases> {
    const metadata = { actor: by, correlationId: randomUUID() };
    return this.returns.all({ sampleId }, { reason: 'defect', explanation: reason }, metadata);
  }
}
