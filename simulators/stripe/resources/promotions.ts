import type Stripe from 'stripe';
import { invalid, missing } from '../faults.js';
import { list, retrieve, type Call, type Routes } from '../router.js';
import { idOf, nulls, type World } from '../world.js';

function createCoupon({ world, parameters }: Call): object {
  const percentOff = parameters.text('percent_off');
  const amountOff = parameters.integer('amount_off');
  const currency = parameters.text('currency') ?? null;
  if ((percentOff === undefined) === (amountOff === undefined))
    throw invalid('You must pass either `percent_off` or `amount_off`, and not both.');
  const percent = percentOff ? Number(percentOff) : null;
  if (percent !== null && !(percent > 0 && percent <= 100))
    throw invalid('percent_off must be above 0 and at most 100.', 'percent_off');
  if (amountOff !== undefined && !currency) throw missing('currency');
  const coupon: Stripe.Coupon = {
    id: parameters.text('id') ?? world.id('co'),
    object: 'coupon',
    amount_off: amountOff ?? null,
    created: world.now(),
    currency,
    duration: parameters.oneOf('duration', ['once', 'forever'] as const) ?? 'once',
    ...nulls('duration_in_months', 'redeem_by'),
    livemode: false,
    max_redemptions: parameters.integer('max_redemptions') ?? null,
    metadata: parameters.metadata(),
    name: parameters.text('name') ?? null,
    percent_off: percent,
    times_redeemed: 0,
    valid: true,
  };
  parameters.done();
  return world.add('coupons', coupon, 'coupon.created');
}

function createPromotionCode({ world, parameters }: Call): object {
  const coupon = parameters.nested('promotion', (promotion) => {
    promotion.oneOf('type', ['coupon'] as const);
    return world.find('coupons', promotion.required('coupon'), 'promotion[coupon]');
  });
  if (!coupon) throw missing('promotion');
  const code = parameters.text('code') ?? world.id('promo').slice(-8).toUpperCase();
  if (activeCode(world, code))
    throw invalid('An active promotion code with `code` already exists.', 'code', 'resource_already_exists');
  const promotion: Stripe.PromotionCode = {
    id: world.id('promo'),
    object: 'promotion_code',
    active: parameters.flag('active') ?? true,
    code,
    created: world.now(),
    ...nulls('customer', 'customer_account'),
    expires_at: parameters.integer('expires_at') ?? null,
    livemode: false,
    max_redemptions: parameters.integer('max_redemptions') ?? null,
    metadata: parameters.metadata(),
    promotion: { coupon: coupon.id, type: 'coupon' },
    restrictions: { first_time_transaction: false, minimum_amount: null, minimum_amount_currency: null },
    times_redeemed: 0,
  };
  parameters.done();
  return world.add('promotionCodes', promotion, 'promotion_code.created');
}

function updatePromotionCode({ world, id, parameters }: Call): object {
  const promotion = world.find('promotionCodes', id);
  promotion.active = parameters.flag('active') ?? promotion.active;
  promotion.metadata = parameters.metadata(promotion.metadata ?? {});
  parameters.done();
  return world.emit('promotion_code.updated', promotion);
}

function activeCode(world: World, code: string): Stripe.PromotionCode | undefined {
  return world
    .all('promotionCodes')
    .find((each) => each.active && each.code.toLowerCase() === code.trim().toLowerCase());
}

/** Returns the code that a payer entered, unless it is unknown, expired or used up. */
export function redeemableCode(world: World, code: string): Stripe.PromotionCode | undefined {
  const promotion = activeCode(world, code);
  if (!promotion) return undefined;
  const { expires_at: expiresAt, max_redemptions: most, times_redeemed: times } = promotion;
  const isOver = (expiresAt !== null && expiresAt <= world.now()) || (most !== null && times >= most);
  return isOver ? undefined : promotion;
}

export const countRedemption = (promotion: Stripe.PromotionCode | undefined): void => {
  if (promotion) promotion.times_redeemed += 1;
};

const couponOf = (world: World, { promotion }: Stripe.PromotionCode): Stripe.Coupon =>
  world.find('coupons', idOf(promotion.coupon));

/** Takes the discount of a code off the first line of a draft. As at Stripe, the amount of the line stays. */
export function discount(world: World, invoice: Stripe.Invoice, promotion: Stripe.PromotionCode): void {
  const [line] = invoice.lines.data;
  if (!line?.discountable) return;
  const { percent_off: percent, amount_off: off } = couponOf(world, promotion);
  const amount =
    percent === null ? Math.min(line.amount, off ?? 0) : Math.round((line.amount * percent) / 100);
  const given = [{ amount, discount: world.id('di') }];
  line.discount_amounts = structuredClone(given);
  invoice.total_discount_amounts = given;
  invoice.total -= amount;
  invoice.total_excluding_tax = (invoice.total_excluding_tax ?? 0) - amount;
  invoice.amount_due -= amount;
  invoice.amount_remaining -= amount;
}

/** Takes the discount of a subscription's code off its next invoice: of each one, or only of the first. */
export function discountPeriod(world: World, invoice: Stripe.Invoice, subscriptionId: string): void {
  const { subscriptionCodes } = world.state;
  const id = subscriptionCodes[subscriptionId];
  if (id === undefined) return;
  const promotion = world.find('promotionCodes', id);
  discount(world, invoice, promotion);
  if (couponOf(world, promotion).duration === 'once') delete subscriptionCodes[subscriptionId];
}

export const promotionRoutes: Routes = {
  'POST /v1/coupons': createCoupon,
  'GET /v1/coupons': list('coupons'),
  'GET /v1/coupons/:id': retrieve('coupons'),
  'POST /v1/promotion_codes': createPromotionCode,
  'GET /v1/promotion_codes': list('promotionCodes', ['code', 'active']),
  'GET /v1/promotion_codes/:id': retrieve('promotionCodes'),
  'POST /v1/promotion_codes/:id': updatePromotionCode,
};
