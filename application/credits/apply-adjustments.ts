import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { AdjustmentEvent } from '../../domain/credits/adjustment.js';
import type { Recorded } from '../shared/event-store.js';
import type { Reactor } from '../shared/reactor.js';
import { ApplyAdjustment } from './commands.js';

type Applied = Extract<AdjustmentEvent, { type: 'AdjustmentApproved' | 'AdjustmentMadeAlone' }>;

/** Moves the credits of an adjustment if the node crashed after the decision. */
@Injectable()
export class ApplyAdjustments implements Reactor<Applied> {
  readonly name = 'apply-adjustments';
  readonly types = ['AdjustmentApproved', 'AdjustmentMadeAlone'] as const;

  constructor(private readonly commands: CommandBus) {}

  async handle({ data }: Recorded<Applied>): Promise<void> {
    await this.commands.execute(new ApplyAdjustment(data.adjustmentId));
  }
}
