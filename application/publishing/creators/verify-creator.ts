import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { reject } from '../../../domain/shared/decision.js';
import { DisplayNames } from '../../accounts/display-names.js';
import type { VerificationOutcome } from '../../profiles/end-verification.js';
import { Creators } from './creators.js';

/** Records that an administrator verified the identity of the creator with this name. */
export class VerifyCreator extends Command<VerificationOutcome> {
  constructor(
    readonly userId: string,
    readonly displayName: string,
    readonly by: string,
  ) {
    super();
  }
}

@CommandHandler(VerifyCreator)
export class VerifyCreatorHandler implements ICommandHandler<VerifyCreator> {
  constructor(
    private readonly creators: Creators,
    private readonly names: DisplayNames,
  ) {}

  async execute({ userId, displayName, by }: VerifyCreator): Promise<VerificationOutcome> {
    if (await this.creators.obstacle(userId)) return reject({ code: 'NotFound' });
    const name = await this.names.claim(userId);
    if (name === undefined) return reject({ code: 'DisplayNameTaken' });
    // The creator changed the name after the administrator had checked it.
    if (name !== displayName) return reject({ code: 'StaleVersion' });
    const outcome = await this.creators.decideOnVerification({ type: 'VerifyCreator', userId, by });
    if (!outcome.accepted) return outcome;
    await this.names.setVerified(userId, displayName);
    return { accepted: true, verified: true };
  }
}
