import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import * as endpoints from '../../application/payouts/endpoints.js';
import { SplitQueries } from '../../application/payouts/queries.js';
import { AnswerSplit, OfferSplit } from '../../application/payouts/splits.js';
import type { SplitAnswer } from '../../domain/payouts/split.js';
import { Route, type Call } from '../platform/http/route.js';

@Controller()
export class SplitsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: SplitQueries,
  ) {}

  @Route(endpoints.listSplits)
  list({ actor, query }: Call<typeof endpoints.listSplits>) {
    return this.queries.list(actor.userId, query);
  }

  @Route(endpoints.proposeSplit)
  async propose({ actor, params, body, idempotencyKey: key, refuse }: Call<typeof endpoints.proposeSplit>) {
    const { userId: ownerId } = actor;
    const offer = { ownerId, packId: params.id, ...body, key };
    const outcome = await this.commands.execute(new OfferSplit(offer));
    return outcome.accepted ? outcome.split : refuse(outcome.rejection);
  }

  @Route(endpoints.acceptSplit)
  accept(call: Call<typeof endpoints.acceptSplit>) {
    return this.answer(call, 'AcceptSplit');
  }

  @Route(endpoints.declineSplit)
  decline(call: Call<typeof endpoints.declineSplit>) {
    return this.answer(call, 'DeclineSplit');
  }

  @Route(endpoints.endSplit)
  end(call: Call<typeof endpoints.endSplit>) {
    return this.answer(call, 'EndSplit');
  }

  private async answer(
    { actor, params, refuse }: Pick<Call<typeof endpoints.endSplit>, 'actor' | 'params' | 'refuse'>,
    answer: SplitAnswer,
  ) {
    const outcome = await this.commands.execute(new AnswerSplit(actor.userId, params.id, answer));
    return outcome.accepted ? outcome.split : refuse(outcome.rejection);
  }
}
