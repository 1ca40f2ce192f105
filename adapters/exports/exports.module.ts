import { Module, Controller } from '@nestjs/common';
import { ExportContents, type ExportKind } from '../../application/exports/export-contents.js';
import { ExportStore, PreparedExports } from '../../application/exports/prepared-exports.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { MailModule } from '../mail/mail.module.js';
import { PostgresExports } from './postgres-exports.js';
import { Route, type Call } from '../platform/http/route.js';
import * as endpoints from '../../application/exports/endpoints.js';

@Controller()
class ExportsController {
  constructor(private readonly exports: PreparedExports) {}

  @Route(endpoints.orderPersonalData)
  orderPersonalData({ actor }: Call<typeof endpoints.orderPersonalData>) {
    return this.exports.order(actor.userId, { kind: 'personal-data' });
  }

  @Route(endpoints.listPersonalData)
  async listPersonalData({ actor }: Call<typeof endpoints.listPersonalData>) {
    return { items: await this.exports.list(actor.userId, 'personal-data') };
  }

  @Route(endpoints.fetchPersonalData)
  fetchPersonalData(call: Call<typeof endpoints.fetchPersonalData>) {
    return this.fetch(call, 'personal-data');
  }

  @Route(endpoints.removePersonalData)
  removePersonalData(call: Call<typeof endpoints.removePersonalData>) {
    return this.remove(call, 'personal-data');
  }

  @Route(endpoints.orderJournal)
  orderJournal({ actor, body: { format, from, to } }: Call<typeof endpoints.orderJournal>) {
    return this.exports.order(actor.userId, {
      kind: 'journal',
      format,
      ...(from && { from: from.toISOString() }),
      ...(to && { to: to.toISOString() }),
    });
  }

  @Route(endpoints.listJournals)
  async listJournals({ actor }: Call<typeof endpoints.listJournals>) {
    return { items: await this.exports.list(actor.userId, 'journal') };
  }

  @Route(endpoints.fetchJournal)
  fetchJournal(call: Call<typeof endpoints.fetchJournal>) {
    return this.fetch(call, 'journal');
  }

  @Route(endpoints.removeJournal)
  removeJournal(call: Call<typeof endpoints.removeJournal>) {
    return this.remove(call, 'journal');
  }

  private async fetch({ actor, params, refuse }: Call<typeof endpoints.fetchJournal>, kind: ExportKind) {
    const download = await this.exports.fetch(actor.userId, kind, params.id);
    return download ? { download } : refuse({ code: 'NotFound' });
  }

  private async remove({ actor, params, refuse }: Call<typeof endpoints.removeJournal>, kind: ExportKind) {
    if (!(await this.exports.remove(actor.userId, kind, params.id))) return refuse({ code: 'NotFound' });
  }
}

@Module({
  imports: [LedgerModule, MailModule],
  controllers: [ExportsController],
  providers: [ExportContents, PreparedExports, { provide: ExportStore, useClass: PostgresExports }],
  exports: [PreparedExports],
})
export class ExportsModule {}
