import type { BalanceTransaction, MovementKind } from '../../../domain/shared/balance-movement.js';
import { balanceTransactionDecider } from '../../../domain/payments/balance-transaction.js';
import { bankPayoutDecider, type BankPayout } from '../../../domain/payments/bank-payout.js';
import { isStrange, itemOf, MILLIONTHS, type ForeignMovement, type Movement } from './oracle-money.js';
import { codeOf, type World } from './world.js';

/** Our own money goes to the bank, arrives, or bounces before or after its arrival was reported. */
export function payBank(world: World): void {
  const { money, company } = world;
  const under = money.payouts.filter(({ state }) => state !== 'failed');
  const known = under.length > 0 && world.oneIn(2) ? world.pick(under) : undefined;
  const payout = known ?? { id: world.id('po_'), cents: 1 + world.below(90_000), state: 'sent' as const };
  if (!known) money.payouts.push(payout);
  const before = payout.state;
  const next = !known ? 'sent' : before === 'sent' && world.oneIn(2) ? 'arrived' : 'failed';
  payout.state = next;
  let state: BankPayout = bankPayoutDecider.initialState;
  if (known)
    state = { status: before === 'sent' ? 'in transit' : 'arrived', amountMicroUsd: payout.cents * 10_000 };
  for (let time = 0; time < 2; time += 1) {
    const status = next === 'sent' ? 'in transit' : next;
    const told = {
      type: 'RecordBankPayout',
      payoutId: payout.id,
      amountUsdCents: payout.cents,
      status,
      sentAt: world.nowIso,
      arrivalAt: world.nowIso,
    } as const;
    const decided = bankPayoutDecider.decide({ ...told, now: world.nowIso }, state);
    if (!decided.accepted) throw new Error(decided.rejection.detail);
    for (const { type, data } of decided.events) company.record(`bank-${payout.id}`, type, data);
    state = decided.events.reduce(bankPayoutDecider.evolve, state);
    if (time === 1) world.same(decided.events.length, 0, 'events of what is known');
  }
  world.did = next;
  const movement = { id: world.id('txn_'), about: payout.id, feeCents: 0 };
  if (next === 'sent') money.move({ ...movement, kind: 'bank payout', cents: -payout.cents });
  if (next === 'failed') money.move({ ...movement, kind: 'bank payout failed', cents: payout.cents });
}

function notifyOf(world: World, movement: Movement): void {
  const { id: transactionId, kind, about, source, cents: grossUsdCents, feeCents: feeUsdCents } = movement;
  const known = world.company.log.find(
    ({ type, data }) => type === 'BalanceTransactionRecorded' && data['transactionId'] === transactionId,
  );
  const decided = balanceTransactionDecider.decide(
    {
      type: 'RecordBalanceTransaction',
      transactionId,
      kind: kind as MovementKind,
      grossUsdCents,
      feeUsdCents,
      ...(about ? { about } : {}),
      ...(source ? { source } : {}),
      at: world.nowIso,
    },
    known
      ? { recorded: known.data as unknown as BalanceTransaction }
      : balanceTransactionDecider.initialState,
  );
  if (!decided.accepted) throw new Error(decided.rejection.detail);
  world.same(decided.events.length, movement.told ? 0 : isStrange(movement) ? 2 : 1, 'events of a movement');
  contradict(world, movement);
  for (const { type, data } of decided.events) world.company.record(`balance-${transactionId}`, type, data);
  if (!movement.told) {
    movement.toldAt = world.now;
    if (isStrange(movement))
      world.money.changeItem(
        itemOf(movement),
        kind === 'reserve' ? 'stripe:reserve' : 'suspense',
        -grossUsdCents * 10_000,
        world.now,
      );
  }
  movement.told = true;
}

/** A repeated report with other amounts must be refused, because a person must look at it. */
function contradict(world: World, movement: Movement): void {
  if (!movement.told || !world.oneIn(3)) return;
  const { id: transactionId, kind, about, cents, feeCents } = movement;
  const inFee = world.oneIn(2);
  const told = {
    type: 'RecordBalanceTransaction',
    transactionId,
    kind: kind as MovementKind,
    grossUsdCents: inFee ? cents : cents + 1,
    feeUsdCents: inFee ? feeCents + 1 : feeCents,
    ...(about ? { about } : {}),
    at: world.nowIso,
  } as const;
  const known = world.company.log.find(
    ({ type, data }) => type === 'BalanceTransactionRecorded' && data['transactionId'] === transactionId,
  );
  if (!known) throw new Error(`${transactionId} was told and is not recorded`);
  const recorded = known.data as unknown as BalanceTransaction;
  world.same(
    codeOf(balanceTransactionDecider.decide(told, { recorded })),
    'BalanceTransactionContradicts',
    'other amounts',
  );
}

/** A movement in another currency uses accounts of that currency as soon as it is known. */
function notifyOfForeign(world: World, movement: ForeignMovement): void {
  const { id: transactionId, currency, amount, fee } = movement;
  const decided = balanceTransactionDecider.decide(
    {
      type: 'RecordBalanceTransaction',
      transactionId,
      kind: 'other',
      grossUsdCents: 0,
      feeUsdCents: 0,
      foreign: { currency, grossMinorUnits: amount, feeMinorUnits: fee },
      at: world.nowIso,
    },
    balanceTransactionDecider.initialState,
  );
  if (!decided.accepted) throw new Error(decided.rejection.detail);
  for (const { type, data } of decided.events) world.company.record(`balance-${transactionId}`, type, data);
  movement.told = true;
  world.money.changeItem(
    transactionId,
    `suspense:${currency}`,
    (fee - amount) * MILLIONTHS[currency],
    world.now,
  );
  world.did = 'in another currency';
}

/**
 * Reports movements late, in random order and some twice. Sometimes adds a fee or a movement without a fact.
 */
export function notifyOfMovements(world: World): void {
  const { money } = world;
  if (world.oneIn(6))
    money.move({ id: world.id('txn_'), kind: 'fee', cents: -(1 + world.below(300)), feeCents: 0 });
  if (world.oneIn(6)) {
    const cents = (1 + world.below(90_000)) * (world.oneIn(2) ? 1 : -1);
    // Partial movements with one source are one item.
    const source = world.oneIn(2) ? `advance${world.below(2)}` : undefined;
    const kind = world.oneIn(2) ? 'reserve' : 'other';
    const feeCents = world.below(2) * world.below(50);
    money.move({ id: world.id('txn_'), kind, source, cents, feeCents });
  }
  // A payment that is unrelated to us.
  if (world.oneIn(8))
    money.move({ id: world.id('txn_'), kind: 'charge', cents: 1 + world.below(5_000), feeCents: 30 });
  for (const movement of money.foreign)
    if (!movement.told && world.oneIn(2)) notifyOfForeign(world, movement);
  if (world.oneIn(10)) {
    const currency = world.oneIn(2) ? 'eur' : 'jpy';
    const amount = (1 + world.below(9_000)) * (world.oneIn(2) ? 1 : -1);
    money.foreign.push({ id: world.id('txn_'), currency, amount, fee: world.below(3), told: false });
  }
  for (const movement of [...money.movements].reverse())
    if (world.oneIn(movement.told ? 12 : 3)) {
      notifyOf(world, movement);
      world.did = 'done';
    }
}

export function notifyOfAll(world: World): void {
  for (const movement of world.money.movements) notifyOf(world, movement);
}
