import { Body, Controller, Get, Headers, HttpCode, Post, Query, Res, UseFilters } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type * as z from 'zod';
import { WebhookRefused } from '../../application/payments/payment-gateway.js';
import {
  ChangePlanBody,
  CheckoutAnswer,
  CheckoutBody,
  CheckoutQuery,
  Plans,
  Subscription,
} from '../../application/subscriptions/contract.js';
import {
  ChangeSubscription,
  StartCheckout,
  type SubscriptionWish,
} from '../../application/subscriptions/commands.js';
import { PaymentDetails } from '../../application/subscriptions/payment-details.js';
import { PaymentEvents } from '../../application/payments/payment-events.js';
import { SubscriptionReader } from '../../application/subscriptions/readers.js';
import { PLANS } from '../../domain/subscriptions/plans.js';
import { AccessFor, CurrentActor, IdempotencyKey, type Actor } from '../platform/http/access.js';
import { Takes } from '../platform/http/bodies/body.js';
import { CheckoutProblemFilter } from '../platform/http/checkout-problem.filter.js';
import { Idempotent } from '../platform/http/idempotency.js';
import { ProblemException, refuse } from '../platform/http/problems.js';
import type { HttpResponse } from '../platform/http/request.js';
import { invalidRequest } from '../platform/http/validation.js';

/** Much more than the provider puts into one event. */
const EVENT_LIMIT_BYTES = 1024 * 1024;

const UNDER_WAY =
  'Reserved; the payment provider has not answered yet. `pendingChange` says what is under way.';

/** Plans, paying for one, and changing it. */
@ApiTags('Credits, downloads, plans')
@Controller('api')
export class SubscriptionsController {
  constructor(
    private readonly reader: SubscriptionReader,
    private readonly details: PaymentDetails,
    private readonly paymentEvents: PaymentEvents,
    private readonly commands: CommandBus,
  ) {}

  @Get('plans')
  @AccessFor('public')
  @ApiResponse({ status: 200, standardSchema: Plans })
  plans(): z.infer<typeof Plans> {
    return { items: PLANS.map((plan) => ({ ...plan, features: [...plan.features] })) };
  }

  @Get('subscription')
  @AccessFor('user')
  @ApiResponse({ status: 200, standardSchema: Subscription })
  subscription(@CurrentActor() actor: Actor): Promise<Subscription> {
    return this.reader.current(actor.userId);
  }

  /** The address of the payment page. Coming back from it grants nothing: the paid invoice does. */
  @Post('stripe/create-checkout-session')
  @HttpCode(200)
  @AccessFor('user')
  @UseFilters(CheckoutProblemFilter)
  @ApiResponse({ status: 200, standardSchema: CheckoutAnswer })
  async checkout(
    @CurrentActor() actor: Actor,
    @Query({ schema: CheckoutQuery }) query: z.infer<typeof CheckoutQuery>,
    @Body({ schema: CheckoutBody }) body: z.infer<typeof CheckoutBody>,
  ): Promise<z.infer<typeof CheckoutAnswer>> {
    for (const userId of [body.userId, query.userId])
      if (userId !== undefined && userId !== actor.userId)
        throw new ProblemException('NotAllowed', { detail: 'You can only subscribe yourself.' });
    if (query.plan !== undefined && query.plan !== body.plan)
      throw invalidRequest([{ path: ['plan'], message: 'the address and the body name different plans' }]);
    const outcome = await this.commands.execute(
      new StartCheckout({ userId: actor.userId, email: actor.email, plan: body.plan }),
    );
    return outcome.accepted ? { url: outcome.url } : refuse(outcome.rejection);
  }

  @Post('subscription/change')
  @HttpCode(200)
  @AccessFor('user')
  @Idempotent()
  @ApiResponse({ status: 200, standardSchema: Subscription })
  @ApiResponse({ status: 202, standardSchema: Subscription, description: UNDER_WAY })
  change(
    @CurrentActor() actor: Actor,
    @IdempotencyKey() key: string,
    @Body({ schema: ChangePlanBody }) { plan }: z.infer<typeof ChangePlanBody>,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<Subscription> {
    return this.#wish(actor, key, response, { type: 'ChangePlan', plan });
  }

  @Post('subscription/cancel')
  @HttpCode(200)
  @AccessFor('user')
  @Idempotent()
  @ApiResponse({ status: 200, standardSchema: Subscription })
  @ApiResponse({ status: 202, standardSchema: Subscription, description: UNDER_WAY })
  cancel(
    @CurrentActor() actor: Actor,
    @IdempotencyKey() key: string,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<Subscription> {
    return this.#wish(actor, key, response, { type: 'ScheduleCancellation' });
  }

  @Post('subscription/resume')
  @HttpCode(200)
  @AccessFor('user')
  @Idempotent()
  @ApiResponse({ status: 200, standardSchema: Subscription })
  @ApiResponse({ status: 202, standardSchema: Subscription, description: UNDER_WAY })
  resume(
    @CurrentActor() actor: Actor,
    @IdempotencyKey() key: string,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<Subscription> {
    return this.#wish(actor, key, response, { type: 'WithdrawScheduledChange' });
  }

  /** 202 with `pendingChange` where the provider has not said yet what became of it. */
  async #wish(
    actor: Actor,
    key: string,
    response: HttpResponse,
    wish: SubscriptionWish,
  ): Promise<Subscription> {
    const outcome = await this.commands.execute(new ChangeSubscription(actor.userId, wish, key));
    if (!outcome.accepted) return refuse(outcome.rejection);
    if (outcome.underWay) response.statusCode = 202;
    return this.reader.current(actor.userId);
  }

  /** The address of a page where the card is changed and what is open is paid. */
  @Post('subscription/payment-details')
  @HttpCode(200)
  @AccessFor('user')
  @ApiResponse({ status: 200, standardSchema: CheckoutAnswer })
  async paymentDetails(@CurrentActor() actor: Actor): Promise<z.infer<typeof CheckoutAnswer>> {
    return (await this.details.open(actor.userId)) ?? refuse({ code: 'NoSubscription' });
  }

  /** Whatever is not answered with 2xx is sent again. */
  @Post('stripe/webhook')
  @HttpCode(200)
  @AccessFor('signature')
  @Takes('signed', EVENT_LIMIT_BYTES)
  async webhook(
    @Body() rawBody: Buffer | undefined,
    @Headers('stripe-signature') signature: string | undefined,
  ): Promise<{ received: true; outcome: string }> {
    if (!rawBody || !signature) throw new WebhookRefused('no signature');
    return { received: true, outcome: await this.paymentEvents.receive(rawBody, signature) };
  }
}
