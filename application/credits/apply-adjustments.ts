import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { AdjustmentEvent } from '../../domain/credits/adjustment.js';
import type { Recorded } from '../shared/event-store.js';
import type { Reactor } from '../shared/reactor.js';
import { ApplyAdjustment } from './commands.js';

type Applied = Extract<AdjustmentEvent, { type: 'AdjustmentApproved' | 'AdjustmentMadeAlone' }>;

/** Makes up for a node that died between a decision and its credits. */
@Injectable()
export class ApplyAdjustments implements Reactor<Applied> {
  readonly name = 'apply-adjustments';
  readonly types = ['AdjustmentApproved', 'AdjustmentMadeAlone'] as const;

  constructor(private readonly commands: CommandBus) {}

  async handle({ data }: Recorded<Applied>): Promise<void> {
    await this.commands.execute(new ApplyAdjustment(data.adjustmentId));
  }
}
