import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  MOST_REDEMPTIONS,
  promotionDecider,
  samplesGiven,
  spelledCode,
  type Promotion,
  type PromotionCommand,
  type PromotionEvent,
} from '../../domain/promotions/promotion-code.js';
import { purchaseDecider } from '../../domain/purchases/purchase.js';
import { CURRENT_SHARE_POLICY } from '../../domain/shared/share-policy.js';

const CODE = 'SUMMER-26';
const [DAY1, DAY2, DAY3, DAY4] = [1, 2, 3, 4].map((day) => `2026-07-0${day}T00:00:00.000Z`) as [
  string,
  string,
  string,
  string,
];

const terms = { creatorId: 'junie', packId: 'pack', limit: 2, from: DAY2, until: DAY4 };
const made: PromotionCommand = { type: 'CreatePromotionCode', code: CODE, terms, now: DAY1 };
const redeem = (buyerId: string, now = DAY3, redemptionId = `r-${buyerId}`): PromotionCommand => ({
  type: 'RedeemPromotionCode',
  code: CODE,
  redemptionId,
  buyerId,
  samples: 1,
  now,
});
const end = (by: string): PromotionCommand => ({ type: 'EndPromotionCode', code: CODE, by, now: DAY3 });

/** Returns what each command recorded, or its refusal. */
function said(...commands: PromotionCommand[]): string[] {
  let state: Promotion = promotionDecider.initialState;
  return commands.map((command) => {
    const decided = promotionDecider.decide(command, state);
    if (!decided.accepted) return decided.rejection.code;
    state = decided.events.reduce(promotionDecider.evolve, state);
    return decided.events.map(({ type }) => type).join(' ') || 'nothing';
  });
}

describe('[PROMO-706] a promotion code', () => {
  it.each<[string, PromotionCommand[], string]>([
    ['is redeemed in its days', [made, redeem('ada')], 'PromotionCodeRedeemed'],
    ['has not begun', [made, redeem('ada', DAY1)], 'PromotionNotStarted'],
    ['begins on time', [made, redeem('ada', DAY2)], 'PromotionCodeRedeemed'],
    ['is over at its end', [made, redeem('ada', DAY4)], 'PromotionExpired'],
    ['does not exist', [redeem('ada')], 'NotFound'],
    ['is redeemed once a person', [made, redeem('ada'), redeem('ada', DAY3, 'other')], 'PromotionRedeemed'],
    ['finds a repeated request again', [made, redeem('ada'), redeem('ada')], 'nothing'],
    [
      'finds a repeated request again after its end',
      [made, redeem('ada'), end('junie'), redeem('ada')],
      'nothing',
    ],
    ['is for so many people', [made, redeem('ada'), redeem('ben'), redeem('mira')], 'PromotionUsedUp'],
    ['gives its creator nothing', [made, redeem('junie')], 'OwnPromotion'],
    ['is ended by its creator', [made, end('junie'), redeem('ada')], 'PromotionEnded'],
    ['is ended by its creator only', [made, end('otto')], 'NotFound'],
    ['is ended once', [made, end('junie'), end('junie')], 'nothing'],
    ['is made once with the same terms', [made, { ...made, now: DAY2 }], 'nothing'],
    [
      'belongs to who made it first',
      [made, { ...made, terms: { ...terms, creatorId: 'otto' } }],
      'PromotionCodeTaken',
    ],
    [
      'stays taken after its end',
      [made, end('junie'), { ...made, terms: { ...terms, limit: 3 } }],
      'PromotionCodeTaken',
    ],
    ['is not made again after its end', [made, end('junie'), made], 'PromotionCodeTaken'],
    ['is not made again when all is taken', [made, redeem('ada'), redeem('ben'), made], 'PromotionCodeTaken'],
    ['is not made again when it has expired', [made, { ...made, now: DAY4 }], 'PromotionCodeTaken'],
    ['ends after it begins', [{ ...made, terms: { ...terms, until: DAY2 } }], 'PromotionPeriodRefused'],
    ['ends in the future', [{ ...made, now: DAY4 }], 'PromotionPeriodRefused'],
    [
      'ends within a year',
      [{ ...made, terms: { ...terms, until: '2027-07-09T00:00:00.000Z' } }],
      'PromotionPeriodRefused',
    ],
  ])('%s', (_, commands, last) => {
    expect(said(...commands).at(-1)).toBe(last);
  });

  it('[PROMO-742] has a small stream, also if a thousand people get a thousand samples each, and reads older redemptions', () => {
    let state: Promotion = promotionDecider.initialState;
    let bytes = 0;
    const record = (event: PromotionEvent): void => {
      bytes += JSON.stringify(event).length;
      state = promotionDecider.evolve(state, event);
    };
    const received = [{ sampleId: 's', purchaseId: 'p', certificateId: 'c' }];
    const older = { code: CODE, redemptionId: 'older', buyerId: 'older', received, at: DAY2 };
    expect(samplesGiven(older)).toBe(1);
    const { code } = made;
    record({ type: 'PromotionCodeCreated', data: { code, ...terms, limit: MOST_REDEMPTIONS, at: DAY1 } });
    record({ type: 'PromotionCodeRedeemed', data: older });
    expect(promotionDecider.decide(redeem('older'), state)).toMatchObject({
      rejection: { code: 'PromotionRedeemed' },
    });
    for (let n = 1; n < MOST_REDEMPTIONS; n += 1) {
      const command = { ...redeem(randomUUID(), DAY3, 'f'.repeat(64)), samples: 1_000 } as PromotionCommand;
      const decided = promotionDecider.decide(command, state);
      if (!decided.accepted) throw new Error(decided.rejection.code);
      decided.events.forEach(record);
    }
    expect(promotionDecider.decide(redeem('one-more'), state)).toMatchObject({
      rejection: { code: 'PromotionUsedUp' },
    });
    // 1,000 redemptions of 1,000 samples; a list of them would be 130 bytes a sample.
    expect(bytes).toBeLessThan(MOST_REDEMPTIONS * 300);
  });

  it('is spelled in one way', () => {
    expect(spelledCode('  summer-26 ')).toBe(CODE);
  });

  it('gives a sample for no credits, no value and no shares, also of a shared pack', () => {
    const sample = {
      sampleId: 's',
      packId: 'pack',
      creatorId: 'junie',
      parts: [
        { creatorId: 'junie', bps: 5_000 },
        { creatorId: 'otto', bps: 5_000 },
      ],
      priceCredits: 4,
      audioVersion: 1,
      fileSha256: 'f',
      available: true,
      takenDown: false,
    };
    const receive = {
      type: 'ReceiveSample',
      buyerId: 'ada',
      purchaseId: 'p',
      certificateId: 'c',
      sample,
      promotion: CODE,
      policy: CURRENT_SHARE_POLICY,
    } as const;
    const nothing = { priceCredits: 0, valueMicroUsd: 0, shareMicroUsd: 0, shares: [] };
    const decided = purchaseDecider.decide(receive, purchaseDecider.initialState);
    expect(decided).toMatchObject({
      accepted: true,
      events: [{ type: 'SamplePurchased', data: { promotion: CODE, ...nothing } }],
    });
    expect(
      purchaseDecider.decide({ ...receive, sample: { ...sample, available: false } }, { status: 'NotOwned' }),
    ).toMatchObject({ rejection: { code: 'SampleNotAvailable' } });
  });
});
