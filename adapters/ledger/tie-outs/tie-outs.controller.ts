import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { DoTieOut } from '../../../application/ledger/tie-outs/do-tie-out.js';
import { tieOutStripe } from '../../../application/ledger/endpoints.js';
import { Posting } from '../../../application/ledger/posting.js';
import { ReportUnreadable } from '../../../application/ledger/tie-outs/stripe-report.js';
import * as endpoints from '../../../application/ledger/reports/report-endpoints.js';
import { TieOuts } from '../../../application/ledger/tie-outs/tie-outs.js';
import { Streams } from '../../../application/shared/streams.js';
import { tieOutDecider } from '../../../domain/ledger/kept-tie-out.js';
import { Route, type Call } from '../../platform/http/route.js';

const SHOWN = 100;

@Controller()
export class TieOutsController {
  constructor(
    private readonly kept: TieOuts,
    private readonly streams: Streams,
    private readonly commands: CommandBus,
    private readonly posting: Posting,
  ) {}

  @Route(tieOutStripe)
  async tieOut({ actor, body: csv, query, refuse }: Call<typeof tieOutStripe>) {
    await this.posting.allPosted();
    try {
      return (await this.commands.execute(new DoTieOut(csv, query, actor.userId))).tieOut;
    } catch (error) {
      if (error instanceof ReportUnreadable)
        return refuse({ code: 'ReportUnreadable', detail: error.message });
      throw error;
    }
  }

  @Route(endpoints.listTieOuts)
  async list() {
    return { items: await this.kept.list(SHOWN) };
  }

  @Route(endpoints.readTieOut)
  async read({ params: { id }, refuse }: Call<typeof endpoints.readTieOut>) {
    const history = await this.streams.history(tieOutDecider, id);
    const done = history.at(-1);
    if (!done) return refuse({ code: 'NotFound' });
    const { sha256, by, at, isOver: _over, keyId: _key, signature: _signature, ...findings } = done.data;
    return {
      ...findings,
      id: sha256,
      doneBy: by,
      doneAt: at,
      position: done.position,
    };
  }

  @Route(endpoints.readProviderBalances)
  async balances() {
    await this.posting.allPosted();
    return { items: await this.kept.balances() };
  }
}
