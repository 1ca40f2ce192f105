import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { copyDecider, type CopyCommand } from '../../../domain/publishing/suspicion.js';
import { assert } from '../../../domain/shared/decision.js';
import type { Remark } from '../../../domain/shared/remark.js';
import { Clock } from '../../shared/clock.js';
import { Remarks } from '../../shared/remarks.js';
import { Streams, type Unclocked } from '../../shared/streams.js';
import { CarryOutCopies } from './carry-out-copies.js';
import type { CopyOutcome } from './commands.js';

/** Decides about suspected copies and carries out the decisions. */
@Injectable()
export class DecidedCopies {
  constructor(
    private readonly streams: Streams,
    private readonly remarks: Remarks,
    private readonly effects: CarryOutCopies,
    private readonly clock: Clock,
  ) {}

  async decide(copyId: string, decided: Unclocked<CopyCommand>, actor: string): Promise<CopyOutcome> {
    const command = { ...decided, now: this.clock.now().toISOString() };
    const metadata = { actor, correlationId: randomUUID() };
    const outcome = await this.streams.execute(copyDecider, copyId, command, metadata);
    if (!outcome.accepted) return outcome;
    assert(outcome.state.status !== 'none', 'what was decided on was suspected');
    for (const event of outcome.events) await this.effects.carryOut(event);
    return { accepted: true, id: copyId, status: outcome.state.status };
  }

  async load(copyId: string) {
    return this.streams.load(copyDecider, copyId);
  }

  /** @param about the users whose erasure also erases the text */
  keep(text: string, copyId: string, about: readonly string[]): Promise<Remark> {
    return this.remarks.keep(text, { stream: copyDecider.streamOf(copyId), about });
  }
}
