import { SUSPENSE } from '../../../domain/ledger/accounts.js';
import { assert } from '../../../domain/shared/decision.js';
import { inCurrency, sumOf } from '../../../domain/shared/micro-usd.js';
import { entryFor } from '../../../domain/ledger/entry.js';
import { aboutOf, cashFactOf, factsBehind, FACT_OF_MOVEMENT } from '../../../domain/ledger/tie-out.js';
import {
  isDispute,
  OPENING,
  RESERVE,
  type BalanceTransaction,
} from '../../../domain/shared/balance-movement.js';
import { staffPaths } from '../../pages/staff-paths.js';
import type { Cited, Traced } from './traced-events.js';
import {
  allOf,
  money,
  movedOn,
  postingsOf,
  type Draft,
  type DraftFact,
  type DraftFacts,
  type TracedOf,
  type Way,
} from './way.js';

const CASH = 'stripe:balance';

const isHeld = (event: Traced): boolean => entryFor(event)?.fact === 'movement-in-suspense';

async function eventsBehind(way: Way, movement: TracedOf<'BalanceTransactionRecorded'>): Promise<Traced[]> {
  const { transactionId, kind, about } = movement.data;
  const fact = FACT_OF_MOVEMENT[kind] ?? null;
  const facts = factsBehind({ transactionId, fact, about: about ?? null });
  const named = new Map<number, Traced>();
  for (const id of [transactionId, ...(about ? [about] : [])])
    for (const event of await way.events.naming(id)) named.set(event.position, event);
  return [...named.values()].filter((event) => {
    // Movements in `movement-in-suspense` entries are matched by
    // id, because `cashFactOf` skips fees in the opening balance, which move no cash.
    if (isHeld(event)) return aboutOf(event.data) === transactionId;
    const cash = cashFactOf(event);
    if (!cash) return false;
    return facts.some((each) => each.fact === cash.fact && each.about === cash.about);
  });
}

export async function movementCard(
  way: Way,
  movement: TracedOf<'BalanceTransactionRecorded'>,
): Promise<string> {
  const { transactionId, kind, grossMicroUsd, feeMicroUsd, foreign, source, providerType, at } =
    movement.data;
  const key = `movement:${transactionId}`;
  if (way.has(key)) return key;
  const behind = await eventsBehind(way, movement);
  const booked = sumOf(behind.map((event) => movedOn(CASH, event)));
  const fees = sumOf(behind.map((event) => feeIn(event, movement.data)));
  const net = grossMicroUsd - feeMicroUsd;
  const held = sumOf(behind.filter(isHeld).map((event) => movedOn(CASH, event)));
  const opening = -sumOf(behind.map((event) => movedOn(OPENING, event)));
  return way.add({
    key,
    kind: 'movement',
    title: 'Movement at Stripe',
    id: transactionId,
    href: staffPaths.financeTrace(transactionId),
    at: new Date(at),
    amountMicroUsd: net,
    sum: {
      text: `${money(booked - fees)} ${fees > 0 ? '+ fee back' : '\u2212 fee'} ${money(Math.abs(fees))}`,
      microUsd: booked,
    },
    part: {
      fromMicroUsd: 0,
      toMicroUsd: Math.abs(net),
      ofMicroUsd: Math.max(Math.abs(grossMicroUsd), Math.abs(net)),
      text: feeMicroUsd > 0 ? 'Net after Stripe\u2019s fee' : 'All of it',
    },
    facts: [
      { label: 'Gross', microUsd: grossMicroUsd },
      { label: 'Fee', microUsd: -feeMicroUsd },
      { label: 'Net', microUsd: net },
      { label: 'Kind', text: providerType ?? kind },
      source && { label: 'Source', text: source },
      foreign &&
        otherCurrency(
          `${foreign.grossMinorUnits} \u2212 ${foreign.feeMinorUnits} of the smallest unit, ${foreign.currency.toUpperCase()}`,
        ),
      heldIn(kind === 'reserve' ? RESERVE : opening === 0 ? SUSPENSE : OPENING, opening || held),
    ],
    rounding: 'none; matched to the cent',
    events: [movement, ...behind.filter(({ position }) => position !== movement.position)],
  });
}

const otherCurrency = (text: string): DraftFact => ({ label: 'Other currency', text });

const HELD_IN = { [RESERVE]: 'In reserve', [SUSPENSE]: 'In suspense', [OPENING]: 'In the opening balance' };
const heldIn = (account: keyof typeof HELD_IN, microUsd: number): DraftFact | false =>
  microUsd !== 0 && { label: HELD_IN[account], microUsd, href: staffPaths.financeAccount(account) };

/**
 * Returns the provider's fee that an event posts. The event of an opened or adjusted dispute posts the fee together
 * with the amount.
 */
function feeIn(event: Traced, { kind, feeMicroUsd }: BalanceTransaction): number {
  if (cashFactOf(event)?.fact === 'stripe-fee') return movedOn(CASH, event);
  return isDispute({ kind }) && event.type !== 'BalanceTransactionRecorded' ? -feeMicroUsd : 0;
}

export async function movementsFrom(
  way: Way,
  key: string,
  events: readonly Traced[],
  about: string,
): Promise<void> {
  for (const movement of allOf(events, 'BalanceTransactionRecorded'))
    if (movement.data.about === about && movement.data.kind !== 'charge')
      way.join(await movementCard(way, movement), key);
}

interface FactCard extends Pick<Draft, 'kind' | 'title' | 'id'> {
  /** The time of the card. Default: the time of the first event. */
  at?: Date;
  /** The trace card's amount is this account's change. */
  account?: string;
  /** The events that add up to the amount. */
  main: readonly Cited[];
  /** All events of the card. Default: `main`. Provider movements are left out, because they have their own cards. */
  events?: readonly Cited[];
  facts: DraftFacts;
}

/** Adds the card of a fact. The change of one account must equal the changes of all other accounts. */
export function factCard(way: Way, { account = CASH, main, events = main, ...card }: FactCard): string {
  const [first] = [...main, ...events];
  assert(first !== undefined, 'a card has an event');
  const amount = sumOf(main.map((event) => movedOn(account, event)));
  const others = new Map<string, number>();
  for (const event of main)
    for (const { account: other, commodity, delta } of postingsOf(event))
      if (commodity === 'usd' && other !== account) others.set(other, (others.get(other) ?? 0) - delta);
  const terms = [...others].map(([other, moved]) => `${money(moved)} ${shortOf(other)}`);
  return way.add({
    at: first.recordedAt,
    ...card,
    key: `${card.kind}:${card.id}`,
    events: events.filter(({ type }) => type !== 'BalanceTransactionRecorded'),
    href: staffPaths.financeTrace(card.id),
    amountMicroUsd: amount,
    sum: {
      text: terms.join(' + ') || 'nothing moved',
      microUsd: -sumOf(main.map((event) => movedOn(account, event, { others: true }))),
    },
    part: { fromMicroUsd: 0, toMicroUsd: Math.abs(amount), ofMicroUsd: Math.abs(amount), text: 'All of it' },
    rounding: 'none; cash moves in whole cents',
  });
}

/** Shortens `deferred:…` to `unspent` and `creator:…` to `creator`, so that a sum fits into one line. */
const shortOf = (account: string): string =>
  account.replace(/^(deferred|creator):.*/, (_, group: string) =>
    group === 'deferred' ? 'unspent' : 'creator',
  );

export function adjustingCard(way: Way, posted: TracedOf<'AdjustingEntryPosted'>): string {
  const { entryId, lines, evidence, month, requestedBy, approvedBy } = posted.data;
  const key = `adjusting-entry:${entryId}`;
  if (way.has(key)) return key;
  const [taken] = lines;
  return factCard(way, {
    kind: 'adjusting-entry',
    title: 'Adjusting entry',
    id: entryId,
    account: taken?.account ?? SUSPENSE,
    main: [posted],
    facts: [
      taken && taken.commodity !== 'usd' && otherCurrency(inCurrency(taken.delta, taken.commodity)),
      { label: 'Asked by', person: requestedBy },
      { label: 'Approved by', person: approvedBy },
      { label: 'Proof', text: evidence },
      month && { label: 'Posted at the end of', text: month },
    ],
  });
}

/** Adds the cards of the adjusting entries that cleared an item, and links them to the item's card. */
export async function adjustingFrom(way: Way, key: string, item: string): Promise<void> {
  for (const posted of allOf(await way.events.naming(item), 'AdjustingEntryPosted'))
    way.join(adjustingCard(way, posted), key);
}
