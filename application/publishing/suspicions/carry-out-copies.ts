import { Injectable } from '@nestjs/common';
import type { PackEvent } from '../../../domain/publishing/pack-messages.js';
import type { Recorded, Reactor } from '../../shared/event-store.js';
import { DecidedCopies, EFFECTIVE, isEffective, type Effective } from './decided-copies.js';
import { CopyQueries } from './queries.js';

const CLOSING = [
  'SampleRemoved',
  'SampleAudioReplaced',
  'SampleTakenDown',
  'PackDeleted',
  'PackTakenDown',
] as const;
type ClosingEvent = Extract<PackEvent, { type: (typeof CLOSING)[number] }>;

/** Completes interrupted decisions on copies. Closes suspicions whose recording was removed, replaced or taken down. */
@Injectable()
export class CarryOutCopies implements Reactor<Effective | ClosingEvent> {
  readonly name = 'carry-out-copies';
  readonly streamsAtOnce = 4;
  readonly types = [...EFFECTIVE, ...CLOSING];

  constructor(
    private readonly queries: CopyQueries,
    private readonly copies: DecidedCopies,
  ) {}

  async handle(event: Recorded<Effective | ClosingEvent>): Promise<void> {
    if (isEffective(event)) return this.copies.carryOut(event);
    for (const copyId of await this.queries.gone({ packId: (event as ClosingEvent).data.packId }))
      await this.copies.lapse(copyId);
  }
}
