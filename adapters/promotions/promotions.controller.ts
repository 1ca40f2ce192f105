import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import * as endpoints from '../../application/promotions/endpoints.js';
import {
  CreatePromotionCode,
  EndPromotionCode,
  RedeemPromotionCode,
} from '../../application/promotions/promotion-codes.js';
import { PromotionQueries } from '../../application/promotions/queries.js';
import { Clock } from '../../application/shared/clock.js';
import { Route, type Call } from '../platform/http/route.js';

@Controller()
export class PromotionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: PromotionQueries,
    private readonly clock: Clock,
  ) {}

  @Route(endpoints.listPromotions)
  list({ actor, query }: Call<typeof endpoints.listPromotions>) {
    return this.queries.list(actor.userId, query, this.clock.now());
  }

  @Route(endpoints.createPromotion)
  async create({ actor, body, refuse }: Call<typeof endpoints.createPromotion>) {
    const { code, ...terms } = body;
    const command = new CreatePromotionCode(code, { creatorId: actor.userId, ...terms });
    const outcome = await this.commands.execute(command);
    return outcome.accepted ? outcome.promotion : refuse(outcome.rejection);
  }

  @Route(endpoints.endPromotion)
  async end({ actor, params, refuse }: Call<typeof endpoints.endPromotion>) {
    const outcome = await this.commands.execute(new EndPromotionCode(params.code, actor.userId));
    return outcome.accepted ? outcome.promotion : refuse(outcome.rejection);
  }

  @Route(endpoints.redeemPromotion)
  async redeem({ actor, body, idempotencyKey, refuse }: Call<typeof endpoints.redeemPromotion>) {
    const command = new RedeemPromotionCode(body.code, actor.userId, idempotencyKey);
    const outcome = await this.commands.execute(command);
    return outcome.accepted ? outcome.redeemed : refuse(outcome.rejection);
  }
}
