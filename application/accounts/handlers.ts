import { randomUUID } from 'node:crypto';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { securityDecider } from '../../domain/accounts/security.js';
import { Clock } from '../shared/clock.js';
import { Remarks } from '../shared/remarks.js';
import { Streams } from '../shared/streams.js';
import { AccountStore } from './account-store.js';
import { EndSessions } from './commands.js';
import { Sessions } from './sessions.js';

@CommandHandler(EndSessions)
export class EndSessionsHandler implements ICommandHandler<EndSessions> {
  constructor(
    private readonly accounts: AccountStore,
    private readonly sessions: Sessions,
    private readonly streams: Streams,
    private readonly remarks: Remarks,
    private readonly clock: Clock,
  ) {}

  async execute({ userId, by, reason }: EndSessions): Promise<boolean> {
    if (!(await this.accounts.findById(userId))) return false;
    // First: whoever must be stopped is stopped, also where the log does not answer.
    await this.sessions.endAll(userId);
    const of = { stream: securityDecider.streamOf(userId), about: [userId] };
    const remark = await this.remarks.keep(reason, of);
    const now = this.clock.now().toISOString();
    const metadata = { actor: by, correlationId: randomUUID() };
    await this.streams.execute(
      securityDecider,
      userId,
      { type: 'EndSessions', userId, by, ...remark, now },
      metadata,
    );
    return true;
  }
}
