import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { obstacleToPublicChange, creatorDecider } from '../../../domain/publishing/creator-access.js';
import { aiPreferenceDecider, type AiPreference } from '../../../domain/publishing/ai-preference.js';
import { reject, type Outcome } from '../../../domain/shared/decision.js';
import { Clock } from '../../shared/clock.js';
import { Streams } from '../../shared/streams.js';
import type { NoAccess } from './creators.js';

export type AiPreferenceOutcome = Outcome<AiPreference, NoAccess>;

export class SetAiPreference extends Command<AiPreferenceOutcome> {
  constructor(
    readonly userId: string,
    readonly trains: boolean,
  ) {
    super();
  }
}

@CommandHandler(SetAiPreference)
export class SetAiPreferenceHandler implements ICommandHandler<SetAiPreference> {
  constructor(
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  async execute({ userId, trains }: SetAiPreference): Promise<AiPreferenceOutcome> {
    // A suspended creator may not allow AI training, but may forbid it.
    const { status } = trains ? await this.streams.load(creatorDecider, userId) : { status: undefined };
    const rejection = status && obstacleToPublicChange(status);
    if (rejection) return reject(rejection);
    const now = this.clock.now().toISOString();
    const command = { type: 'SetAiPreference', userId, trains, now } as const;
    await this.streams.execute(aiPreferenceDecider, userId, command, { actor: userId });
    return { accepted: true, trains };
  }
}
