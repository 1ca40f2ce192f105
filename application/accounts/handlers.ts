import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { securityDecider } from '../../domain/accounts/security.js';
import { Clock } from '../shared/clock.js';
import { Remarks } from '../shared/remarks.js';
import { Streams } from '../shared/streams.js';
import { AccountStore } from './account-store.js';
import { AccountMails } from './account-mails.js';
import { EndSessions, ResetFactors, type SecureAccount } from './commands.js';
import { CodeStore } from './factors/factor-stores.js';
import { Sessions } from './sessions/sessions.js';

@Injectable()
abstract class SecureAccountHandler {
  constructor(
    private readonly accounts: AccountStore,
    private readonly sessions: Sessions,
    private readonly codes: CodeStore,
    private readonly mails: AccountMails,
    private readonly streams: Streams,
    private readonly remarks: Remarks,
    private readonly clock: Clock,
  ) {}

  async execute({ type, userId, by, reason }: SecureAccount): Promise<boolean> {
    const account = await this.accounts.findById(userId);
    if (!account) return false;
    // Comes first, so that an attacker is locked out even if the log is unavailable.
    if (type === 'ResetFactors') await this.codes.removeAll(userId);
    await this.sessions.endAll(userId);
    const of = { stream: securityDecider.streamOf(userId), about: [userId] };
    const remark = await this.remarks.keep(reason, of);
    const now = this.clock.now().toISOString();
    const metadata = { actor: by, correlationId: randomUUID() };
    await this.streams.execute(securityDecider, userId, { type, userId, by, ...remark, now }, metadata);
    if (type === 'ResetFactors')
      await this.mails.sendSecurityChanged(
        account,
        'Our staff removed your passkeys, authenticator app and recovery codes, and signed you out.',
      );
    return true;
  }
}

@CommandHandler(EndSessions)
export class EndSessionsHandler extends SecureAccountHandler implements ICommandHandler<EndSessions> {}

@CommandHandler(ResetFactors)
export class ResetFactorsHandler extends SecureAccountHandler implements ICommandHandler<ResetFactors> {}
