import { Controller, Header, StreamableFile } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { EXPORT_TYPES } from '../../../application/ledger/export.js';
import { Posting } from '../../../application/ledger/posting.js';
import * as endpoints from '../../../application/ledger/reports/report-endpoints.js';
import { CreatorTaxReports, ExportCreatorTaxes } from '../../../application/ledger/tax/creator-taxes.js';
import { decodeCursor, pageOf } from '../../platform/database/cursor.js';
import { Route, type Call } from '../../platform/http/route.js';

@Controller()
export class CreatorTaxesController {
  constructor(
    private readonly reports: CreatorTaxReports,
    private readonly commands: CommandBus,
    private readonly posting: Posting,
  ) {}

  @Route(endpoints.exportCreatorTaxes)
  @Header('Cache-Control', 'private, no-store')
  async export({ actor, params: { year }, query: { country } }: Call<typeof endpoints.exportCreatorTaxes>) {
    await this.posting.allPosted();
    const { text } = await this.commands.execute(new ExportCreatorTaxes(year, actor.userId, country));
    return new StreamableFile(Buffer.from(text), {
      type: EXPORT_TYPES.csv.contentType,
      disposition: `attachment; filename="creator-taxes-${[year, country].filter(Boolean).join('-')}.csv"`,
    });
  }

  @Route(endpoints.reportCreatorTaxes)
  async summary({ params: { year } }: Call<typeof endpoints.reportCreatorTaxes>) {
    await this.posting.allPosted();
    return this.reports.summary(year);
  }

  @Route(endpoints.listIncompleteCreators)
  async incomplete({
    params: { year },
    query: { limit, cursor },
  }: Call<typeof endpoints.listIncompleteCreators>) {
    const [seen = 0] = decodeCursor(cursor, ['integer']) ?? [];
    await this.posting.allPosted();
    const all = await this.reports.incomplete(year);
    const { shown, nextCursor } = pageOf(all.slice(seen, seen + limit + 1), limit, () => [seen + limit]);
    return {
      items: shown.map(({ creatorId, person, report, missing, total }) => ({
        creatorId,
        country: person.country,
        report,
        missing,
        royaltiesMicroUsd: total.royaltiesMicroUsd,
      })),
      nextCursor,
      total: all.length,
    };
  }

  @Route(endpoints.askIncompleteCreators)
  async ask({ params: { year } }: Call<typeof endpoints.askIncompleteCreators>) {
    await this.posting.allPosted();
    return { asked: await this.reports.ask(year) };
  }
}
