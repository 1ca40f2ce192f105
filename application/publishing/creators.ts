import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  creatorDecider,
  obstacleToPublishing,
  type CreatorCommand,
} from '../../domain/publishing/creator-access.js';
import { Clock } from '../shared/clock.js';
import { Streams, type Unclocked } from '../shared/streams.js';
import type { CreatorOutcome } from './creator-commands.js';

/** Why a person may neither upload nor publish. */
export interface NoAccess {
  accepted: false;
  rejection: NonNullable<ReturnType<typeof obstacleToPublishing>>;
}

/** Who may upload and publish, and how that changes. */
@Injectable()
export class Creators {
  constructor(
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  /** What keeps this user from uploading or publishing now; undefined if nothing does. */
  async obstacle(userId: string): Promise<NoAccess['rejection'] | undefined> {
    return obstacleToPublishing((await this.streams.load(creatorDecider, userId)).status);
  }

  async decide(decision: Unclocked<CreatorCommand>, actor: string): Promise<CreatorOutcome> {
    const command = { ...decision, now: this.clock.now().toISOString() };
    const metadata = { actor, correlationId: randomUUID() };
    const outcome = await this.streams.execute(creatorDecider, command.userId, command, metadata);
    return outcome.accepted ? { accepted: true, status: outcome.state.status } : outcome;
  }
}
