import {
  cashFactOf,
  FACT_OF_MOVEMENT,
  tieOut,
  type CashFact,
  type RecordedTransaction,
  type TiedOut,
} from '../../../domain/ledger/tie-out.js';
import type { BalanceTransaction } from '../../../domain/shared/balance-movement.js';
import { isBehind, ownFee, type Movement } from './oracle-money.js';
import type { World } from './world.js';

/** Returns a movement as the read model has it: under its fact, or under its own id while it is held. */
function recordedOf(
  { transactionId, kind, about, grossMicroUsd }: BalanceTransaction,
  position: number,
  held: ReadonlySet<unknown>,
): RecordedTransaction {
  const of = held.has(transactionId)
    ? { fact: 'movement-in-suspense', about: transactionId }
    : { fact: FACT_OF_MOVEMENT[kind] ?? null, about: about ?? null };
  return { transactionId, position, currency: 'usd', grossMicroUsd, ...of };
}

/** Ties out all movements of the provider with the whole books. */
export function tiedOut({ company, money }: World): TiedOut {
  const facts = company.log.flatMap((event): CashFact[] => {
    const moved = cashFactOf(event);
    return moved ? [{ ...moved, currency: 'usd', position: event.position, at: new Date(event.at) }] : [];
  });
  const held = new Set<unknown>();
  for (const { type, data } of company.log) {
    if (type === 'MovementHeldInSuspense') held.add(data['transactionId']);
    if (type === 'MovementExplained') held.delete(data['transactionId']);
  }
  const recorded = company.log
    .filter(({ type }) => type === 'BalanceTransactionRecorded')
    .map(({ data, position }) => recordedOf(data as unknown as BalanceTransaction, position, held));
  const report = money.movements.map(({ id: transactionId, cents, feeCents, kind }) => ({
    transactionId,
    at: new Date(0),
    category: kind,
    references: [],
    currency: 'usd',
    grossMicroUsd: cents * 10_000,
    netMicroUsd: (cents - feeCents) * 10_000,
  }));
  return tieOut(report, recorded, facts);
}

/**
 * Checks that the tie-out lists exactly what one side does not know yet. Its sum must equal the difference of
 * the balances.
 */
export function tieOutNow(world: World): void {
  const { company, money } = world;
  const { unmatchedTransactions, unmatchedFacts } = tiedOut(world);
  // A dispute that gave everything back before it was won moves nothing, so its late fact adds nothing.
  const lacksAmount = (each: Movement): boolean =>
    isBehind(each, money.untold) && !each.held && each.cents !== ownFee(each);
  const open = money.movements.filter((each) => !each.told || lacksAmount(each));
  const ids = (all: { id: string }[]): string => all.map(({ id }) => id).join(', ');
  world.same(
    ids(unmatchedTransactions.map(({ transactionId: id }) => ({ id }))),
    ids(open),
    'what only the provider has',
  );
  const balance = money.movements.reduce((sum, each) => sum + (each.cents - each.feeCents) * 10_000, 0);
  const difference = balance - (company.books.get('stripe:balance') ?? 0);
  const atProvider = unmatchedTransactions.reduce((sum, { netMicroUsd }) => sum + netMicroUsd, 0);
  const inBooks = unmatchedFacts.reduce((sum, { amountMicroUsd }) => sum + amountMicroUsd, 0);
  world.same(atProvider - inBooks, difference, 'what the lists differ by');
  world.did = open.length === 0 ? 'tied' : 'with open items';
}
