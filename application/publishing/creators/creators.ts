import { Injectable } from '@nestjs/common';
import {
  creatorDecider,
  obstacleToPublishing,
  type CreatorCommand,
  type CreatorRejection,
  type CreatorStatus,
} from '../../../domain/publishing/creator-access.js';
import { verificationDecider, type VerificationCommand } from '../../../domain/publishing/verification.js';
import { reject, type Outcome } from '../../../domain/shared/decision.js';
import type { NameTaken } from '../../accounts/account-store.js';
import { Clock } from '../../shared/clock.js';
import { Remarks, textOf } from '../../shared/remarks.js';
import { Streams, type Unclocked } from '../../shared/streams.js';

export type NoAccess = NonNullable<ReturnType<typeof obstacleToPublishing>>;

export type CreatorOutcome = Outcome<{ status: CreatorStatus['status'] }, CreatorRejection | NameTaken>;

@Injectable()
export class Creators {
  constructor(
    private readonly streams: Streams,
    private readonly remarks: Remarks,
    private readonly clock: Clock,
  ) {}

  async obstacle(userId: string): Promise<NoAccess | undefined> {
    return obstacleToPublishing(await this.status(userId));
  }

  async status(userId: string): Promise<CreatorStatus['status']> {
    return (await this.streams.load(creatorDecider, userId)).status;
  }

  decideOnVerification(decision: Unclocked<VerificationCommand>) {
    const command = { ...decision, now: this.clock.now().toISOString() };
    return this.streams.execute(verificationDecider, command.userId, command, { actor: decision.by });
  }

  async decide(decision: Unclocked<CreatorCommand>, actor: string): Promise<CreatorOutcome> {
    const command = { ...decision, now: this.clock.now().toISOString() };
    const outcome = await this.streams.execute(creatorDecider, command.userId, command, { actor });
    if (outcome.accepted) return { accepted: true, status: outcome.state.status };
    const { rejection } = outcome;
    if (rejection.code !== 'CreatorSuspended') return outcome;
    const reason = await textOf(this.remarks, rejection);
    return reject({ code: rejection.code, reason });
  }
}
