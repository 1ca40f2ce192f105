import { floorRatio, sumOf } from '../../../domain/shared/micro-usd.js';
import { invoiceCard, lotBefore, lotCard, lotKey } from './lot-cards.js';
import { factCard, movementsFrom } from './movement-cards.js';
import { allOf, type Way } from './way.js';

export async function refundCard(way: Way, refundId: string): Promise<string | undefined> {
  const events = await way.events.naming(refundId);
  const refunds = allOf(events, 'InvoiceRefunded');
  const [refund] = refunds;
  if (!refund) return undefined;
  const { invoiceId, userId, requested } = refund.data;
  const [failed] = allOf(events, 'RefundFailed');
  const [undone] = allOf(events, 'RefundUndone');
  const waiting =
    allOf(events, 'RefundNoLongerPending').length > 0 ? undefined : allOf(events, 'RefundPending')[0];
  const state = undone
    ? `refused: ${way.words.ofFailedRefund(undone.data.refusal)}`
    : failed
      ? `failed: ${way.words.ofFailedRefund(failed.data.failure)}`
      : waiting
        ? `on its way: ${way.words.ofWaitingRefund(waiting.data.reason)}`
        : 'sent';
  const key = factCard(way, {
    kind: 'refund',
    title: refund.data.paymentFailed ? 'Payment failed' : 'Refund',
    id: refundId,
    main: refunds,
    events,
    facts: [
      { label: 'To', person: userId },
      { label: 'State', text: state },
      requested && { label: 'By', person: requested.by },
      requested?.approvedBy && { label: 'Approved by', person: requested.approvedBy },
      requested && { label: 'Reason', text: requested.explanation },
    ],
  });
  for (const { data, position } of refunds)
    for (const { lotId, credits } of data.segments) {
      const ofLot = await way.events.ofLot(userId, lotId);
      const lot = lotBefore(ofLot, lotId, position);
      const from = lot ? floorRatio(lot.valueMicroUsd, lot.spentCredits, lot.credits) : 0;
      const to = lot ? floorRatio(lot.valueMicroUsd, lot.spentCredits + credits, lot.credits) : 0;
      const taken = { fromMicroUsd: from, toMicroUsd: to, text: `${credits} unspent credits taken` };
      way.join(key, await lotCard(way, { userId, lotId, events: ofLot, taken }));
    }
  const invoice = await invoiceCard(way, invoiceId);
  if (!refunds.some(({ data }) => data.segments.some(({ lotId }) => way.has(lotKey(lotId)))))
    way.join(key, invoice);
  await movementsFrom(way, key, events, refundId);
  return key;
}

export async function disputeCard(way: Way, disputeId: string): Promise<string | undefined> {
  const events = await way.events.naming(disputeId);
  const opened = allOf(events, 'DisputeOpened');
  const [first] = opened;
  if (!first) return undefined;
  const ended = allOf(events, 'DisputeWon', 'DisputeLost', 'LostDisputeWon').at(-1);
  const states = { DisputeWon: 'won', DisputeLost: 'lost', LostDisputeWon: 'lost, then won' } as const;
  const key = factCard(way, {
    kind: 'dispute',
    title: 'Dispute',
    id: disputeId,
    main: opened,
    events,
    facts: [
      { label: 'By', person: first.data.userId },
      { label: 'State', text: ended ? states[ended.type] : 'open' },
      { label: 'Fee', microUsd: -sumOf(opened.map(({ data }) => data.feeMicroUsd)) },
    ],
  });
  for (const invoiceId of new Set(opened.map(({ data }) => data.invoiceId)))
    way.join(key, await invoiceCard(way, invoiceId));
  await movementsFrom(way, key, events, disputeId);
  return key;
}

export async function bankPayoutCard(way: Way, payoutId: string): Promise<string | undefined> {
  const events = await way.events.naming(payoutId);
  const sent = allOf(events, 'BankPayoutSent');
  if (sent.length === 0) return undefined;
  const state = events.some(({ type }) => type === 'BankPayoutFailed')
    ? 'failed'
    : events.some(({ type }) => type === 'BankPayoutArrived')
      ? 'arrived'
      : 'on its way';
  const key = factCard(way, {
    kind: 'bank-payout',
    title: 'Payout to our bank',
    id: payoutId,
    main: sent,
    events,
    facts: [{ label: 'State', text: state }],
  });
  await movementsFrom(way, key, events, payoutId);
  return key;
}
