import { randomUUID } from 'node:crypto';
import { Controller, UseFilters } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  ChangeSubscription,
  WithdrawPendingChange,
  StartCheckout,
  PaymentDetails,
} from '../../application/subscriptions/change-subscription.js';
import {
  GiveConsent,
  OwnContracts,
  WithdrawFromContract,
} from '../../application/subscriptions/contracts.js';
import { PRINTED } from '../../application/subscriptions/contract.js';
import { OwnGifts, RedeemGift } from '../../application/subscriptions/gifts.js';
import * as endpoints from '../../application/subscriptions/endpoints.js';
import { PlanChanges } from '../../application/subscriptions/plan-changes.js';
import { SubscriptionQueries } from '../../application/subscriptions/queries.js';
import { TaxTerms } from '../../application/subscriptions/tax.js';
import { PLANS } from '../../domain/subscriptions/plans.js';
import { isPlan, productOf, PRODUCTS } from '../../domain/subscriptions/products.js';
import type { ChangeRequest } from '../../domain/subscriptions/subscription-messages.js';
import { CheckoutProblemFilter } from '../platform/http/problem.filter.js';
import { Route, type Call } from '../platform/http/route.js';
import { invalidRequest } from '../platform/http/validation.js';

type Order = ConstructorParameters<typeof StartCheckout>[0];
type Asked = Pick<Order, 'product' | 'quantity' | 'gift' | 'requestKey'> &
  Pick<Call<typeof endpoints.checkOut>['body'], 'consent'>;
type ChangeCall = Call<typeof endpoints.cancelPlan>;

@Controller()
export class SubscriptionsController {
  constructor(
    private readonly reader: SubscriptionQueries,
    private readonly details: PaymentDetails,
    private readonly changes: PlanChanges,
    private readonly commands: CommandBus,
    private readonly tax: TaxTerms,
    private readonly contracts: OwnContracts,
    private readonly gifts: OwnGifts,
  ) {}

  @Route(endpoints.listPlans)
  plans() {
    return { items: PLANS.map((plan) => ({ ...plan, features: [...plan.features], ...this.plusTax() })) };
  }

  private plusTax() {
    return this.tax.on && { plusTax: true as const };
  }

  @Route(endpoints.listProducts)
  products() {
    const plusTax = this.plusTax();
    const items = PRODUCTS.map(({ id, kind, name, priceUsdCents, credits, description, mostAtOnce }) => {
      const product = { id, kind, name, priceUsdCents, credits, description, mostAtOnce };
      return { ...product, ...plusTax };
    });
    return { items };
  }

  @Route(endpoints.checkOut)
  async checkOut({ actor, body, idempotencyKey, refuse }: Call<typeof endpoints.checkOut>) {
    const { product, quantity, giftTo, consent } = body;
    if (giftTo !== undefined && isPlan(product))
      throw invalidRequest([{ path: ['giftTo'], message: 'a plan cannot be a gift' }]);
    if (quantity > productOf(product).mostAtOnce)
      throw invalidRequest([{ path: ['quantity'], message: 'more than one checkout buys of this product' }]);
    const gift = giftTo === undefined ? undefined : { email: giftTo === PRINTED ? null : giftTo };
    const order = { product, quantity, consent, ...(gift && { gift }), requestKey: idempotencyKey };
    const outcome = await this.open({ actor, ...order });
    return outcome.accepted ? { url: outcome.url } : refuse(outcome.rejection);
  }

  private async open(asked: Pick<Call<typeof endpoints.checkOut>, 'actor'> & Asked) {
    const { actor, consent, ...order } = asked;
    if (consent) await this.commands.execute(new GiveConsent(actor.userId, 'checkout', consent));
    return this.commands.execute(new StartCheckout({ userId: actor.userId, email: actor.email, ...order }));
  }

  @Route(endpoints.listGifts)
  listGifts({ actor, query }: Call<typeof endpoints.listGifts>) {
    return this.gifts.list(actor.userId, query);
  }

  @Route(endpoints.redeemGift)
  async redeem({ actor, body, idempotencyKey: key, refuse }: Call<typeof endpoints.redeemGift>) {
    const request = { userId: actor.userId, code: body.code, key };
    const outcome = await this.commands.execute(new RedeemGift(request));
    if (!outcome.accepted) return refuse(outcome.rejection);
    return { credits: outcome.credits, balance: outcome.balance };
  }

  @Route(endpoints.readSubscription)
  subscription({ actor }: Call<typeof endpoints.readSubscription>) {
    return this.reader.current(actor.userId);
  }

  @Route(endpoints.startCheckout)
  @UseFilters(CheckoutProblemFilter)
  async checkout({ actor, query, body, refuse }: Call<typeof endpoints.startCheckout>) {
    for (const userId of [body.userId, query.userId])
      if (userId !== undefined && userId !== actor.userId)
        return refuse({ code: 'NotAllowed', detail: 'You can only subscribe yourself.' });
    if (query.plan !== undefined && query.plan !== body.plan)
      throw invalidRequest([{ path: ['plan'], message: 'the address and the body name different plans' }]);
    const { plan: product, consent } = body;
    const outcome = await this.open({ actor, product, consent, requestKey: randomUUID() });
    return outcome.accepted ? { url: outcome.url } : refuse(outcome.rejection);
  }

  @Route(endpoints.changePlan)
  change(call: Call<typeof endpoints.changePlan>) {
    return this.request(call, { type: 'ChangePlan', plan: call.body.plan });
  }

  @Route(endpoints.cancelPlan)
  cancel(call: Call<typeof endpoints.cancelPlan>) {
    return this.request(call, { type: 'ScheduleCancellation' });
  }

  @Route(endpoints.resumePlan)
  resume(call: Call<typeof endpoints.resumePlan>) {
    return this.request(call, { type: 'WithdrawScheduledChange' });
  }

  /** Answers 202 with `pendingChange` if the outcome is unknown or the payer has to pay first. */
  private async request(
    { actor, idempotencyKey, response, refuse }: Omit<ChangeCall, 'body'>,
    change: ChangeRequest,
  ) {
    const outcome = await this.commands.execute(new ChangeSubscription(actor.userId, change, idempotencyKey));
    if (!outcome.accepted) return refuse(outcome.rejection);
    if (outcome.underWay) response.statusCode = 202;
    return this.reader.current(actor.userId);
  }

  @Route(endpoints.payPendingChange)
  async payPendingChange({ actor, refuse }: Call<typeof endpoints.payPendingChange>) {
    return (await this.changes.paymentPage(actor.userId)) ?? refuse({ code: 'NothingToPay' });
  }

  @Route(endpoints.withdrawPendingChange)
  async withdrawPendingChange({ actor, response }: Call<typeof endpoints.withdrawPendingChange>) {
    const { underWay } = await this.commands.execute(new WithdrawPendingChange(actor.userId));
    if (underWay) response.statusCode = 202;
    return this.reader.current(actor.userId);
  }

  @Route(endpoints.openPaymentDetails)
  async paymentDetails({ actor, refuse }: Call<typeof endpoints.openPaymentDetails>) {
    return (await this.details.open(actor.userId)) ?? refuse({ code: 'NoSubscription' });
  }

  @Route(endpoints.listContracts)
  async listContracts({ actor }: Call<typeof endpoints.listContracts>) {
    return { items: await this.contracts.list(actor.userId) };
  }

  @Route(endpoints.consentToDelivery)
  async consent({ actor, body }: Call<typeof endpoints.consentToDelivery>): Promise<void> {
    await this.commands.execute(new GiveConsent(actor.userId, 'download', body.version));
  }

  @Route(endpoints.withdrawFromContract)
  async withdraw({ body }: Call<typeof endpoints.withdrawFromContract>) {
    const { receivedAt } = await this.commands.execute(new WithdrawFromContract(body));
    return { receivedAt };
  }
}
