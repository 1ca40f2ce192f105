import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { assert, type Outcome } from '../../domain/shared/decision.js';
import {
  complaintDecider,
  type ComplaintRejection,
  type ComplaintStatus,
  type ComplaintCommand,
} from '../../domain/complaints/complaint.js';
import type { Remark } from '../../domain/shared/remark.js';
import { Clock } from '../shared/clock.js';
import { Remarks } from '../shared/remarks.js';
import { Streams, type Unclocked } from '../shared/streams.js';
import { CarryOutComplaints } from './carry-out-complaints.js';

export type ComplaintOutcome = Outcome<{ id: string; status: ComplaintStatus }, ComplaintRejection>;

export const NOT_FOUND = { accepted: false, rejection: { code: 'NotFound' } } as const;

/** Decides about complaints, and carries out the result. */
@Injectable()
export class DecidedComplaints {
  constructor(
    private readonly streams: Streams,
    private readonly remarks: Remarks,
    private readonly effects: CarryOutComplaints,
    private readonly clock: Clock,
  ) {}

  async decide(
    complaintId: string,
    decided: Unclocked<ComplaintCommand>,
    actor: string,
  ): Promise<ComplaintOutcome> {
    const command = { ...decided, now: this.clock.now().toISOString() };
    const metadata = { actor, correlationId: randomUUID() };
    const outcome = await this.streams.execute(complaintDecider, complaintId, command, metadata);
    if (!outcome.accepted) return outcome;
    assert(outcome.state.status !== 'none', 'a decided complaint exists');
    for (const event of outcome.events) await this.effects.carryOut(event);
    return { accepted: true, id: complaintId, status: outcome.state.status };
  }

  load(complaintId: string) {
    return this.streams.load(complaintDecider, complaintId);
  }

  /** Keeps a remark that is about both sides: it is forgotten when either of them is erased. */
  async keep(text: string, complaintId: string): Promise<Remark | undefined> {
    const complaint = await this.load(complaintId);
    if (complaint.status === 'none') return undefined;
    const { creatorId, by } = complaint;
    return this.remarks.keep(text, {
      stream: complaintDecider.streamOf(complaintId),
      about: by === undefined || by === creatorId ? [creatorId] : [creatorId, by],
    });
  }
}
