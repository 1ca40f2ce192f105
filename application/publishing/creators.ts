import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  creatorStandingDecider,
  obstacleToPublishing,
  type CreatorCommand,
  type CreatorRejection,
  type CreatorStanding,
} from '../../domain/publishing/creator-standing.js';
import { Clock } from '../shared/clock.js';
import { Profiles } from '../profiles/profiles.js';
import { Streams } from '../shared/streams.js';
import { PublishingSettings } from './publishing-settings.js';

export type StandingOutcome =
  { accepted: true; status: CreatorStanding['status'] } | { accepted: false; rejection: CreatorRejection };

type Decided<Command> = Command extends unknown ? Omit<Command, 'now'> : never;

/** Who may upload and publish, and how that changes. */
@Injectable()
export class Creators {
  constructor(
    private readonly streams: Streams,
    private readonly profiles: Profiles,
    private readonly settings: PublishingSettings,
    private readonly clock: Clock,
  ) {}

  /** Approved at once where the configuration says so, else an admin decides. */
  async apply(userId: string): Promise<StandingOutcome> {
    await this.profiles.ensure(userId);
    const { autoApproveCreators: autoApprove } = this.settings;
    return this.execute({ type: 'ApplyAsCreator', userId, autoApprove }, userId);
  }

  async approve(userId: string, adminId: string): Promise<StandingOutcome> {
    return this.execute({ type: 'ApproveCreator', userId, by: adminId }, adminId);
  }

  async decline(userId: string, adminId: string, reason: string): Promise<StandingOutcome> {
    return this.execute({ type: 'DeclineCreator', userId, by: adminId, reason }, adminId);
  }

  async suspend(userId: string, adminId: string, reason: string): Promise<StandingOutcome> {
    return this.execute({ type: 'SuspendCreator', userId, by: adminId, reason }, adminId);
  }

  async reinstate(userId: string, adminId: string): Promise<StandingOutcome> {
    return this.execute({ type: 'ReinstateCreator', userId, by: adminId }, adminId);
  }

  /** What stands between this user and uploading or publishing now; undefined when nothing does. */
  async obstacle(userId: string): Promise<ReturnType<typeof obstacleToPublishing>> {
    return obstacleToPublishing((await this.streams.load(creatorStandingDecider, userId)).status);
  }

  private async execute(decided: Decided<CreatorCommand>, actor: string): Promise<StandingOutcome> {
    const command = { ...decided, now: this.clock.now().toISOString() } as CreatorCommand;
    const { userId } = command;
    const metadata = { actor, correlationId: randomUUID() };
    const outcome = await this.streams.execute(creatorStandingDecider, userId, command, metadata);
    return outcome.accepted ? { accepted: true, status: outcome.state.status } : outcome;
  }
}
