import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { creatorDecider, type CreatorCommand } from '../../../domain/publishing/creator-access.js';
import { reject } from '../../../domain/shared/decision.js';
import { DisplayNames } from '../../accounts/display-names.js';
import { Remarks } from '../../shared/remarks.js';
import type { Unclocked } from '../../shared/streams.js';
import { Creators, type CreatorOutcome } from './creators.js';

export abstract class DecideOnCreator extends Command<CreatorOutcome> {
  constructor(
    readonly decision: Unclocked<CreatorCommand>,
    readonly by: string,
  ) {
    super();
  }
}

export class ApproveCreator extends DecideOnCreator {
  constructor(userId: string, by: string) {
    super({ type: 'ApproveCreator', userId, by }, by);
  }
}

export class DeclineCreator extends DecideOnCreator {
  constructor(userId: string, by: string, reason: string) {
    super({ type: 'DeclineCreator', userId, by, reason }, by);
  }
}

export class SuspendCreator extends DecideOnCreator {
  constructor(userId: string, by: string, reason: string) {
    super({ type: 'SuspendCreator', userId, by, reason }, by);
  }
}

export class ReinstateCreator extends DecideOnCreator {
  constructor(userId: string, by: string) {
    super({ type: 'ReinstateCreator', userId, by }, by);
  }
}

@CommandHandler(DecideOnCreator)
export class DecideOnCreatorHandler implements ICommandHandler<DecideOnCreator> {
  constructor(
    private readonly creators: Creators,
    private readonly names: DisplayNames,
    private readonly remarks: Remarks,
  ) {}

  async execute({ decision, by }: DecideOnCreator): Promise<CreatorOutcome> {
    const { type, userId } = decision;
    // Another creator may have claimed the name since the application was declined.
    const isApproval = type === 'ApproveCreator' && (await this.creators.status(userId)) !== 'none';
    if (isApproval && !(await this.names.claim(userId))) return reject({ code: 'DisplayNameTaken' });
    const outcome = await this.decide(decision, by);
    if (type === 'DeclineCreator' && outcome.accepted) await this.names.release(userId);
    return outcome;
  }

  private async decide(decision: DecideOnCreator['decision'], by: string): Promise<CreatorOutcome> {
    if (!('reason' in decision)) return this.creators.decide(decision, by);
    const { userId, reason } = decision;
    const of = { stream: creatorDecider.streamOf(userId), about: [userId] };
    const remark = await this.remarks.keep(reason, of);
    return this.creators.decide({ ...decision, reason: '', ...remark }, by);
  }
}
