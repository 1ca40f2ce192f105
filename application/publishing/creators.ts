import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  creatorStandingDecider,
  obstacleToPublishing,
  type CreatorCommand,
  type CreatorEvent,
  type CreatorRejection,
  type CreatorStanding,
} from '../../domain/publishing/creator-standing.js';
import { Clock } from '../shared/clock.js';
import { EventStore, StreamVersionConflict } from '../shared/event-store.js';
import { Profiles } from '../profiles/profiles.js';
import { PublishingSettings } from './publishing-settings.js';

const ATTEMPTS = 3;

export type StandingOutcome =
  { accepted: true; status: CreatorStanding['status'] } | { accepted: false; rejection: CreatorRejection };

type Decided<Command> = Command extends unknown ? Omit<Command, 'now'> : never;

/** Who may upload and publish, and how that changes. */
@Injectable()
export class Creators {
  constructor(
    private readonly eventStore: EventStore,
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
    return obstacleToPublishing((await this.load(userId)).standing.status);
  }

  private async execute(decided: Decided<CreatorCommand>, actor: string): Promise<StandingOutcome> {
    const command = { ...decided, now: this.clock.now().toISOString() } as CreatorCommand;
    const correlationId = randomUUID();
    for (let attempt = 1; ; attempt++) {
      const { standing, version } = await this.load(command.userId);
      const decision = creatorStandingDecider.decide(command, standing);
      if (!decision.accepted) return decision;
      const { events } = decision;
      const { status } = events.reduce(creatorStandingDecider.evolve, standing);
      if (events.length === 0) return { accepted: true, status };
      try {
        const stream = creatorStandingDecider.streamOf(command.userId);
        await this.eventStore.append([{ stream, expectedVersion: version, events }], {
          actor,
          correlationId,
        });
        return { accepted: true, status };
      } catch (error) {
        if (!(error instanceof StreamVersionConflict) || attempt >= ATTEMPTS) throw error;
      }
    }
  }

  private async load(userId: string): Promise<{ standing: CreatorStanding; version: number }> {
    const history = await this.eventStore.readStream(creatorStandingDecider.streamOf(userId));
    const events = history as unknown as CreatorEvent[];
    return {
      standing: events.reduce(creatorStandingDecider.evolve, creatorStandingDecider.initialState),
      version: history.length,
    };
  }
}
