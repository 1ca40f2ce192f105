import { needsSecondPerson } from '../../../domain/approvals/adjustment.js';
import {
  approvalDecider,
  type ApprovalCommand,
  type ApprovalState,
} from '../../../domain/approvals/approval.js';
import type { CreditAdjustment } from '../../../application/credits/credit-executor.js';
import { FIRST_LIMITS } from '../../../domain/shared/limits.js';
import type { Approver } from '../../../domain/shared/second-person.js';
import { giftAccountOf } from '../../../domain/credits/gift.js';
import { leftOfNamed } from '../../../domain/credits/compensation.js';
import { unexplainedOf } from '../../../domain/credits/lot-payment.js';
import { PLAN_IDS } from '../../../domain/subscriptions/plans.js';
import { MOST_TOP_UPS, TOP_UPS } from '../../../domain/subscriptions/products.js';
import type { PaidPurchase, SampleOnOffer } from '../../../domain/purchases/purchase.js';
import type { Purchase, Sample } from './oracle.js';
import { codeOf, type PaidLot, type World } from './world.js';

/** A line of an invoice. Lines of plans from before products name the plan, and the oldest name nothing. */
interface Line {
  cents: number;
  /** Tax included in `cents`. */
  taxCents: number;
  credits: number;
  reason: 'monthly_grant' | 'top_up';
  sold: { product?: string; plan?: string };
}

/** Pays an invoice of one or two lines. Each line grants credits once. */
export function payInvoice(world: World): void {
  // Small lots of odd amounts, because they cause rounding. Sometimes the invoice is fully discounted.
  const lines = Array.from({ length: world.oneIn(4) ? 2 : 1 }, (): Line => {
    const cents = world.oneIn(12) ? 0 : 1 + world.below(world.oneIn(3) ? 60_000 : 2_000);
    const credits = 1 + world.below(14);
    const plan = PLAN_IDS[credits % 3] as string;
    return {
      cents,
      taxCents: world.below(2) * Math.floor(cents / (4 + world.below(9))),
      credits,
      reason: 'monthly_grant',
      sold: credits % 4 === 0 ? {} : credits % 2 === 0 ? { plan } : { product: plan },
    };
  });
  const asked = lines.reduce((sum, { cents }) => sum + cents, 0);
  // The customer's balance paid a part or all of it, or a proration came on top.
  const cash = !world.oneIn(6) ? asked : world.oneIn(3) ? asked + world.below(900) : world.below(asked + 1);
  settle(world, lines, cash, world.pick(world.users));
  world.did = `of ${lines.length}${cash === asked ? '' : cash < asked ? ' with credit' : ' with a proration'}`;
}

/** Buys one or several of a top-up, at the prices of the shop. Only cash pays it, and nothing is prorated. */
export function buyTopUp(world: World): void {
  const { id: product, priceUsdCents, credits } = world.pick(TOP_UPS);
  const quantity = world.oneIn(4) ? 2 + world.below(MOST_TOP_UPS - 1) : 1;
  const net = priceUsdCents * quantity;
  const taxCents = world.below(2) * Math.round(net * 0.19);
  const cents = net + taxCents;
  const line = { cents, taxCents, credits: credits * quantity, reason: 'top_up', sold: { product } } as const;
  settle(world, [line], cents, world.pick(world.users));
  world.did = quantity === 1 ? 'of one' : 'of several';
}

/** Buys a top-up of few credits as a gift, so that the receiver spends it within the history. */
export function buyGift(world: World): void {
  const net = 1 + world.below(2_000);
  const taxCents = world.below(2) * Math.round(net * 0.19);
  const line = { cents: net + taxCents, taxCents, credits: 1 + world.below(14) };
  const id = world.id('g');
  const expiresAt = world.now + (1 + world.below(40)) * 86_400_000;
  // A guest only gives, and may erase the account. Then another guest comes.
  const payer = world.oneIn(2) ? `guest${world.gone.size}` : world.pick(world.users);
  const gift = { id, payer, account: giftAccountOf(id), expiresAt };
  const { priceUsdCents: _, id: product } = world.pick(TOP_UPS);
  const lines = [{ ...line, reason: 'top_up', sold: { product } }] as const;
  const cash = world.oneIn(8) ? world.below(line.cents + 1) : line.cents;
  world.gifts.push({ ...gift, lots: settle(world, lines, cash, gift.account, gift) });
  world.did = 'done';
}

/** The guest erases the account: the codes that the guest bought never expire. */
export function eraseGiver(world: World): void {
  const guest = `guest${world.gone.size}`;
  const given = world.gifts.filter(({ payer }) => payer === guest);
  if (given.length === 0) return;
  for (const { id } of given) {
    const gift = world.company.facts.gifts.get(id);
    if (gift) gift.payerIsGone = true;
  }
  world.gone.add(guest);
  world.did = 'done';
}

/** A user redeems a code, or its term ends and the payer has the credits. */
export function redeemGift(world: World): void {
  endGift(world, 'redeemed');
}
export function expireGift(world: World): void {
  endGift(world, 'expired');
}

function endGift(world: World, why: 'redeemed' | 'expired'): void {
  if (world.gifts.length === 0) return;
  const gift = world.pick(world.gifts.slice(world.oneIn(3) ? 0 : -3));
  const { id: giftId, lots } = gift;
  const to = why === 'expired' ? gift.payer : world.pick(world.users);
  const command = { type: 'HandOverGift', giftId, to, why, now: world.nowIso } as const;
  const outcome = world.company.executor({ ...command, metadata: world.metadata });
  const isIn = lots.filter(
    ({ user, units }) => user === gift.account && units.some(({ state }) => state === 'held'),
  );
  const isOver = world.now >= gift.expiresAt;
  const isExpired = isOver && !world.gone.has(gift.payer);
  const refusal =
    isIn.length === 0
      ? 'GiftGone'
      : isExpired !== (why === 'expired')
        ? isExpired
          ? 'GiftExpired'
          : 'GiftNotExpired'
        : isIn.some(world.oracle.frozen)
          ? 'GiftFrozen'
          : undefined;
  if (!world.agree(codeOf(outcome), refusal)) return;
  for (const lot of isIn) lot.user = to;
  world.unchanged(() => world.company.executor({ ...command, metadata: world.metadata }));
  const spent = lots.some(({ units }) => units.some(({ state }) => state !== 'held'));
  world.did = `${spent ? 'in part' : 'whole'}${isOver && why === 'redeemed' ? ' after the payer left' : ''}`;
}

function settle(
  world: World,
  lines: readonly Line[],
  cash: number,
  user: string,
  gift?: { id: string; payer: string; expiresAt: number },
): PaidLot[] {
  const { company, oracle } = world;
  const invoiceId = world.id('in_');
  const lots: PaidLot[] = [];
  const asked = lines.reduce((sum, { cents }) => sum + cents, 0);
  const unexplained = unexplainedOf(
    lines.map(({ cents }) => cents * 10_000),
    cash * 10_000,
  );
  let missing = asked - cash;
  for (const [line, { cents: grossCents, taxCents, credits, reason, sold }] of lines.entries()) {
    const part = unexplained[line];
    // Lines are paid in order, so the last ones lack money.
    const later = lines.slice(line + 1).reduce((sum, { cents }) => sum + cents, 0);
    const short = 10_000 * (missing < 0 ? missing : Math.max(0, missing - later));
    missing -= short / 10_000;
    world.same(part?.amountMicroUsd ?? 0, short, 'what no cash came for');
    const [gross, tax] = [grossCents * 10_000, taxCents * 10_000];
    const lotId = world.id('invoice-');
    const place = world.pick([undefined, 'DE', 'US-NY']);
    const at = company.now - world.below(3) * 3_600_000;
    const granted = world.executor({
      type: 'GrantCredits',
      grant: {
        type: 'GrantCredits',
        userId: user,
        lotId,
        kind: 'paid',
        reason,
        credits,
        valueMicroUsd: gross - tax,
        grantedAt: new Date(at).toISOString(),
        ...(gift && {
          gift: {
            giftId: gift.id,
            payerId: gift.payer,
            expiresAt: new Date(gift.expiresAt).toISOString(),
          },
        }),
        invoice: {
          invoiceId,
          invoiceLineId: `il_${lotId}`,
          grossMicroUsd: gross,
          ...sold,
          taxMicroUsd: tax,
          ...(place !== undefined && {
            taxed: { place, taxableMicroUsd: gross - tax, percentage: 19, reason: 'standard_rated' },
          }),
          ...(part ? { unexplained: part } : {}),
        },
      },
      metadata: world.metadata,
    });
    world.same(granted.accepted && granted.changed, true, 'a grant');
    const paid = {
      invoice: invoiceId,
      at,
      gross,
      tax,
      taxAccount: place === undefined ? 'tax' : `tax:${place}`,
      net: gross - tax,
      short,
      taxBack: 0,
      refunds: [],
      disputes: [],
    };
    const lot = { id: lotId, user, promotional: false, at, paid };
    lots.push(oracle.grant(lot, gross - tax, credits) as PaidLot);
  }
  world.invoices.push(lots);
  const feeCents = Math.round(cash * 0.029) + 30;
  if (cash > 0)
    world.money.move({ id: world.id('txn_'), kind: 'charge', about: invoiceId, cents: cash, feeCents });
  return lots;
}

export function promote(world: World): void {
  const [user, id, credits] = [world.pick(world.users), world.id('promotion-'), 1 + world.below(4)];
  const grant = {
    type: 'GrantCredits',
    userId: user,
    lotId: id,
    kind: 'promotional',
    reason: 'promotion',
    credits,
    valueMicroUsd: 0,
    grantedAt: world.nowIso,
  } as const;
  world.executor({ type: 'GrantCredits', grant, metadata: world.metadata });
  world.oracle.grant({ id, user, promotional: true, at: world.now }, 0, credits);
  world.did = 'done';
}

const approver = (by: string): Approver => ({
  by,
  roles: new Map([['admin', { by: 'system:operator', at: '2020-01-01T00:00:00.000Z' }]]),
  boughtFromThem: false,
});

/** An administrator gives or takes credits. Above 500 credits a second person must approve. */
export function adjust(world: World): void {
  const user = world.pick(world.users);
  const large = world.oneIn(12);
  const count = large ? 501 + world.below(3) : 1 + world.below(8);
  const good = world.oneIn(2) ? somethingToMakeGood(world, user) : undefined;
  const credits = good || world.oneIn(2) ? count : -count;
  const valueMicroUsd = good ? 1 + world.below(Math.min(9_000_000, good.left + 100)) : 0;
  const id = world.id('adjust');
  const asked = {
    userId: user,
    credits,
    valueMicroUsd,
    ...(good && { makesGood: good.named, paidLotId: good.lot.id }),
  };
  world.same(
    needsSecondPerson({ credits, valueMicroUsd: 0 }, { others: [], limits: FIRST_LIMITS }),
    large,
    'a second person',
  );
  let state: ApprovalState = approvalDecider.initialState;
  const decide = (command: ApprovalCommand): string | undefined => {
    const decided = approvalDecider.decide(command, state);
    if (decided.accepted) state = decided.events.reduce(approvalDecider.evolve, state);
    return codeOf(decided);
  };
  const now = world.nowIso;
  const facts = {
    others: [],
    limits: FIRST_LIMITS,
    mostMicroUsdPerCredit: 9_000_000,
    boughtFromThem: false,
    leftToCompensateMicroUsd: good?.left,
  };
  const refused = decide({
    type: 'RequestApproval',
    approvalId: id,
    work: { kind: 'adjustment', ...asked },
    by: 'pia',
    beneficiary: user,
    reason: 'why',
    facts,
    now,
  });
  const tooMuch = good && valueMicroUsd > good.left;
  if (!world.agree(refused, tooMuch ? 'MadeGoodAlready' : undefined)) return;
  if (large) {
    world.same(decide({ type: 'Approve', ...approver('pia'), now }), 'SecondPersonNeeded', 'one alone');
    const declined = world.oneIn(3);
    const zoe = { ...approver('zoe'), now };
    decide(declined ? { type: 'Decline', reason: 'why', ...zoe } : { type: 'Approve', ...zoe });
    world.same(state.status, declined ? 'declined' : 'approved', 'the decision');
    world.did = state.status;
    if (declined) return;
  }
  const apply = (): void => give(world, user, { adjustmentId: id, ...asked });
  // An approval may come days later, after other events.
  if (good && world.oneIn(3)) {
    world.agreed.push(apply);
    world.did = 'waits';
  } else apply();
}

/** Applies an adjustment that was approved earlier. */
export function applyAdjustment(world: World): void {
  const index = world.below(world.agreed.length);
  for (const apply of world.agreed.splice(index, 1)) apply();
}

type Asked = Pick<CreditAdjustment, 'adjustmentId' | 'credits' | 'valueMicroUsd' | 'makesGood' | 'paidLotId'>;

function give(world: World, user: string, { credits, valueMicroUsd, ...asked }: Asked): void {
  const { metadata, oracle } = world;
  const adjustment = { ...asked, by: 'pia', explanation: 'why' };
  if (credits < 0) {
    const revocation = { type: 'RevokeCredits', userId: user, credits: -credits, adjustment } as const;
    const outcome = world.executor({ type: 'RevokeCredits', revocation, metadata });
    world.agree(codeOf(outcome), oracle.revoke(user, -credits));
    return;
  }
  const lotId = `adjustment-${asked.adjustmentId}`;
  const grant = {
    type: 'GrantCredits',
    userId: user,
    lotId,
    kind: 'promotional',
    reason: 'admin_adjustment',
    credits,
    valueMicroUsd,
    grantedAt: world.nowIso,
    adjustment,
  } as const;
  const { makesGood, paidLotId } = asked;
  const paid = oracle.lots.find(({ id }) => id === paidLotId) as PaidLot | undefined;
  const tooMuch = paid && valueMicroUsd > oracle.leftToCompensate(paid);
  const outcome = world.executor({ type: 'GrantCredits', grant, metadata });
  if (!world.agree(codeOf(outcome), tooMuch ? 'MadeGoodAlready' : undefined)) return;
  const good = paid && makesGood !== undefined ? { origin: paid, makesGood } : {};
  oracle.grant({ id: lotId, user, promotional: true, at: world.now, ...good }, valueMicroUsd, credits);
  world.did = paid ? 'made good' : 'given';
}

/**
 * Returns a lot or purchase of the user and the value that may be made good, after comparing product and
 * oracle.
 */
function somethingToMakeGood(
  { oracle, company, pick, oneIn, same }: World,
  user: string,
): { named: string; lot: PaidLot; left: number } | undefined {
  const lots = oracle.lots.filter((lot) => lot.user === user && lot.paid) as PaidLot[];
  // A part of a pack that took no credits has nothing to make good.
  const bought = oracle.purchases.filter(({ buyer, units }) => buyer === user && units.length > 0);
  const [lot, purchase] = [lots.length > 0 && pick(lots), bought.length > 0 && pick(bought)];
  const named = purchase && oneIn(2) ? purchase : lot;
  if (!named) return undefined;
  const actual = leftOfNamed(named.id, company.historyOf(user), []);
  const expected =
    'paid' in named ? { lot: named, left: oracle.leftToCompensate(named) } : oracle.leftOfPurchase(named);
  same(actual?.leftMicroUsd, expected?.left ?? 0, `what may be made good of ${named.id}`);
  const against = lots.find(({ id }) => id === actual?.paidLotId);
  return against && { named: named.id, lot: against, left: expected?.left ?? 0 };
}

export function buy(world: World): void {
  const { oracle } = world;
  if (world.oneIn(15)) {
    const sample = world.pick(world.samples);
    sample.price = 1 + world.below(5);
    world.offer(sample);
  }
  // Mostly the richest user: a few attempts cover refusals for too few credits.
  const [richest] = [...world.users].sort((a, b) => oracle.wallet(b).length - oracle.wallet(a).length);
  const buyer = world.oneIn(4) ? world.pick(world.users) : (richest as string);
  const wanted = world.samples.filter(({ takenDown }) => world.oneIn(takenDown ? 40 : 4)).slice(0, 3);
  if (wanted.length === 0) wanted.push(world.pick(world.samples));
  order(world, buyer, wanted);
}

/** Buys all samples of a creator for one price. The price may be above the sum, which then counts. */
export function buyPack(world: World): void {
  const { oracle } = world;
  const [richest] = [...world.users].sort((a, b) => oracle.wallet(b).length - oracle.wallet(a).length);
  const buyer = world.oneIn(4) ? world.pick(world.users) : (richest as string);
  const creator = world.pick(world.creators);
  const wanted = world.samples.filter((sample) => sample.creator === creator && !sample.takenDown);
  if (wanted.length === 0) return;
  const sum = wanted.reduce((total, { price }) => total + price, 0);
  const price = 1 + world.below(sum + 1);
  const packId = `all of ${creator}`;
  world.company.facts.packs.set(packId, { priceCredits: price, sumCredits: sum });
  order(world, buyer, wanted, { packId, price, sum });
}

function order(
  world: World,
  buyer: string,
  wanted: readonly Sample[],
  pack?: { packId: string; price: number; sum: number },
): void {
  const { oracle } = world;
  const items = wanted.map((sample) => ({ sample, id: world.id('p') }));
  const paid = oracle.missing(buyer, items);
  const prices = oracle.prices(paid, pack);
  const total = prices.reduce((sum, price) => sum + price, 0);
  const expectedCredits = world.oneIn(12) ? total + 1 : total;
  const key = world.id('key');
  const { outcome } = world.executor({
    type: 'BuySamples',
    buyerId: buyer,
    items: items.map(({ sample, id }) => ({ sampleId: sample.id, purchaseId: id, certificateId: `c-${id}` })),
    ...(pack && { packId: pack.packId }),
    expectedCredits,
    idempotency: { key, requestHash: key },
    metadata: world.metadata,
  });
  const expected = oracle.buy(buyer, items, expectedCredits, world.now, pack);
  if (!world.agree(outcome.status === 'bought' ? undefined : outcome.rejection.code, expected)) return;
  if (outcome.status === 'bought')
    for (const [index, { sample }] of paid.entries())
      world.same(
        outcome.items.find(({ sampleId }) => sampleId === sample.id)?.charged,
        prices[index] as number,
        `what ${sample.id} cost`,
      );
  world.same(outcome.status === 'bought' && outcome.charged, total, 'what was charged');
  const isPart = pack && pack.price < pack.sum && paid.length > 0;
  world.did =
    total === 0 ? 'free' : isPart ? (prices.includes(0) ? 'partly for nothing' : 'for less') : 'paid';
}

/** A purchase that a restore lost is recorded again at the present price, even for a sample that is off sale. */
export function recover(world: World): void {
  const { oracle } = world;
  const [buyer, sample] = [world.pick(world.users), world.pick(world.samples)];
  const newest = oracle.purchases.findLast(
    (purchase) => purchase.buyer === buyer && purchase.sample === sample.id,
  );
  const id = world.id('p');
  const isSame = newest !== undefined && world.oneIn(2);
  const isOwned = newest?.active === true || world.owned(buyer, sample.id);
  const offered = world.company.facts.samples.get(sample.id) as SampleOnOffer;
  world.company.facts.samples.set(sample.id, { ...offered, available: false });
  const [paid] = oracle.missing(buyer, [{ sample, id }]);
  const outcome = world.executor({
    type: 'RecoverPurchase',
    accepted: {
      approvalId: id,
      certificateId: `c-${isSame ? newest.id : id}`,
      buyerId: buyer,
      sampleId: sample.id,
      creatorId: sample.creator,
      fileSha256: 'a'.repeat(64),
      issuedAt: world.nowIso,
      by: 'pia',
      approvedBy: 'zoe',
      reason: 'why',
    },
    at: world.nowIso,
    metadata: world.metadata,
  });
  world.offer(sample);
  const refusal = isSame
    ? 'PurchaseRecorded'
    : isOwned
      ? 'PurchaseOwned'
      : oracle.buy(buyer, [{ sample, id }], paid ? sample.price : 0, world.now);
  if (!world.agree(codeOf(outcome), refusal)) return;
  world.did = paid ? 'paid' : 'own';
}

function giveBack(world: World, purchase: Purchase, reason: 'takedown' | 'defect'): string | undefined {
  const sale = world.company.sales.get(purchase.id) as PaidPurchase;
  const lots = world.company.lotsTakenBy(sale);
  const command = { type: 'ReturnPurchase', purchase: sale, reason, explanation: 'why', lots } as const;
  const outcome = world.executor({ ...command, metadata: world.metadata });
  const refusal = world.oracle.giveBack(purchase);
  world.agree(codeOf(outcome), refusal);
  return refusal;
}

export function returnPurchase(world: World): void {
  const active = world.oracle.purchases.filter((purchase) => purchase.active);
  if (active.length > 0) giveBack(world, world.pick(active), 'defect');
}

/**
 * Takes a sample down and returns its purchases, except those with an open dispute. A new sample replaces it.
 */
export function takeDown(world: World): void {
  const sample = world.pick(world.samples.filter(({ takenDown }) => !takenDown));
  sample.takenDown = true;
  world.offer(sample);
  for (const purchase of world.oracle.purchases)
    if (purchase.sample === sample.id && purchase.active) giveBack(world, purchase, 'takedown');
  world.did = 'done';
  world.addSample({
    id: world.id('s'),
    creator: sample.creator,
    price: 1 + world.below(5),
    takenDown: false,
    shared: new Map(),
  });
}
