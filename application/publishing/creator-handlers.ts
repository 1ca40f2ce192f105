import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { creatorDecider } from '../../domain/publishing/creator-access.js';
import { Profiles } from '../profiles/profiles.js';
import { ApplyAsCreator, DecideOnCreator, type CreatorOutcome } from './creator-commands.js';
import { Remarks } from '../shared/remarks.js';
import { Creators } from './creators.js';
import { PublishingSettings } from './publishing-settings.js';

@CommandHandler(ApplyAsCreator)
export class ApplyAsCreatorHandler implements ICommandHandler<ApplyAsCreator> {
  constructor(
    private readonly creators: Creators,
    private readonly profiles: Profiles,
    private readonly settings: PublishingSettings,
  ) {}

  async execute({ userId }: ApplyAsCreator): Promise<CreatorOutcome> {
    await this.profiles.ensure(userId);
    const { autoApproveCreators: autoApprove } = this.settings;
    return this.creators.decide({ type: 'ApplyAsCreator', userId, autoApprove }, userId);
  }
}

@CommandHandler(DecideOnCreator)
export class DecideOnCreatorHandler implements ICommandHandler<DecideOnCreator> {
  constructor(
    private readonly creators: Creators,
    private readonly remarks: Remarks,
  ) {}

  async execute({ decision, by }: DecideOnCreator): Promise<CreatorOutcome> {
    if (!('reason' in decision)) return this.creators.decide(decision, by);
    const { userId, reason } = decision;
    const of = { stream: creatorDecider.streamOf(userId), about: [userId] };
    const remark = await this.remarks.keep(reason, of);
    return this.creators.decide({ ...decision, reason: '', ...remark }, by);
  }
}
