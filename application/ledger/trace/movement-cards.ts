import { SUSPENSE } from '../../../domain/ledger/accounts.js';
import { inCurrency } from '../../../domain/shared/micro-usd.js';
import { entryFor } from '../../../domain/ledger/entry.js';
import { aboutOf, cashFactOf, factsBehind, factOfMovement } from '../../../domain/ledger/tie-out.js';
import { OPENING, RESERVE, type BalanceTransaction } from '../../../domain/shared/balance-movement.js';
import { staffPaths } from '../../pages/staff-paths.js';
import type { Cited, Traced } from './traced-events.js';
import {
  allOf,
  money,
  movedOn,
  postingsOf,
  sum,
  type Draft,
  type DraftFact,
  type DraftFacts,
  type TracedOf,
  type Way,
} from './way.js';

const CASH = 'stripe:balance';

const isHeld = (event: Traced): boolean => entryFor(event)?.fact === 'movement-in-suspense';

async function eventsBehind(way: Way, movement: TracedOf<'BalanceTransactionRecorded'>): Promise<Traced[]> {
  const { transactionId, kind, about, grossMicroUsd } = movement.data;
  const fact = factOfMovement(kind) ?? null;
  const facts = factsBehind({
    transactionId,
    fact,
    about: about ?? null,
    grossMicroUsd,
    position: movement.position,
  });
  const named = new Map<number, Traced>();
  for (const id of [transactionId, ...(about ? [about] : [])])
    for (const event of await way.events.naming(id)) named.set(event.position, event);
  return [...named.values()].filter((event) => {
    // An item in suspense has the movement's own id. The opening balance of a fee moves no cash.
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
  const booked = sum(behind.map((event) => movedOn(CASH, event)));
  const fees = sum(behind.map((event) => feeIn(event, movement.data)));
  const net = grossMicroUsd - feeMicroUsd;
  const held = sum(behind.filter(isHeld).map((event) => movedOn(CASH, event)));
  const opening = -sum(behind.map((event) => movedOn(OPENING, event)));
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
      foreign && {
        label: 'Other currency',
        text: `${foreign.grossMinorUnits} \u2212 ${foreign.feeMinorUnits} of the smallest unit, ${foreign.currency.toUpperCase()}`,
      },
      heldIn(kind === 'reserve' ? RESERVE : opening === 0 ? SUSPENSE : OPENING, opening || held),
    ],
    rounding: 'none; matched to the cent',
    events: [movement, ...behind.filter(({ position }) => position !== movement.position)],
  });
}

const HELD_IN = { [RESERVE]: 'In reserve', [SUSPENSE]: 'In suspense', [OPENING]: 'In the opening balance' };
const heldIn = (account: keyof typeof HELD_IN, microUsd: number): DraftFact | false =>
  microUsd !== 0 && { label: HELD_IN[account], microUsd, href: staffPaths.financeAccount(account) };

/** The provider's fee within a cash fact. The facts of a dispute contain its fee. */
function feeIn(event: Traced, { kind, feeMicroUsd }: BalanceTransaction): number {
  if (cashFactOf(event)?.fact === 'stripe-fee') return movedOn(CASH, event);
  const isDispute = kind === 'dispute' || kind === 'dispute adjusted';
  return isDispute && event.type !== 'BalanceTransactionRecorded' ? -feeMicroUsd : 0;
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

interface FactCard {
  key: string;
  kind: Draft['kind'];
  title: string;
  id: string;
  at: Date;
  /** The account whose change is the amount of the card. */
  account?: string;
  /** The events that add up to the amount. */
  main: readonly Cited[];
  events: readonly Cited[];
  facts: DraftFacts;
}

/** Adds a fact of the books. Its change of one account equals its changes of all others. */
export function factCard(way: Way, { account = CASH, main, ...card }: FactCard): string {
  const amount = sum(main.map((event) => movedOn(account, event)));
  const others = new Map<string, number>();
  for (const event of main)
    for (const { account: other, commodity, delta } of postingsOf(event))
      if (commodity === 'usd' && other !== account) others.set(other, (others.get(other) ?? 0) - delta);
  const terms = [...others].map(([other, moved]) => `${money(moved)} ${shortOf(other)}`);
  return way.add({
    ...card,
    href: staffPaths.financeTrace(card.id),
    amountMicroUsd: amount,
    sum: {
      text: terms.join(' + ') || 'nothing moved',
      microUsd: -sum(main.map((event) => movedOn(account, event, { others: true }))),
    },
    part: { fromMicroUsd: 0, toMicroUsd: Math.abs(amount), ofMicroUsd: Math.abs(amount), text: 'All of it' },
    rounding: 'none; cash moves in whole cents',
  });
}

/** Shortens `deferred:…` by its lot, for a sum in one line. */
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
    key,
    kind: 'adjusting-entry',
    title: 'Adjusting entry',
    id: entryId,
    at: posted.recordedAt,
    account: taken?.account ?? SUSPENSE,
    main: [posted],
    events: [posted],
    facts: [
      taken &&
        taken.commodity !== 'usd' && {
          label: 'Other currency',
          text: inCurrency(taken.delta, taken.commodity),
        },
      { label: 'Asked by', person: requestedBy },
      { label: 'Approved by', person: approvedBy },
      { label: 'Proof', text: evidence },
      month && { label: 'Posted at the end of', text: month },
    ],
  });
}

/** Links the entries that cleared an item to the card of the item. */
export async function adjustingFrom(way: Way, key: string, item: string): Promise<void> {
  for (const posted of allOf(await way.events.naming(item), 'AdjustingEntryPosted'))
    way.join(adjustingCard(way, posted), key);
}
