import * as z from 'zod';
import { Id, page, pageQuery } from '../shared/contract.js';
import { endpointsOf } from '../shared/endpoint.js';
import * as contract from './contract.js';

const payee = endpointsOf({ tag: 'Promotion codes', access: 'payee' });

export const listPromotions = payee('GET /api/creator/promotions', {
  summary: "Lists the caller's promotion codes and their use, newest first",
  query: z.object({ packId: Id.optional(), ...pageQuery }),
  answers: { 200: page(contract.PromotionCode) },
});

export const createPromotion = payee('POST /api/creator/promotions', {
  access: 'creator',
  // A refusal because a code is taken reveals that the code exists, so attempts to make a code count as guesses.
  rateLimit: 'redeem',
  summary: 'Makes a code with which people get a pack of the caller free. Sales by code give no share',
  body: contract.NewPromotionCode,
  answers: { 201: contract.PromotionCode },
  problems: ['NotFound', 'PackNotPublished', 'PackTakenDown', 'PromotionCodeTaken', 'PromotionPeriodRefused'],
  idempotent: true,
});

export const endPromotion = payee('POST /api/creator/promotions/:code/end', {
  rateLimit: 'edit',
  summary: 'Ends a promotion code of the caller. Redeemed samples stay with their owners',
  params: { code: contract.EnteredCode },
  answers: { 200: contract.PromotionCode },
  problems: ['NotFound'],
});

export const redeemPromotion = endpointsOf({ tag: 'Promotion codes', access: 'user' })(
  'POST /api/promotions/redeem',
  {
    rateLimit: 'redeem',
    summary: 'Gives the caller the samples of a promotion code, once a person and for nothing',
    body: contract.RedeemBody,
    answers: { 201: contract.RedeemedPromotion },
    problems: [
      'NotFound',
      'PromotionNotStarted',
      'PromotionExpired',
      'PromotionEnded',
      'PromotionUsedUp',
      'PromotionRedeemed',
      'PromotionUnavailable',
      'OwnPromotion',
      'AllOwned',
    ],
    idempotent: true,
  },
);
