import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { reject } from '../../../domain/shared/decision.js';
import { DisplayNames } from '../../accounts/display-names.js';
import { Profiles } from '../../profiles/profiles.js';
import { Creators, type CreatorOutcome } from './creators.js';
import { PublishingSettings } from '../publishing-settings.js';

/** Requests creator access. An administrator decides, unless the configuration approves automatically. */
export class ApplyAsCreator extends Command<CreatorOutcome> {
  constructor(readonly userId: string) {
    super();
  }
}

@CommandHandler(ApplyAsCreator)
export class ApplyAsCreatorHandler implements ICommandHandler<ApplyAsCreator> {
  constructor(
    private readonly creators: Creators,
    private readonly profiles: Profiles,
    private readonly names: DisplayNames,
    private readonly settings: PublishingSettings,
  ) {}

  async execute({ userId }: ApplyAsCreator): Promise<CreatorOutcome> {
    await this.profiles.ensure(userId);
    while ((await this.names.claim(userId)) === undefined)
      if (!(await this.profiles.renewDefaultName(userId))) return reject({ code: 'DisplayNameTaken' });
    const { autoApproveCreators: autoApprove } = this.settings;
    return this.creators.decide({ type: 'ApplyAsCreator', userId, autoApprove }, userId);
  }
}
