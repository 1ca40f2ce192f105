import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type * as z from 'zod';
import type { PackCommand } from '../../domain/publishing/pack-messages.js';
import type { DefaultCostBody, SampleChange } from './contract.js';
import { Packs, type PackOutcome, type PackWriter, type WithoutActor } from './packs.js';

/** A decision that needs no facts outside the pack. */
export abstract class DecideOnPack extends Command<PackOutcome> {
  constructor(
    readonly writer: PackWriter,
    readonly decision: WithoutActor<PackCommand>,
  ) {
    super();
  }
}

export class ReorderSamples extends DecideOnPack {
  constructor(writer: PackWriter, sampleIds: string[]) {
    super(writer, { type: 'ReorderSamples', sampleIds });
  }
}

export class ChangeDefaultCost extends DecideOnPack {
  constructor(writer: PackWriter, { creditCost, applyToAll }: z.infer<typeof DefaultCostBody>) {
    super(writer, { type: 'ChangeDefaultCost', priceCredits: creditCost, applyToAll });
  }
}

export class ChangeSample extends DecideOnPack {
  constructor(writer: PackWriter, sampleId: string, change: z.infer<typeof SampleChange>) {
    super(writer, changeOf(sampleId, change));
  }
}

export function changeOf(
  sampleId: string,
  { name, creditCost, instruments, ...rest }: z.infer<typeof SampleChange>,
): WithoutActor<Extract<PackCommand, { type: 'ChangeSample' }>> {
  const description = {
    ...rest,
    ...(name === undefined ? {} : { title: name }),
    ...(instruments === undefined ? {} : { instruments: [...new Set(instruments)] }),
  };
  const price = creditCost === undefined ? {} : { priceCredits: creditCost };
  return { type: 'ChangeSample', sampleId, description, ...price };
}

@CommandHandler(DecideOnPack)
export class DecideOnPackHandler implements ICommandHandler<DecideOnPack> {
  constructor(private readonly packs: Packs) {}

  execute({ writer, decision }: DecideOnPack): Promise<PackOutcome> {
    return this.packs.decide(writer, decision);
  }
}
