import type { TracedKind } from './trace-contract.js';
import { adjustmentFacts, invoiceCard, lotCard } from './lot-cards.js';
import type { PaymentWords } from '../../payments/payment-gateway.js';
import { bankPayoutCard, disputeCard, refundCard } from './cash-cards.js';
import { adjustingCard, adjustingFrom, factCard, movementCard } from './movement-cards.js';
import { payingOf, payingSale, payoutCard, payoutKey, reversalCard } from './payout-cards.js';
import { saleCards, type Sale } from './sale-cards.js';
import type { Traced, TracedEvents } from './traced-events.js';
import { idsOf } from './traced-ids.js';
import { allOf, Way, type TracedOf } from './way.js';

/** The cards that explain an amount. The names of people and samples, and the proofs of events, are added later. */
export interface Explanation {
  way: Way;
  selected: string;
  line?: { withdrawalId: string; number: number; of: number };
  lots: { userId: string; lotId: string }[];
}

type Found = Omit<Explanation, 'way'> | undefined;
const about = (selected: string | undefined, lots: Explanation['lots'] = []): Found =>
  selected === undefined ? undefined : { selected, lots };

export async function explanationOf(
  events: TracedEvents,
  words: PaymentWords,
  id: string,
  line?: number,
): Promise<Explanation | undefined> {
  const way = new Way(events, words);
  const found = /^\d{1,15}$/.test(id) ? await ofEvent(way, Number(id), line) : await ofId(way, id, line);
  return found && { way, ...found };
}

async function ofEvent(way: Way, position: number, line: number | undefined): Promise<Found> {
  const event = await way.events.at(position);
  if (!event) return undefined;
  const [subject] = idsOf(event);
  const found = subject && (await ofId(way, subject.id, line));
  if (found) return found;
  const key = factCard(way, {
    kind: 'event',
    title: event.type,
    id: String(position),
    main: [event],
    facts: [{ label: 'Stream', text: event.stream }],
  });
  return about(key);
}

async function ofId(way: Way, id: string, line: number | undefined): Promise<Found> {
  const events = await way.events.naming(id);
  const kind = events.flatMap((event) => idsOf(event)).find((one) => one.id === id)?.kind;
  // An invoice that sold no credits has no event of its
  // own, so its movements at the provider explain it and its refunds.
  const found =
    kind && ((await WAYS[kind](way, id, events, line)) ?? (await ofMovement(way, id, events, line)));
  if (found && kind !== 'adjusting-entry') await adjustingFrom(way, found.selected, id);
  return found;
}

type Find = (way: Way, id: string, events: Traced[], line: number | undefined) => Promise<Found>;

const ofLot: Find = async (way, id, events) => {
  const grant = allOf(events, 'CreditsGranted').find(({ data }) => data.lotId === id);
  if (!grant) return undefined;
  const lot = { userId: grant.data.userId, lotId: id };
  return about(await lotCard(way, { ...lot, events: await way.events.ofLot(lot.userId, id) }), [lot]);
};

const ofGift: Find = async (way, _, events, line) => {
  const lotId = allOf(events, 'CreditsGranted', 'GiftGiven')[0]?.data.lotId;
  return lotId === undefined ? undefined : ofLot(way, lotId, await way.events.naming(lotId), line);
};

const ofInvoice: Find = async (way, _, events) => {
  const lots = allOf(events, 'CreditsGranted').filter(({ data }) => data.invoice);
  const invoiceId = lots[0]?.data.invoice?.invoiceId;
  if (invoiceId === undefined) return undefined;
  for (const { data } of lots)
    await lotCard(way, { ...data, events: await way.events.ofLot(data.userId, data.lotId) });
  return about(
    await invoiceCard(way, invoiceId),
    lots.map(({ data: { userId, lotId } }) => ({ userId, lotId })),
  );
};

const ofSale: Find = async (way, id, events) => {
  const [licence] = allOf(events, 'SamplePurchased', 'OwnSampleLicensed', 'NewVersionLicensed');
  const sale = await saleCards(way, licence?.data.purchaseId ?? id);
  if (!sale) return licence && about(ownCard(way, licence));
  await payoutsFrom(way, sale);
  return about(sale.key);
};

/** Adds the payouts of a sale. Links each payout to the sale, or to the reversed payout that it pays again. */
async function payoutsFrom(way: Way, sale: Sale): Promise<void> {
  for (const paying of await payingSale(way, sale)) {
    const at = paying.lines.findIndex(({ purchaseId }) => `sale:${purchaseId}` === sale.key);
    const known = payoutKey(paying.withdrawal);
    const key = way.has(known) ? known : await payoutCard(way, paying, at < 0 ? undefined : at + 1);
    if (at >= 0) way.join(key, sale.key);
    for (const repeated of paying.paidAgain.map(payoutKey)) if (way.has(repeated)) way.join(key, repeated);
  }
}

/** Adds the card of a free licence: an own sample, new audio of an owned one, or a sample that a code gave. */
function ownCard(
  way: Way,
  licence: TracedOf<'SamplePurchased' | 'OwnSampleLicensed' | 'NewVersionLicensed'>,
): string {
  const { purchaseId, sampleId, buyerId } = licence.data;
  const promotion = licence.type === 'SamplePurchased' ? licence.data.promotion : undefined;
  return factCard(way, {
    kind: 'sale',
    title:
      licence.type === 'OwnSampleLicensed'
        ? 'Own sample'
        : promotion === undefined
          ? 'Licence'
          : 'Free by promotion code',
    id: purchaseId,
    main: [],
    events: [licence],
    facts: [
      { label: 'Sound', sample: sampleId },
      { label: 'For', person: buyerId },
      { label: 'Cost', text: 'nothing' },
      promotion !== undefined && { label: 'Code', text: `${promotion}, no share` },
    ],
  });
}

const ofWithdrawal: Find = async (way, id, events, line) => {
  const withdrawalId = allOf(events, 'WithdrawalRequested', 'TransferCreated')[0]?.data.withdrawalId ?? id;
  const paying = await payingOf(way, withdrawalId);
  if (!paying) return undefined;
  const { lines } = paying;
  const number = lines.length === 0 ? undefined : Math.min(line ?? 1, lines.length);
  const key = await payoutCard(way, paying, number);
  const purchaseId = number && lines[number - 1]?.purchaseId;
  if (!purchaseId) return about(key);
  const sale = await saleCards(way, purchaseId);
  if (!sale) return about(key);
  await payoutsFrom(way, sale);
  return { selected: key, lots: [], line: { withdrawalId, number, of: lines.length } };
};

const ofMovement: Find = async (way, id, events, line) => {
  const movement =
    allOf(events, 'BalanceTransactionRecorded').find(({ data }) => data.transactionId === id) ??
    allOf(events, 'BalanceTransactionRecorded')[0];
  if (!movement) return undefined;
  const key = await movementCard(way, movement);
  const named = await way.events.naming(movement.data.transactionId);
  for (const { data } of allOf(named, 'MovementHeldInSuspense')) await adjustingFrom(way, key, data.item);
  const { kind, about: subject } = movement.data;
  const behind = subject === undefined ? [] : await way.events.naming(subject);
  const found = subject === undefined ? undefined : await SUBJECTS[kind]?.(way, subject, behind, line);
  if (found && kind !== 'charge') way.join(key, found.selected);
  return { lots: found?.lots ?? [], selected: key, ...(found?.line && { line: found.line }) };
};

const ofAdjustment: Find = async (way, id, events, line) => {
  const [grant] = allOf(events, 'CreditsGranted');
  const [revoked] = allOf(events, 'CreditsRevoked');
  if (grant) {
    const found = await ofLot(way, grant.data.lotId, events, line);
    return found && { ...found, selected: `unpaid:${grant.data.lotId}` };
  }
  if (!revoked) return undefined;
  const { userId, segments, adjustment } = revoked.data;
  const key = factCard(way, {
    kind: 'unpaid',
    title: 'Adjustment',
    id,
    account: 'forfeited',
    main: [revoked],
    facts: adjustmentFacts(adjustment),
  });
  for (const { lotId } of segments)
    way.join(key, await lotCard(way, { userId, lotId, events: await way.events.ofLot(userId, lotId) }));
  return about(key);
};

const ofApproval: Find = async (way, id, events) => {
  const [written] = allOf(events, 'CreatorDebtWrittenOff');
  if (!written) return undefined;
  const { creatorId, approvedBy, at } = written.data;
  return about(
    factCard(way, {
      kind: 'write-off',
      title: 'Written off',
      id,
      at: new Date(at),
      account: 'creator-losses',
      main: [written],
      facts: [
        { label: 'Owed by', person: creatorId },
        approvedBy && { label: 'Approved by', person: approvedBy },
      ],
    }),
  );
};

const ofAdjustingEntry: Find = async (way, id, events) => {
  const entries = allOf(events, 'AdjustingEntryPosted');
  const posted = entries.find(({ data }) => data.entryId === id) ?? entries[0];
  if (!posted) return undefined;
  const key = adjustingCard(way, posted);
  for (const { about: item } of posted.data.lines) {
    const found = item === undefined || item === id ? undefined : await ofId(way, item, undefined);
    if (found) way.join(key, found.selected);
  }
  return about(key);
};

const ofRefund: Find = async (way, id) => about(await refundCard(way, id));
const ofDispute: Find = async (way, id) => about(await disputeCard(way, id));
const ofBankPayout: Find = async (way, id) => about(await bankPayoutCard(way, id));
const ofReversal: Find = async (way, id) => about(await reversalCard(way, id));

const WAYS: Record<TracedKind, Find> = {
  movement: ofMovement,
  charge: ofMovement,
  refund: ofRefund,
  reversal: ofReversal,
  dispute: ofDispute,
  'bank-payout': ofBankPayout,
  withdrawal: ofWithdrawal,
  transfer: ofWithdrawal,
  purchase: ofSale,
  certificate: ofSale,
  lot: ofLot,
  gift: ofGift,
  adjustment: ofAdjustment,
  approval: ofApproval,
  'adjusting-entry': ofAdjustingEntry,
  invoice: ofInvoice,
  'invoice-line': ofInvoice,
};

const SUBJECTS: Partial<Record<TracedOf<'BalanceTransactionRecorded'>['data']['kind'], Find>> = {
  charge: ofInvoice,
  refund: ofRefund,
  'refund failed': ofRefund,
  'payment failed': ofRefund,
  dispute: ofDispute,
  'dispute won': ofDispute,
  'dispute adjusted': ofDispute,
  transfer: ofWithdrawal,
  'transfer reversed': ofReversal,
  'bank payout': ofBankPayout,
  'bank payout failed': ofBankPayout,
};
