import {
  promotionDecider,
  type PromotionCommand,
  type PromotionTerms,
} from '../../../domain/promotions/promotion-code.js';
import { purchaseDecider, type SampleOnOffer } from '../../../domain/purchases/purchase.js';
import { CURRENT_SHARE_POLICY } from '../../../domain/shared/share-policy.js';
import { codeOf, type World } from './world.js';

const DAY_MS = 86_400_000;

function decide(world: World, command: PromotionCommand): string | undefined {
  const { code } = command;
  const before = world.promotions.get(code) ?? promotionDecider.initialState;
  const decided = promotionDecider.decide(command, before);
  if (!decided.accepted) return codeOf(decided);
  world.promotions.set(code, decided.events.reduce(promotionDecider.evolve, before));
  for (const { type, data } of decided.events)
    world.company.record(promotionDecider.streamOf(code), type, data);
  return undefined;
}

/** Makes a code for a sample, or ends one. */
export function promise(world: World): void {
  const { flyers, nowIso: now } = world;
  const known = flyers.length > 0 && world.oneIn(4) ? world.pick(flyers) : undefined;
  if (known) {
    const by = world.oneIn(4) ? world.pick(world.creators) : known.sample.creator;
    const expected = by === known.sample.creator ? undefined : 'NotFound';
    if (!world.agree(decide(world, { type: 'EndPromotionCode', code: known.code, by, now }), expected))
      return;
    known.isEnded = true;
    world.did = 'ended';
    return;
  }
  const sample = world.pick(world.samples.filter(({ takenDown }) => !takenDown));
  const taken = flyers.length > 0 && world.oneIn(8) ? world.pick(flyers).code : undefined;
  const code = taken ?? world.id('CODE');
  const days = 1 + world.below(40);
  const until = world.now + days * DAY_MS;
  const terms: PromotionTerms = {
    creatorId: sample.creator,
    packId: sample.id,
    limit: 1 + world.below(2),
    until: new Date(until).toISOString(),
  };
  const refused = decide(world, { type: 'CreatePromotionCode', code, terms, now });
  const same =
    JSON.stringify(flyers.find((each) => each.code === taken)?.sample.id) === JSON.stringify(sample.id);
  if (taken !== undefined && same && refused === undefined) return;
  if (!world.agree(refused, taken === undefined ? undefined : 'PromotionCodeTaken')) return;
  flyers.push({ code, sample, limit: terms.limit, until, isEnded: false, people: new Map() });
}

/** A person redeems a code, and sometimes repeats the request. No credits move, and no creator earns. */
export function redeem(world: World): void {
  const { flyers, oracle, company, nowIso: now } = world;
  if (flyers.length === 0) return;
  const flyer = world.pick(flyers);
  const { code, sample, people } = flyer;
  const buyer = world.pick(world.users);
  const request = people.get(buyer);
  const redemptionId = request !== undefined && world.oneIn(2) ? request : world.id('redemption');
  const expected =
    buyer === sample.creator
      ? 'OwnPromotion'
      : request === redemptionId
        ? undefined
        : request !== undefined
          ? 'PromotionRedeemed'
          : flyer.isEnded
            ? 'PromotionEnded'
            : world.now >= flyer.until
              ? 'PromotionExpired'
              : people.size >= flyer.limit
                ? 'PromotionUsedUp'
                : undefined;
  // The handler asks before it redeems: a sample that is owned or off sale uses no code.
  if (expected === undefined && request === undefined)
    if (sample.takenDown || oracle.active(buyer, sample.id)) return;
  const id = world.id('p');
  const command = {
    type: 'RedeemPromotionCode',
    code,
    redemptionId,
    buyerId: buyer,
    samples: 1,
    now,
  } as const;
  if (!world.agree(decide(world, command), expected)) return;
  world.unchanged(() => decide(world, command));
  if (request !== undefined) {
    world.did = 'again';
    return;
  }
  const stream = purchaseDecider.streamOf({ buyerId: buyer, sampleId: sample.id });
  const purchase = company.facts.purchases.get(stream) ?? { version: 0, state: purchaseDecider.initialState };
  const decided = purchaseDecider.decide(
    {
      type: 'ReceiveSample',
      buyerId: buyer,
      purchaseId: id,
      certificateId: `c-${id}`,
      sample: company.facts.samples.get(sample.id) as SampleOnOffer,
      promotion: code,
      policy: CURRENT_SHARE_POLICY,
    },
    purchase.state,
  );
  world.same(codeOf(decided), undefined, 'what a code gives');
  if (!decided.accepted) return;
  const state = decided.events.reduce(purchaseDecider.evolve, purchase.state);
  company.facts.purchases.set(stream, { version: purchase.version + decided.events.length, state });
  for (const { type, data } of decided.events) company.record(stream, type, data);
  oracle.receive(buyer, sample, id, world.now);
  people.set(buyer, redemptionId);
  world.same(people.size <= flyer.limit, true, 'people within the limit of the code');
}
