import { describe, expect, it } from '@jest/globals';
import {
  decideOrder,
  purchaseDecider,
  priceFor,
  type Purchase,
  type SampleOnOffer,
} from '../../domain/purchases/purchase.js';
import type { LotSegment } from '../../domain/shared/invoice-event.js';
import { floorShare, microUsdFromCents, sumOf } from '../../domain/shared/micro-usd.js';
import { allocateCredits, creditsForMissing, priceInForce } from '../../domain/shared/pack-price.js';
import { randomFrom } from '../../domain/shared/seeded-random.js';
import { entryFor } from '../../domain/ledger/entry.js';
import { CURRENT_SHARE_POLICY, divideShare, sharesOf } from '../../domain/shared/share-policy.js';

const { decide, evolve, initialState } = purchaseDecider;

const sample: SampleOnOffer = {
  sampleId: 's1',
  packId: 'k1',
  creatorId: 'junie',
  priceCredits: 2,
  audioVersion: 1,
  fileSha256: 'ab'.repeat(32),
  available: true,
  takenDown: false,
};
const acquire = (
  state: Purchase,
  offer: Partial<SampleOnOffer> = {},
  buyerId = 'ada',
  valueMicroUsd = 399_600,
) =>
  decide(
    {
      type: 'BuySample',
      buyerId,
      purchaseId: 'p1',
      certificateId: 'c1',
      sample: { ...sample, ...offer },
      priceCredits: offer.priceCredits ?? sample.priceCredits,
      valueMicroUsd,
      policy: CURRENT_SHARE_POLICY,
    },
    state,
  );
const owned: Purchase = { status: 'Owned', purchaseId: 'p0', certificateId: 'c0', audioVersion: 1 };

describe('a purchase', () => {
  it('[FIN-04] done: records price, value, share and the policy they came from', () => {
    const decision = acquire(initialState);
    expect(decision).toMatchObject({
      accepted: true,
      events: [
        {
          type: 'SamplePurchased',
          data: {
            priceCredits: 2,
            valueMicroUsd: 399_600,
            shareMicroUsd: 239_760,
            shareBps: 6_000,
            policyVersion: 1,
            fileSha256: sample.fileSha256,
          },
        },
      ],
    });
  });

  it('[SPLIT-700] its share is divided exactly: each part rounded down, the remainder to the first named', () => {
    const parts = [
      { creatorId: 'junie', bps: 3_334 },
      { creatorId: 'otto', bps: 3_333 },
      { creatorId: 'mira', bps: 3_333 },
    ];
    const bought = acquire(initialState, { parts }, 'ada', 399_601);
    expect(bought).toMatchObject({
      events: [
        {
          data: {
            creatorId: 'junie',
            shareMicroUsd: 239_760,
            shares: [
              { creatorId: 'junie', bps: 3_334, shareMicroUsd: 79_936 },
              { creatorId: 'otto', bps: 3_333, shareMicroUsd: 79_912 },
              { creatorId: 'mira', bps: 3_333, shareMicroUsd: 79_912 },
            ],
          },
        },
      ],
    });
    expect(acquire(initialState)).toMatchObject({
      events: [{ data: { shares: [{ creatorId: 'junie', bps: 10_000, shareMicroUsd: 239_760 }] } }],
    });
  });

  it('[SPLIT-700] a sale from before shares reads as one share, and posts the same entry', () => {
    const sale = { creatorId: 'junie', shareMicroUsd: 239_760 };
    expect(sharesOf(sale)).toEqual([{ ...sale, bps: 10_000 }]);
    const shares = divideShare(239_760, [{ creatorId: 'junie', bps: 10_000 }]);
    for (const type of ['SamplePurchased', 'PurchaseReturned'])
      expect(entryFor({ type, data: { ...sale, shares } })).toEqual(entryFor({ type, data: sale }));
  });

  it('refused: not on sale', () => {
    expect(acquire(initialState, { available: false })).toEqual({
      accepted: false,
      rejection: { code: 'SampleNotAvailable' },
    });
  });

  it.each([initialState, owned])('refused: taken down, for whoever asks', (state) => {
    expect(acquire(state, { takenDown: true })).toEqual({ accepted: false, rejection: { code: 'Gone' } });
  });

  it('[DL-04] repeated: what is owned is handed out again without an event', () => {
    expect(acquire(owned)).toEqual({ accepted: true, events: [] });
    expect(priceFor('ada', sample, owned)).toBe(0);
  });

  it('[DL-12] a replaced file is licensed again free, under its own certificate', () => {
    const decision = acquire(owned, { audioVersion: 2, fileSha256: 'cd'.repeat(32) });
    expect(decision).toMatchObject({
      accepted: true,
      events: [
        {
          type: 'NewVersionLicensed',
          data: { purchaseId: 'p0', certificateId: 'c1', audioVersion: 2, fileSha256: 'cd'.repeat(32) },
        },
      ],
    });
    expect(priceFor('ada', { ...sample, audioVersion: 2 }, owned)).toBe(0);
  });

  it('[EDIT-11] what was bought stays downloadable after it left the shelves', () => {
    expect(acquire(owned, { available: false })).toEqual({ accepted: true, events: [] });
  });

  it('[DL-14] a creator takes an own file free, also before it is on sale', () => {
    expect(priceFor('junie', sample, initialState)).toBe(0);
    expect(acquire(initialState, { available: false }, 'junie', 0)).toMatchObject({
      accepted: true,
      events: [{ type: 'OwnSampleLicensed' }],
    });
  });

  it('evolves every event into ownership', () => {
    const decision = acquire(initialState);
    if (!decision.accepted) throw new Error('refused');
    expect(decision.events.reduce(evolve, initialState)).toEqual({
      status: 'Owned',
      purchaseId: 'p1',
      certificateId: 'c1',
      audioVersion: 1,
    });
  });

  it('[FIN-01] counts money in whole micro-dollars and rounds a share down', () => {
    expect(microUsdFromCents(999)).toBe(9_990_000);
    expect(floorShare(199_999, { shareBps: 6_000 })).toBe(119_999);
    expect(floorShare(9_007_199_254_740_991, { shareBps: 8_000 })).toBe(7_205_759_403_792_792);
    expect(() => floorShare(0.5, { shareBps: 6_000 })).toThrow('Impossible');
  });
});

describe('a purchase undone', () => {
  const bought = acquire(initialState);
  if (!bought.accepted || bought.events[0]?.type !== 'SamplePurchased') throw new Error('bought');
  const purchase = bought.events[0].data;
  const state = evolve(initialState, bought.events[0]);
  const giveBack = (from: Purchase, more: { disputed?: boolean; withheld?: LotSegment[] } = {}) => {
    const { disputed = false, withheld = [] } = more;
    const why = { reason: 'defect', explanation: 'Silence' } as const;
    return decide({ type: 'ReturnPurchase', purchase, ...why, disputed, withheld }, from);
  };
  const returned = { status: 'Returned', purchaseId: 'p1', certificateId: 'c1', audioVersion: 1 } as const;

  it('[FIN-06] done: carries all that was paid and earned, and keeps the certificate', () => {
    const decision = giveBack(state);
    expect(decision).toMatchObject({
      accepted: true,
      events: [{ type: 'PurchaseReturned', data: { ...purchase, reason: 'defect', explanation: 'Silence' } }],
    });
    if (decision.accepted) expect(decision.events.reduce(evolve, state)).toEqual(returned);
  });

  it('refused: what was never bought, or was bought again since', () => {
    expect(giveBack(initialState)).toEqual({ accepted: false, rejection: { code: 'NotPurchased' } });
    expect(giveBack(owned)).toEqual({ accepted: false, rejection: { code: 'NotPurchased' } });
  });

  it('[FIN-10] waits while a bank decides about the payment, and says what does not go back afterwards', () => {
    const refused = { accepted: false, rejection: { code: 'PaymentDisputed' } };
    expect(giveBack(state, { disputed: true })).toEqual(refused);
    expect(giveBack(returned, { disputed: true })).toEqual({ accepted: true, events: [] });
    const withheld = [{ lotId: 'lot1', credits: 2, valueMicroUsd: 360_000 }];
    expect(giveBack(state, { withheld })).toMatchObject({ events: [{ data: { withheld } }] });
  });

  it('repeated: records nothing', () => {
    expect(giveBack(returned)).toEqual({ accepted: true, events: [] });
  });

  it('costs again when it is bought again', () => {
    expect(priceFor('ada', sample, returned)).toBe(2);
    expect(acquire(returned)).toMatchObject({ accepted: true, events: [{ type: 'SamplePurchased' }] });
  });
});

describe('an order', () => {
  const offer = { sampleId: sample.sampleId, sample, purchase: initialState };
  const decideFor = (more: object, expectedCredits = 4) =>
    decideOrder(
      { buyerId: 'ada', expectedCredits },
      { isKeyUsed: false, balanceCredits: 9, offers: [offer, offer], ...more },
    );

  it('prices each item', () => {
    expect(decideFor({})).toEqual({
      accepted: true,
      prices: [{ priceCredits: 2 }, { priceCredits: 2 }],
      totalCredits: 4,
    });
    const offers = [{ ...offer, purchase: owned }];
    expect(decideFor({ offers })).toEqual({ accepted: true, prices: [{ priceCredits: 0 }], totalCredits: 0 });
  });

  it.each([
    [{ isKeyUsed: true }, { code: 'IdempotencyKeyReused' }],
    [{ offers: [] }, { code: 'SampleNotAvailable' }],
    [
      { offers: [offer, { ...offer, sampleId: 'none', sample: undefined }] },
      { code: 'SampleNotAvailable', sampleIds: ['none'] },
    ],
    [
      {
        offers: [
          { ...offer, sample: { ...sample, takenDown: true } },
          { ...offer, sampleId: 'b', sample: undefined },
        ],
      },
      { code: 'Gone', sampleIds: [sample.sampleId, 'b'] },
    ],
    [{ offers: [offer] }, { code: 'PriceChanged', priceCredits: 2, expectedCredits: 4 }],
    [{ balanceCredits: 1 }, { code: 'InsufficientCredits', balance: 1, missing: 3 }],
  ])('refused: %j', (facts, rejection) => {
    expect(decideFor(facts)).toEqual({ accepted: false, rejection });
  });
});

describe('the price of a whole pack', () => {
  it.each([
    ['each its own price', 4, [2, 2], [2, 2]],
    ['the largest remainder first', 6, [5, 3, 1, 1], [3, 2, 1, 0]],
    ['of equal remainders the first', 2, [1, 1, 1], [1, 1, 0]],
    ['nothing', 0, [1, 3], [0, 0]],
  ])('[PRICE-701] is allocated: %s', (_, credits, prices, parts) =>
    expect(allocateCredits(credits, prices)).toEqual(parts),
  );

  it('[PRICE-701] is allocated exactly for every price of 200 random packs, and no sample costs more than alone', () => {
    const random = randomFrom('packs');
    for (let n = 0; n < 200; n += 1) {
      const prices = Array.from(
        { length: 1 + Math.floor(random() * 12) },
        () => 1 + Math.floor(random() * 5),
      );
      const sumCredits = sumOf(prices);
      for (let priceCredits = 1; priceCredits <= sumCredits; priceCredits += 1) {
        const parts = allocateCredits(priceCredits, prices);
        expect(sumOf(parts)).toBe(priceCredits);
        expect(parts.every((part, index) => part <= (prices[index] as number))).toBe(true);
        // Buying a part first never makes the whole cheaper than its price.
        const first = prices[0] as number;
        const rest = creditsForMissing({ priceCredits, sumCredits }, sumCredits - first);
        expect(rest).toBeLessThanOrEqual(sumCredits - first);
        expect(first + rest).toBeGreaterThanOrEqual(priceCredits);
        expect(rest).toBe(Math.ceil((priceCredits * (sumCredits - first)) / sumCredits));
      }
    }
  });

  it('[PRICE-703] does not count while the samples cost no more', () => {
    expect([4, 5, 6, null].map((price) => priceInForce(price, 5))).toEqual([4, null, null, null]);
    expect(creditsForMissing({ priceCredits: 6, sumCredits: 5 }, 3)).toBe(3);
  });
});
