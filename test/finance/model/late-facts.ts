import {
  balanceTransactionDecider,
  type KnownMovement,
} from '../../../domain/payments/balance-transaction.js';
import type { BalanceTransactionEvent } from '../../../domain/shared/balance-movement.js';
import { isBehind, itemOf, type Movement } from './oracle-money.js';
import type { PaidLot, World } from './world.js';

const PATIENCE_MS = 3_600_000;

/** An event of an invoice at the provider, and its movement if money moved. */
interface Happening {
  lots: PaidLot[];
  movement?: Omit<Movement, 'told'>;
  /** Reports it to the code and the oracle. */
  tell: () => void;
}

/**
 * Usually reports the event at once. Otherwise the next report about the invoice delivers it, maybe days
 * later.
 */
export function happen(world: World, { lots, movement, tell }: Happening): void {
  const invoice = lots[0]?.paid.invoice as string;
  const fact = { invoice, tell, ...(movement && { movement: world.money.move(movement) }) };
  if (world.oneIn(4)) {
    world.money.untold.push(fact);
    world.did = 'untold';
    return;
  }
  hear(world, invoice);
  tell();
}

/** Reports all events of an invoice in the order in which they happened. */
export function hear({ money: { untold } }: World, invoice: string | undefined): void {
  for (const fact of untold.filter((each) => each.invoice === invoice)) {
    untold.splice(untold.indexOf(fact), 1);
    fact.tell();
  }
}

export function hearLate(world: World): void {
  const { untold } = world.money;
  if (untold.length === 0) return;
  if (world.oneIn(2)) world.company.now += world.below(20) * 86_400_000;
  hear(world, world.pick(untold).invoice);
  world.did = 'days later';
}

/** Holds movements without a fact in suspense, and explains them once the fact has arrived. */
export function sweepMovements(world: World): void {
  const { money, now } = world;
  for (const movement of money.movements) {
    const behind = isBehind(movement, money.untold);
    // An invoice that sells no plan never gets a fact, so its movements do not wait.
    const waits = movement.lone !== true && now - (movement.toldAt ?? now) < PATIENCE_MS;
    if (movement.told && behind && !movement.held && !waits) decide(world, movement, 'HoldInSuspense');
    if (movement.held && !behind) decide(world, movement, 'Explain');
  }
}

function decide(world: World, movement: Movement, type: 'HoldInSuspense' | 'Explain'): void {
  const stream = balanceTransactionDecider.streamOf(movement.id);
  const events = world.company.log.filter((event) => event.stream === stream);
  const state = (events as unknown as BalanceTransactionEvent[]).reduce(
    balanceTransactionDecider.evolve,
    balanceTransactionDecider.initialState as KnownMovement,
  );
  const decided = balanceTransactionDecider.decide({ type }, state);
  world.same(decided.accepted && decided.events.length, 1, `events of ${type}`);
  if (!decided.accepted) return;
  for (const event of decided.events) world.company.record(stream, event.type, event.data);
  const again = balanceTransactionDecider.decide(
    { type },
    decided.events.reduce(balanceTransactionDecider.evolve, state),
  );
  world.same(again.accepted && again.events.length, 0, `events of ${type} once more`);
  movement.held = type === 'HoldInSuspense';
  const sign = movement.held ? -1 : 1;
  world.money.changeItem(itemOf(movement), 'suspense', sign * movement.cents * 10_000, world.now);
  world.did = movement.held ? (movement.lone ? 'held for good' : 'held') : 'explained';
}

/**
 * Pays an invoice of prorations, which sells nothing. Its money and its refunds stay in suspense for good.
 */
export function payProrations(world: World): void {
  const { money } = world;
  const paid = money.movements.filter((each) => each.lone && each.kind === 'charge');
  if (paid.length > 0 && world.oneIn(3)) {
    const { source, cents } = world.pick(paid);
    const kind = world.oneIn(2) ? 'refund' : 'dispute';
    const feeCents = kind === 'dispute' ? 1_500 : 0;
    const about = world.id(kind === 'dispute' ? 'dp_' : 're_');
    const part = 1 + world.below(cents);
    money.move({ id: world.id('txn_'), kind, about, source, cents: -part, feeCents, lone: true });
    world.did = kind;
    return;
  }
  const [about, source] = [world.id('in_'), world.id('ch_')];
  const cents = 1 + world.below(2_000);
  money.move({ id: world.id('txn_'), kind: 'charge', about, source, cents, feeCents: 30, lone: true });
  world.did = 'paid';
}

/** Reports all remaining events at the end of a history. */
export function hearAll(world: World): void {
  while (world.money.untold.length > 0) hear(world, world.pick(world.money.untold).invoice);
}
