import {
  creditAccountDecider,
  valueOf,
  type CreditEvent,
  type CreditLot,
  type Gift,
  type Taxed,
} from '../../../domain/credits/credit-account.js';
import { assert } from '../../../domain/shared/decision.js';
import { floorRatio, sumOf } from '../../../domain/shared/micro-usd.js';
import { soldName } from '../../../domain/subscriptions/products.js';
import { movementCard } from './movement-cards.js';
import { staffPaths } from '../../pages/staff-paths.js';
import type { Traced } from './traced-events.js';
import {
  allOf,
  cents,
  fraction,
  money,
  movedOn,
  percent,
  remainderOf,
  type Draft,
  type DraftFact,
  type DraftFacts,
  type TracedOf,
  type Way,
} from './way.js';

export const lotKey = (lotId: string): string => `lot:${lotId}`;

export function lotBefore(events: readonly Traced[], lotId: string, position: number): CreditLot | undefined {
  return events
    .filter((event) => event.position < position)
    .reduce(
      (account, event) => creditAccountDecider.evolve(account, event as unknown as CreditEvent),
      creditAccountDecider.initialState,
    )
    .lots.find((lot) => lot.lotId === lotId);
}

interface OfLot {
  userId: string;
  lotId: string;
  events: readonly Traced[];
  /** The part of the lot that the traced amount comes from. Default: the spent part of the lot. */
  taken?: { fromMicroUsd: number; toMicroUsd: number; text: string };
}

export async function lotCard(way: Way, { userId, lotId, events, taken }: OfLot): Promise<string> {
  const key = lotKey(lotId);
  if (way.has(key)) return key;
  const grant = allOf(events, 'CreditsGranted').find(({ data }) => data.lotId === lotId);
  assert(grant !== undefined, `lot ${lotId} was never granted`);
  const { credits, valueMicroUsd, invoice, returned, gift } = grant.data;
  const each = floorRatio(valueMicroUsd, 1, credits);
  const rest = remainderOf(valueMicroUsd, 1, credits);
  const left = leftOf(events, lotId);
  const gone = credits - left.credits;
  way.add({
    key,
    kind: 'lot',
    title: returned ? 'Returned lot' : gift ? 'Lot of a gift' : 'Lot',
    id: lotId,
    href: staffPaths.financeTrace(lotId),
    at: new Date(grant.data.grantedAt),
    amountMicroUsd: valueMicroUsd,
    sum: await sumOfLot(way, grant),
    part: {
      ...(taken ?? {
        fromMicroUsd: 0,
        toMicroUsd: valueMicroUsd - left.valueMicroUsd,
        text: `${gone} of ${credits} credits are gone`,
      }),
      ofMicroUsd: valueMicroUsd,
    },
    facts: [
      { label: 'Credits', text: String(credits) },
      { label: 'A credit', text: `${money(each)}${rest === 0 ? '' : ` ${fraction(rest, credits)}`}` },
      {
        label: 'Still deferred',
        microUsd: left.valueMicroUsd,
        href: staffPaths.financeAccount(`deferred:${lotId}`),
      },
      ...ownersOf(events, gift, userId),
    ],
    rounding: returned
      ? 'none; it contains exactly the returned value'
      : valueMicroUsd % 10_000 === 0
        ? 'none; a lot holds whole cents'
        : 'none',
    events: [grant],
  });
  if (invoice) way.join(key, await invoiceCard(way, invoice.invoiceId));
  else if (returned?.lotId) {
    const origin = { userId, lotId: returned.lotId };
    way.join(key, await lotCard(way, { ...origin, events: await way.events.ofLot(userId, returned.lotId) }));
  } else if (!returned) way.join(key, unpaidCard(way, grant));
  return key;
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/** A gift has a payer, and an owner once its code was redeemed or has expired. */
function ownersOf(events: readonly Traced[], gift: Gift | undefined, userId: string): DraftFacts {
  const owner = (person: string): DraftFact => ({
    label: 'Owner',
    person,
    href: staffPaths.financeProof(person),
  });
  if (!gift) return [owner(userId)];
  const received = allOf(events, 'GiftReceived').at(-1);
  return [
    { label: 'Bought by', person: gift.payerId, href: staffPaths.financeProof(gift.payerId) },
    received ? owner(received.data.userId) : { label: 'Owner', text: 'none yet; the code was not redeemed' },
    received
      ? { label: received.data.why === 'expired' ? 'Expired' : 'Redeemed', text: dayOf(received.recordedAt) }
      : { label: 'Code valid until', text: dayOf(new Date(gift.expiresAt)) },
  ];
}

function leftOf(events: readonly Traced[], lotId: string): { credits: number; valueMicroUsd: number } {
  const lot = lotBefore(events, lotId, Infinity);
  const credits = lot ? lot.credits - lot.spentCredits : 0;
  return { credits, valueMicroUsd: lot ? valueOf(lot, credits) : 0 };
}

async function sumOfLot(way: Way, { data }: TracedOf<'CreditsGranted'>): Promise<Draft['sum']> {
  const { lotId, invoice, returned } = data;
  if (invoice)
    return {
      text: `${money(invoice.grossMicroUsd)} \u2212 tax ${money(invoice.taxMicroUsd)}`,
      microUsd: invoice.grossMicroUsd - invoice.taxMicroUsd,
    };
  if (!returned)
    return { text: 'given, not paid for', microUsd: movedOn('promotions', { type: 'CreditsGranted', data }) };
  const { purchaseId } = returned;
  const events = await way.events.naming(purchaseId);
  const [spent] = allOf(events, 'CreditsSpent');
  const [undone] = allOf(events, 'PurchaseReturned');
  const taken = spent?.data.segments[Number(lotId.slice(`return-${purchaseId}-`.length))];
  const takenMicroUsd = taken?.valueMicroUsd ?? 0;
  const withheld = undone?.data.withheld?.find((part) => part.lotId === taken?.lotId)?.valueMicroUsd ?? 0;
  return {
    text: [
      `${money(takenMicroUsd)} of a sale, returned`,
      ...(withheld > 0 ? [`${money(withheld)} given back before`] : []),
    ].join(' \u2212 '),
    microUsd: takenMicroUsd - withheld,
  };
}

function unpaidCard(way: Way, grant: TracedOf<'CreditsGranted'>): string {
  const { lotId, credits, valueMicroUsd, adjustment } = grant.data;
  return way.add({
    key: `unpaid:${lotId}`,
    kind: 'unpaid',
    title: adjustment ? 'Adjustment' : 'Promotion',
    id: adjustment?.adjustmentId ?? lotId,
    ...(adjustment ? { href: staffPaths.financeTrace(adjustment.adjustmentId) } : {}),
    at: grant.recordedAt,
    amountMicroUsd: valueMicroUsd,
    sum: {
      text: valueMicroUsd === 0 ? `${credits} credits, worth nothing` : `${credits} credits at our expense`,
      microUsd: movedOn('promotions', grant),
    },
    part: {
      fromMicroUsd: 0,
      toMicroUsd: valueMicroUsd,
      ofMicroUsd: valueMicroUsd,
      text: 'All of it is this lot',
    },
    facts: adjustment ? adjustmentFacts(adjustment) : [{ label: 'Given by', text: 'the shop' }],
    rounding: 'none',
    events: [grant],
  });
}

export const adjustmentFacts = (
  adjustment: NonNullable<TracedOf<'CreditsGranted'>['data']['adjustment']>,
): DraftFacts => {
  const { by, approvedBy, makesGood, explanation } = adjustment;
  return [
    { label: 'By', person: by },
    {
      label: 'Approved by',
      ...(approvedBy ? { person: approvedBy } : { text: 'not needed, below the limit' }),
    },
    makesGood && { label: 'Makes good', text: makesGood, href: staffPaths.financeTrace(makesGood) },
    { label: 'Reason', text: explanation },
  ];
};

/** Returns the place and kind of an invoice's tax. All lines of an invoice are taxed in one place. */
function taxedIn(lines: readonly { taxed?: Taxed }[]): DraftFact | undefined {
  const taxed = lines.find((line) => line.taxed)?.taxed;
  if (!taxed) return undefined;
  const { place, percentage, reason } = taxed;
  return { label: 'Taxed', text: `${place}, ${percentage} %, ${reason.replaceAll('_', ' ')}` };
}

export async function invoiceCard(way: Way, invoiceId: string): Promise<string> {
  const key = `invoice:${invoiceId}`;
  if (way.has(key)) return key;
  const events = await way.events.naming(invoiceId);
  const grants = allOf(events, 'CreditsGranted');
  const [first] = grants;
  assert(first !== undefined, `invoice ${invoiceId} granted nothing`);
  const lines = grants.flatMap(({ data }) => (data.invoice ? [{ ...data, ...data.invoice }] : []));
  const payerId = first.data.gift?.payerId ?? first.data.userId;
  const sold = lines.flatMap(
    ({ product, plan, gift }) => soldName(product ?? plan, 1, gift !== undefined) ?? [],
  );
  const gross = sumOf(lines.map(({ grossMicroUsd }) => grossMicroUsd));
  const tax = sumOf(lines.map(({ taxMicroUsd }) => taxMicroUsd));
  const net = sumOf(lines.map(({ valueMicroUsd }) => valueMicroUsd));
  const missing = sumOf(lines.map(({ unexplained }) => unexplained?.amountMicroUsd ?? 0));
  way.add({
    key,
    kind: 'invoice',
    title: 'Invoice',
    id: invoiceId,
    href: staffPaths.financeTrace(invoiceId),
    at: new Date(first.data.grantedAt),
    amountMicroUsd: gross,
    sum: { text: `${money(net)} + tax ${money(tax)}`, microUsd: net + tax },
    part: {
      fromMicroUsd: 0,
      toMicroUsd: net,
      ofMicroUsd: gross,
      text: tax === 0 ? 'Net, without tax' : `Net ${cents(net)}, tax ${cents(tax)} (${percent(tax, net)})`,
    },
    facts: [
      { label: 'For', person: payerId, href: staffPaths.financeProof(payerId) },
      sold.length > 0 && { label: 'Sold', text: sold.join(', ') },
      { label: 'Credits', text: String(sumOf(lines.map(({ credits }) => credits))) },
      ...stateOf(events),
      taxedIn(lines),
      missing !== 0 && { label: 'Not explained', microUsd: missing },
    ],
    rounding: tax === 0 ? 'none; Stripe bills whole cents' : 'tax to the nearest cent, by Stripe',
    events: grants,
  });
  for (const movement of allOf(events, 'BalanceTransactionRecorded'))
    if (movement.data.kind === 'charge' && movement.data.about === invoiceId)
      way.join(key, await movementCard(way, movement));
  return key;
}

function stateOf(events: readonly Traced[]): DraftFact[] {
  const back: DraftFact[] = [];
  const listed = new Set<string>();
  for (const { data } of allOf(events, 'InvoiceRefunded')) {
    const undone = events.some(
      (event) => event.type === 'RefundUndone' && event.data['refundId'] === data.refundId,
    );
    if (listed.has(data.refundId) || undone) continue;
    listed.add(data.refundId);
    const microUsd = movedOn('stripe:balance', { type: 'InvoiceRefunded', data });
    back.push({ label: 'Refunded', microUsd, href: staffPaths.financeTrace(data.refundId) });
  }
  for (const { data } of allOf(events, 'DisputeOpened')) {
    if (listed.has(data.disputeId)) continue;
    listed.add(data.disputeId);
    back.push({
      label: 'Disputed',
      microUsd: -data.amountMicroUsd,
      href: staffPaths.financeTrace(data.disputeId),
    });
  }
  return back.length > 0 ? back : [{ label: 'State', text: 'paid' }];
}
