import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isMaterial, materialityDecider, type MaterialityLevel } from '../../domain/ledger/materiality.js';
import { Clock } from '../shared/clock.js';
import { Streams } from '../shared/streams.js';

@Injectable()
export class Materiality {
  constructor(private readonly streams: Streams) {}

  /** Returns the amount that finance set, with who set it and when. Undefined until it is set. */
  level(): Promise<MaterialityLevel | undefined> {
    return this.streams.load(materialityDecider, undefined);
  }

  /**
   * Leaves out findings below the amount, except those of 0 dollars or without an
   * amount. Lists of findings still contain them.
   */
  async worthAlerting<Finding extends { amountMicroUsd?: number }>(
    findings: readonly Finding[],
  ): Promise<Finding[]> {
    const level = await this.level();
    return findings.filter(({ amountMicroUsd }) => isMaterial(level, amountMicroUsd));
  }
}

export class SetMateriality extends Command<void> {
  constructor(
    readonly amountMicroUsd: number,
    readonly by: string,
  ) {
    super();
  }
}

@CommandHandler(SetMateriality)
export class SetMaterialityHandler implements ICommandHandler<SetMateriality> {
  constructor(
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  async execute({ amountMicroUsd, by }: SetMateriality): Promise<void> {
    const command = {
      type: 'SetMateriality',
      amountMicroUsd,
      by,
      now: this.clock.now().toISOString(),
    } as const;
    await this.streams.execute(materialityDecider, undefined, command, {
      actor: by,
      correlationId: materialityDecider.streamOf(),
    });
  }
}
