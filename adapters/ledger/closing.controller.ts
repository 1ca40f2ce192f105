import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import * as endpoints from '../../application/ledger/endpoints.js';
import { ClosingChecklist } from '../../application/ledger/closing/close-period.js';
import { ExplainItem, RequestAdjustingEntry } from '../../application/ledger/closing/adjusting-entries.js';
import { RequestReopening } from '../../application/ledger/closing/begin-and-reopen.js';
import { ClosePackages } from '../../application/ledger/closing/close-package.js';
import { SignPeriod } from '../../application/ledger/closing/sign-period.js';
import { BookQueries } from '../../application/ledger/queries.js';
import { Posting } from '../../application/ledger/posting.js';
import { sendArchive } from '../platform/http/files.js';
import { idOfRequest } from '../platform/http/idempotency.js';
import { refuse as refuseAny } from '../platform/http/request.js';
import { Route, type Call } from '../platform/http/route.js';

@Controller()
export class ClosingController {
  constructor(
    private readonly checklist: ClosingChecklist,
    private readonly packages: ClosePackages,
    private readonly books: BookQueries,
    private readonly commands: CommandBus,
    private readonly posting: Posting,
  ) {}

  @Route(endpoints.requestAdjustingEntry)
  async adjust({ actor, idempotencyKey, body }: Call<typeof endpoints.requestAdjustingEntry>) {
    const entryId = idOfRequest(actor, idempotencyKey);
    await this.posting.allPosted();
    const asked = await this.commands.execute(
      new RequestAdjustingEntry({ ...body, entryId, by: actor.userId }),
    );
    return asked.accepted ? { id: entryId, status: 'waiting' as const } : refuseAny(asked.rejection);
  }

  @Route(endpoints.explainItem)
  async explain({ actor, body, refuse }: Call<typeof endpoints.explainItem>) {
    await this.posting.allPosted();
    const outcome = await this.commands.execute(new ExplainItem({ ...body, by: actor.userId }));
    return outcome.accepted ? undefined : refuse(outcome.rejection);
  }

  @Route(endpoints.readChecklist)
  async read({ params: { month } }: Call<typeof endpoints.readChecklist>) {
    await this.posting.allPosted();
    const { items } = await this.checklist.of(month);
    return { month, ready: items.every(({ done }) => done), items };
  }

  @Route(endpoints.signPeriod)
  async sign({ actor, params: { month }, refuse }: Call<typeof endpoints.signPeriod>) {
    const outcome = await this.commands.execute(new SignPeriod(month, actor.userId));
    if (!outcome.accepted) return refuseAny(outcome.rejection);
    const { items } = await this.books.closedPeriods();
    return items.find((period) => period.month === month) ?? refuse({ code: 'PeriodIsOpen' });
  }

  @Route(endpoints.exportClosePackage)
  async package(call: Call<typeof endpoints.exportClosePackage>): Promise<void> {
    const { params, response, refuse } = call;
    await this.posting.allPosted();
    const packed = await this.packages.of(params.month);
    if (!packed.accepted) return refuse(packed.rejection);
    await sendArchive(response, packed);
  }

  @Route(endpoints.requestReopening)
  async reopen(call: Call<typeof endpoints.requestReopening>) {
    const { actor, idempotencyKey, params, body } = call;
    const id = idOfRequest(actor, idempotencyKey);
    const request = { approvalId: id, ...params, ...body, by: actor.userId };
    const asked = await this.commands.execute(new RequestReopening(request));
    return asked.accepted ? { id, status: 'waiting' as const } : refuseAny(asked.rejection);
  }
}
