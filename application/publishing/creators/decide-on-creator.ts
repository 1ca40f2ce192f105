import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { reject } from '../../../domain/shared/decision.js';
import { DisplayNames } from '../../accounts/account-store.js';
import { Profiles, type VerificationOutcome } from '../../profiles/profiles.js';
import { Creators, type CreatorOutcome } from './creators.js';
import { PublishingSettings } from '../publishing-settings.js';
import { creatorDecider, type CreatorCommand } from '../../../domain/publishing/creator-access.js';
import { Remarks } from '../../shared/remarks.js';
import type { Unclocked } from '../../shared/streams.js';

/** Requests creator access. An administrator decides, unless the configuration approves automatically. */
export class ApplyAsCreator extends Command<CreatorOutcome> {
  constructor(
    readonly userId: string,
    readonly application: { text?: string | undefined; links?: readonly string[] | undefined } = {},
  ) {
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
    private readonly remarks: Remarks,
  ) {}

  async execute({ userId, application }: ApplyAsCreator): Promise<CreatorOutcome> {
    await this.profiles.ensure(userId);
    while ((await this.names.claim(userId)) === undefined)
      if (!(await this.profiles.renewDefaultName(userId))) return reject({ code: 'DisplayNameTaken' });
    const { autoApproveCreators: autoApprove } = this.settings;
    const { text = '', links = [] } = application;
    // Links can identify a person, as the text can, so both are stored outside the log, where they can be erased.
    const written = [text, ...links].filter((line) => line !== '').join('\n');
    const of = { stream: creatorDecider.streamOf(userId), about: [userId] };
    const said = written === '' ? {} : { reason: '', ...(await this.remarks.keep(written, of)) };
    return this.creators.decide({ type: 'ApplyAsCreator', userId, autoApprove, ...said }, userId);
  }
}

/** Takes back an application before its decision, and gives up the display name that it had claimed. */
export class WithdrawApplication extends Command<CreatorOutcome> {
  constructor(readonly userId: string) {
    super();
  }
}

@CommandHandler(WithdrawApplication)
export class WithdrawApplicationHandler implements ICommandHandler<WithdrawApplication> {
  constructor(
    private readonly creators: Creators,
    private readonly names: DisplayNames,
  ) {}

  async execute({ userId }: WithdrawApplication): Promise<CreatorOutcome> {
    const outcome = await this.creators.decide({ type: 'WithdrawApplication', userId }, userId);
    if (outcome.accepted) await this.names.release(userId);
    return outcome;
  }
}

abstract class DecideOnCreator extends Command<CreatorOutcome> {
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

export class AskApplicant extends DecideOnCreator {
  constructor(userId: string, by: string, reason: string) {
    super({ type: 'AskApplicant', userId, by, reason }, by);
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
    // An approval claims the display name, because another creator may have taken it since the last decision.
    const isApproval = type === 'ApproveCreator' && (await this.creators.status(userId)) !== 'none';
    if (isApproval && !(await this.names.claim(userId))) return reject({ code: 'DisplayNameTaken' });
    const outcome = await this.decide(decision, by);
    if (type === 'DeclineCreator' && outcome.accepted) await this.names.release(userId);
    return outcome;
  }

  private async decide(decision: DecideOnCreator['decision'], by: string): Promise<CreatorOutcome> {
    if (!('reason' in decision)) return this.creators.decide(decision, by);
    const { userId, reason = '' } = decision;
    const of = { stream: creatorDecider.streamOf(userId), about: [userId] };
    const remark = await this.remarks.keep(reason, of);
    return this.creators.decide({ ...decision, reason: '', ...remark }, by);
  }
}

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
    // Refuses if the creator changed the name after the administrator had looked at it.
    if (name !== displayName) return reject({ code: 'StaleVersion' });
    const outcome = await this.creators.decideOnVerification({ type: 'VerifyCreator', userId, by });
    if (!outcome.accepted) return outcome;
    await this.names.setVerified(userId, displayName);
    return { accepted: true, verified: true };
  }
}
