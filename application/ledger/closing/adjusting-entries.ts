import { Command, CommandBus, CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import { chartedAccount } from '../../../domain/ledger/accounts.js';
import {
  adjustingDecider,
  explainedDecider,
  linesOf,
  obstacleTo,
  type SuspenseItem,
  type AdjustingRejection,
  type Clearing,
  type PostedEntry,
} from '../../../domain/ledger/adjusting-entry.js';
import { endOf, periodDecider, type PeriodRejection } from '../../../domain/ledger/period.js';
import { reject, type Outcome } from '../../../domain/shared/decision.js';
import { RequestApproval } from '../../approvals/decide-on-request.js';
import { Clock } from '../../shared/clock.js';
import { ReadModelProgress } from '../../shared/read-model-progress.js';
import { Remarks } from '../../shared/remarks.js';
import { Streams } from '../../shared/streams.js';
import { POSTING_LIMIT_MS } from '../posting.js';
import type { OpenItems } from '../contract.js';
import { BookQueries, OpenBookQueries } from '../queries.js';
import type { ApprovalResult } from '../../approvals/approvals.js';

interface RequestedEntry extends Clearing {
  entryId: string;
  month?: string | undefined;
  evidence: string;
  reason: string;
  by: string;
}

/**
 * Requests an entry that clears an item in suspense, in the reserve or owed to a
 * customer. Nothing is posted before a second person approves.
 */
export class RequestAdjustingEntry extends Command<ApprovalResult<AdjustingRejection | PeriodRejection>> {
  constructor(readonly requested: RequestedEntry) {
    super();
  }
}

/** Posts an approved entry, once per id. */
export class PostAdjustingEntry extends Command<Outcome<object, AdjustingRejection | PeriodRejection>> {
  constructor(readonly entry: PostedEntry) {
    super();
  }
}

@CommandHandler(RequestAdjustingEntry)
export class RequestAdjustingEntryHandler implements ICommandHandler<RequestAdjustingEntry> {
  constructor(
    private readonly open: OpenBookQueries,
    private readonly books: BookQueries,
    private readonly streams: Streams,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  async execute({ requested }: RequestAdjustingEntry): Promise<CommandResult<RequestAdjustingEntry>> {
    const { entryId, month, evidence, reason, by, ...clearing } = requested;
    const now = this.clock.now();
    const found = linesOf(clearing, suspenseItems(await this.open.clearable(now)));
    if (!found.accepted) return found;
    if (month !== undefined) {
      const then = suspenseItems(await this.open.clearable(now, endOf(month)));
      const period = await this.streams.load(periodDecider, month);
      const turn = { month, now: now.toISOString(), ...(await this.books.turn()) };
      const decided = periodDecider.decide({ type: 'AdjustPeriod', entryId, ...turn }, period);
      if (!decided.accepted) return decided;
      const obstacle = obstacleTo(found.lines, then);
      if (obstacle) return reject(obstacle);
    }
    const work = { kind: 'adjusting-entry' as const, lines: found.lines, evidence, month };
    return this.commands.execute(new RequestApproval({ approvalId: entryId, work, by, reason }));
  }
}

@CommandHandler(PostAdjustingEntry)
export class PostAdjustingEntryHandler implements ICommandHandler<PostAdjustingEntry> {
  constructor(
    private readonly open: OpenBookQueries,
    private readonly books: BookQueries,
    private readonly progress: ReadModelProgress,
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  execute({ entry }: PostAdjustingEntry): Promise<CommandResult<PostAdjustingEntry>> {
    const { entryId, month, requestedBy: actor } = entry;
    const now = this.clock.now();
    return this.streams.transact({ actor, correlationId: entryId }, async (work) => {
      const entries = await work.open(adjustingDecider, undefined);
      if (entries.state.has(entryId)) return { accepted: true };
      // The streams of the adjusting entries and of the month are opened before the items are
      // read, so that a concurrent entry conflicts and the work restarts.
      const period = month === undefined ? undefined : await work.open(periodDecider, month);
      const { position } = await this.streams.head();
      if (!(await this.progress.caughtUp(position, POSTING_LIMIT_MS, ['journal'])))
        throw new Error('the books are too far behind to post an entry');
      const items = suspenseItems(await this.open.clearable(now));
      const at = now.toISOString();
      const effective = month !== undefined && {
        effectiveAt: endOf(month).toISOString(),
        itemsThen: suspenseItems(await this.open.clearable(now, endOf(month))),
      };
      const post = { type: 'PostAdjustingEntry', ...entry, ...effective, items, now: at } as const;
      const posted = adjustingDecider.decide(post, entries.state);
      if (!posted.accepted) return posted;
      if (period && month !== undefined) {
        const turn = await this.books.turn();
        const adjusted = period.decide({ type: 'AdjustPeriod', month, entryId, now: at, ...turn });
        if (!adjusted.accepted) return adjusted;
      }
      entries.add(posted.events);
      return { accepted: true };
    });
  }
}

const suspenseItems = ({ items }: OpenItems): SuspenseItem[] =>
  items.map(({ account, about, amountMicro }) => ({
    account,
    about,
    balance: chartedAccount(account)?.kind === 'asset' ? amountMicro : -amountMicro,
  }));

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
    const said = { by, reason: '', ...(await this.remarks.keep(note, { stream, about: [] })) };
    const command = { type: 'ExplainItem', ...item, ...said, now: now.toISOString() } as const;
    return this.streams.execute(explainedDecider, item, command, { actor: by, correlationId: stream });
  }
}
