import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { DoTieOut } from '../../../application/ledger/tie-outs/do-tie-out.js';
import { tieOutStripe } from '../../../application/ledger/endpoints.js';
import { Posting } from '../../../application/ledger/posting.js';
import { ReportUnreadable } from '../../../application/ledger/tie-outs/stripe-report.js';
import * as endpoints from '../../../application/ledger/reports/report-endpoints.js';
import { Materiality, SetMateriality } from '../../../application/ledger/materiality.js';
import { ReportFetches } from '../../../application/ledger/tie-outs/fetch-tie-out.js';
import { withIsoTimes } from '../../../application/shared/iso-times.js';
import { TieOuts } from '../../../application/ledger/tie-outs/tie-outs.js';
import { Streams } from '../../../application/shared/streams.js';
import { tieOutDecider } from '../../../domain/ledger/kept-tie-out.js';
import { Route, type Call } from '../../platform/http/route.js';

const SHOWN = 100;

@Controller()
export class TieOutsController {
  constructor(
    private readonly kept: TieOuts,
    private readonly fetches: ReportFetches,
    private readonly level: Materiality,
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
    const [items, fetch] = await Promise.all([this.kept.list(SHOWN), this.fetches.read()]);
    if (!fetch) return { items, fetch: null };
    const { comparedTo, comparedAt, nextAt, problem, runs } = fetch;
    const times = withIsoTimes({ comparedTo, comparedAt, nextAt });
    return { items, fetch: { ...times, isWaiting: runs.length > 0, problem } };
  }

  @Route(endpoints.readMateriality)
  async materiality() {
    return (await this.level.level()) ?? { amountMicroUsd: 0, by: null, at: null };
  }

  @Route(endpoints.setMateriality)
  async setMateriality({ actor, body }: Call<typeof endpoints.setMateriality>) {
    await this.commands.execute(new SetMateriality(body.amountMicroUsd, actor.userId));
    return this.materiality();
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
