import { valueOf } from '../../../domain/credits/credit-account.js';
import { assert } from '../../../domain/shared/decision.js';
import { floorRatio, floorShare, sumOf } from '../../../domain/shared/micro-usd.js';
import { sharesOf, WHOLE_BPS, type CreatorShare } from '../../../domain/shared/share-policy.js';
import { lotBefore, lotCard } from './lot-cards.js';
import { staffPaths } from '../../pages/staff-paths.js';
import { allOf, fraction, money, percent, remainderOf, type TracedOf, type Way } from './way.js';

export interface Sale {
  key: string;
  position: number;
  shares: readonly CreatorShare[];
}

/** Adds the cards of a sale and of the lots that paid for it. @returns undefined if the buyer paid nothing */
export async function saleCards(way: Way, purchaseId: string): Promise<Sale | undefined> {
  const events = await way.events.naming(purchaseId);
  const [sale] = allOf(events, 'SamplePurchased');
  const [spent] = allOf(events, 'CreditsSpent');
  if (!sale || !spent) return undefined;
  const { creatorId, buyerId, sampleId, priceCredits, packPart, shareMicroUsd, shareBps } = sale.data;
  const key = `sale:${purchaseId}`;
  const value = sumOf(spent.data.segments.map(({ valueMicroUsd }) => valueMicroUsd));
  const shares = sharesOf(sale.data);
  const dropped = remainderOf(value, shareBps, 10_000);
  const [returned] = allOf(events, 'PurchaseReturned');
  const takenBack = allOf(events, 'ShareTakenBack');
  way.add({
    key,
    kind: 'sale',
    title: 'Sale',
    id: purchaseId,
    href: staffPaths.financeTrace(purchaseId),
    at: sale.recordedAt,
    amountMicroUsd: shareMicroUsd,
    sum: {
      text: `${percent(shareBps, 10_000)} of ${money(value)}`,
      microUsd: floorShare(value, { shareBps }),
    },
    part: {
      fromMicroUsd: 0,
      toMicroUsd: shareMicroUsd,
      ofMicroUsd: value,
      text: `Share ${percent(shareBps, 10_000)}, ours ${percent(10_000 - shareBps, 10_000)} = ${money(value - shareMicroUsd)}`,
    },
    facts: [
      { label: 'Sound', sample: sampleId },
      { label: 'Creator', person: creatorId, href: staffPaths.financeCreator(creatorId) },
      ...(shares.length > 1 ? shares : []).map((share) => ({
        label: `Gets ${percent(share.bps, WHOLE_BPS)}`,
        person: share.creatorId,
        microUsd: share.shareMicroUsd,
        href: staffPaths.financeCreator(share.creatorId),
      })),
      { label: 'Buyer', person: buyerId, href: staffPaths.financeProof(buyerId) },
      { label: 'Cost', text: priceCredits === 1 ? '1 credit' : `${priceCredits} credits` },
      packPart && {
        label: 'Part of a pack',
        text: `${packPart.packCredits} of ${packPart.packSumCredits} credits, alone ${packPart.singleCredits}`,
      },
      returned && {
        label: 'Returned',
        at: returned.recordedAt.toISOString(),
        href: staffPaths.financeTrace(returned.position),
      },
      ...takenBack.map((event) => ({
        label: 'Taken back',
        microUsd: -event.data.shareMicroUsd,
        href: staffPaths.financeTrace(event.data.disputeId),
      })),
    ],
    rounding:
      dropped === 0
        ? 'share rounds down; exact here, 0 dropped'
        : `share rounds down; ${fraction(dropped, 10_000)} of a micro-dollar dropped`,
    events: [spent, sale, ...(returned ? [returned] : []), ...takenBack],
  });
  await segmentCards(way, key, spent);
  return { key, position: sale.position, shares };
}

async function segmentCards(way: Way, sale: string, spent: TracedOf<'CreditsSpent'>): Promise<void> {
  const { userId, purchaseId, segments } = spent.data;
  for (const [index, { lotId, credits, valueMicroUsd }] of segments.entries()) {
    const events = await way.events.ofLot(userId, lotId);
    const lot = lotBefore(events, lotId, spent.position);
    assert(lot !== undefined, `lot ${lotId} gave credits before it came`);
    const [before, after] = [lot.spentCredits, lot.spentCredits + credits];
    const upTo = (count: number): number => floorRatio(lot.valueMicroUsd, count, lot.credits);
    const rest = remainderOf(lot.valueMicroUsd, after, lot.credits);
    const stretch = credits === 1 ? `Credit ${after}` : `Credits ${before + 1}\u2013${after}`;
    const key = way.add({
      key: `segment:${purchaseId}:${index}`,
      kind: 'segment',
      title: 'Segment',
      id: `segment ${index + 1} of ${segments.length}`,
      at: spent.recordedAt,
      amountMicroUsd: valueMicroUsd,
      sum: { text: `${money(upTo(after))} \u2212 ${money(upTo(before))}`, microUsd: valueOf(lot, credits) },
      part: {
        fromMicroUsd: upTo(before),
        toMicroUsd: upTo(after),
        ofMicroUsd: lot.valueMicroUsd,
        text: `${stretch} of ${lot.credits}`,
      },
      facts: [
        { label: `Up to ${after}`, microUsd: upTo(after) },
        { label: `Up to ${before}`, microUsd: upTo(before) },
        {
          label: 'Source',
          text: lotId.startsWith('return-') ? 'returned lot' : `${lot.kind} lot`,
          href: staffPaths.financeTrace(lotId),
        },
      ],
      rounding:
        rest === 0
          ? 'none; the credits end on a whole micro-dollar'
          : `both ends down; ${fraction(rest, lot.credits)} of a micro-dollar waits for credit ${after + 1}`,
      events: [spent],
    });
    way.join(sale, key);
    const taken = {
      fromMicroUsd: 0,
      toMicroUsd: upTo(after),
      text: `${after} of ${lot.credits} credits spent`,
    };
    way.join(key, await lotCard(way, { userId, lotId, events, taken }));
  }
}
