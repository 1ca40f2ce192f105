import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { securityDecider, type SecurityCommand } from '../../domain/accounts/security.js';
import { reject, type Outcome } from '../../domain/shared/decision.js';
import { Clock } from '../shared/clock.js';
import { Remarks } from '../shared/remarks.js';
import { Streams } from '../shared/streams.js';
import { AccountMails } from './account-mails.js';
import { AccountStore } from './account-store.js';
import { CodeStore } from './factors/factor-stores.js';
import { Sessions } from './sessions/sessions.js';

type SecuredOutcome = Outcome<object, { code: 'NotFound' }>;

abstract class SecureAccount extends Command<SecuredOutcome> {
  abstract readonly type: SecurityCommand['type'];

  constructor(
    readonly userId: string,
    readonly by: string,
    readonly reason: string,
  ) {
    super();
  }
}

export class EndSessions extends SecureAccount {
  readonly type = 'EndSessions';
}

/** Removes a user's passkeys, authenticator app and recovery codes, and ends every session. */
export class ResetFactors extends SecureAccount {
  readonly type = 'ResetFactors';
}

@CommandHandler(SecureAccount)
export class SecureAccountHandler implements ICommandHandler<SecureAccount> {
  constructor(
    private readonly accounts: AccountStore,
    private readonly sessions: Sessions,
    private readonly codes: CodeStore,
    private readonly mails: AccountMails,
    private readonly streams: Streams,
    private readonly remarks: Remarks,
    private readonly clock: Clock,
  ) {}

  async execute({ type, userId, by, reason }: SecureAccount): Promise<SecuredOutcome> {
    const account = await this.accounts.findById(userId);
    if (!account) return reject({ code: 'NotFound' });
    // Access is removed first, so that an attacker is locked out even if the log cannot be written.
    if (type === 'ResetFactors') await this.codes.removeAll(userId);
    await this.sessions.endAll(userId);
    const of = { stream: securityDecider.streamOf(userId), about: [userId] };
    const remark = await this.remarks.keep(reason, of);
    const now = this.clock.now().toISOString();
    await this.streams.execute(securityDecider, userId, { type, userId, by, ...remark, now }, { actor: by });
    if (type === 'ResetFactors')
      await this.mails.send(account, {
        letter: 'security-changed',
        change: 'Our staff removed your passkeys, authenticator app and recovery codes, and signed you out.',
      });
    return { accepted: true };
  }
}
