import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { verificationDecider, type VerificationRejection } from '../../domain/publishing/verification.js';
import type { Outcome } from '../../domain/shared/decision.js';
import { DisplayNames, type NameTaken } from '../accounts/display-names.js';
import { Clock } from '../shared/clock.js';
import { Streams } from '../shared/streams.js';

export type VerificationOutcome = Outcome<
  { verified: boolean },
  VerificationRejection | NameTaken | { code: 'NotFound' | 'StaleVersion' }
>;

/** Ends the verification of a creator's name. */
export class EndVerification extends Command<VerificationOutcome> {
  /** @param isRename the creator changed the name; otherwise an administrator decided */
  constructor(
    readonly userId: string,
    readonly by: string,
    readonly isRename = false,
  ) {
    super();
  }
}

@CommandHandler(EndVerification)
export class EndVerificationHandler implements ICommandHandler<EndVerification> {
  constructor(
    private readonly streams: Streams,
    private readonly clock: Clock,
    private readonly names: DisplayNames,
  ) {}

  async execute({ userId, by, isRename }: EndVerification): Promise<VerificationOutcome> {
    // A rename has already cleared the verified name. `setVerified` would also clear the former one, which staff see.
    if (!isRename) await this.names.setVerified(userId, null);
    const command = { type: 'EndVerification', userId, by, now: this.clock.now().toISOString() } as const;
    const outcome = await this.streams.execute(verificationDecider, userId, command, { actor: by });
    return outcome.accepted ? { accepted: true, verified: false } : outcome;
  }
}
