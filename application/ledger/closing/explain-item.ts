import { Command, CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import { explainedDecider } from '../../../domain/ledger/explained-item.js';
import { reject, type Outcome } from '../../../domain/shared/decision.js';
import { Clock } from '../../shared/clock.js';
import { Remarks } from '../../shared/remarks.js';
import { Streams } from '../../shared/streams.js';
import { OpenBookQueries } from '../queries.js';

export class ExplainItem extends Command<Outcome<object, { code: 'NotFound' }>> {
  constructor(readonly explained: { account: string; about: string; note: string; by: string }) {
    super();
  }
}

@CommandHandler(ExplainItem)
export class ExplainItemHandler implements ICommandHandler<ExplainItem> {
  constructor(
    private readonly open: OpenBookQueries,
    private readonly streams: Streams,
    private readonly remarks: Remarks,
    private readonly clock: Clock,
  ) {}

  async execute({ explained }: ExplainItem): Promise<CommandResult<ExplainItem>> {
    const { account, about, note, by } = explained;
    const now = this.clock.now();
    const { items } = await this.open.clearable(now);
    if (!items.some((item) => item.account === account && item.about === about))
      return reject({ code: 'NotFound' });
    const item = { account, about };
    const stream = explainedDecider.streamOf(item);
    const said = await this.remarks.keep(note, { stream, about: [] });
    const command = {
      type: 'ExplainItem',
      ...item,
      by,
      reason: '',
      ...said,
      now: now.toISOString(),
    } as const;
    await this.streams.execute(explainedDecider, item, command, { actor: by, correlationId: stream });
    return { accepted: true };
  }
}
