import { Controller, Module } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import * as endpoints from '../../application/legal/endpoints.js';
import {
  Acceptance,
  AcceptTexts,
  AcceptTextsHandler,
  LegalHistory,
  LegalPages,
} from '../../application/legal/legal-texts.js';
import { Route, type Call } from '../platform/http/route.js';
import { PostgresLegalHistory } from './postgres-legal-history.js';

@Controller()
class LegalController {
  constructor(
    private readonly pages: LegalPages,
    private readonly acceptance: Acceptance,
    private readonly commands: CommandBus,
  ) {}

  @Route(endpoints.readLegalText)
  async text({ params, query, refuse }: Call<typeof endpoints.readLegalText>) {
    return (await this.pages.read(params.document, query.version)) ?? refuse({ code: 'NotFound' });
  }

  @Route(endpoints.listPendingAcceptances)
  async pending({ actor }: Call<typeof endpoints.listPendingAcceptances>) {
    return { versions: await this.acceptance.pending(actor.userId) };
  }

  @Route(endpoints.acceptTexts)
  async accept({ actor, body, refuse }: Call<typeof endpoints.acceptTexts>): Promise<void> {
    const outcome = await this.commands.execute(new AcceptTexts(actor.userId, body));
    if (!outcome.accepted) refuse(outcome.rejection);
  }
}

@Module({
  controllers: [LegalController],
  providers: [
    Acceptance,
    AcceptTextsHandler,
    LegalPages,
    { provide: LegalHistory, useClass: PostgresLegalHistory },
  ],
  exports: [Acceptance],
})
export class LegalModule {}
