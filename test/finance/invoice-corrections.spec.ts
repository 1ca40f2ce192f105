import { describe, expect, it } from '@jest/globals';
import {
  creditAccountDecider,
  type CreditAccount,
  type CreditEvent,
} from '../../domain/credits/credit-account.js';
import {
  decideInvoiceLot,
  evolveInvoiceLot,
  returnability,
  type InvoiceLot,
  type InvoiceLotCommand,
} from '../../domain/credits/invoice-lot.js';
import { entryFor } from '../../domain/ledger/entry.js';

const CREDITS = 7;
const NET = 8_990_000;
const TAX = 1_000_000;
const GROSS = NET + TAX;
const FEE = 15_000_000;
const PAID_AT = '2026-11-01T10:00:00.000Z';
const WITHIN = '2026-11-15T09:59:59.000Z';
const AFTER = '2026-11-15T10:00:01.000Z';

interface World {
  account: CreditAccount;
  lot: InvoiceLot;
  balances: Map<string, number>;
}

function record(world: World, event: CreditEvent): World {
  const balances = new Map(world.balances);
  for (const { account, delta } of entryFor(event)?.postings ?? [])
    balances.set(account, (balances.get(account) ?? 0) + delta);
  return {
    account: creditAccountDecider.evolve(world.account, event),
    lot: evolveInvoiceLot(world.lot, event) ?? world.lot,
    balances,
  };
}

const granted: CreditEvent = {
  type: 'CreditsGranted',
  data: {
    userId: 'ada',
    lotId: 'lot',
    kind: 'paid',
    reason: 'monthly_grant',
    credits: CREDITS,
    valueMicroUsd: NET,
    grantedAt: PAID_AT,
    invoice: { invoiceId: 'in_1', invoiceLineId: 'il_1', grossMicroUsd: GROSS, taxMicroUsd: TAX },
  },
};
const paid = (): World =>
  record(
    { account: creditAccountDecider.initialState, lot: undefined as never, balances: new Map() },
    granted,
  );

const spend = (credits: number) =>
  ({ type: 'SpendCredits', userId: 'ada', purchaseId: 'p', credits }) as const;
const refund = (refundId: string, now = WITHIN): InvoiceLotCommand => ({
  type: 'RefundUnspent',
  refundId,
  by: 'root',
  explanation: 'asked for',
  now,
});
const shares = [{ lotId: 'lot', purchaseId: 'p', creatorId: 'junie', sampleId: 's', shareMicroUsd: 700_000 }];

/** Applies commands. Records the code of a refusal. */
function run(world: World, ...commands: (InvoiceLotCommand | ReturnType<typeof spend>)[]) {
  let code: string | undefined;
  for (const command of commands) {
    const decided =
      command.type === 'SpendCredits'
        ? creditAccountDecider.decide(command, world.account)
        : decideInvoiceLot(command, world.lot, world.account);
    code = decided.accepted ? undefined : decided.rejection.code;
    if (decided.accepted) for (const event of decided.events) world = record(world, event);
  }
  return { world, code, books: Object.fromEntries([...world.balances].filter(([, sum]) => sum !== 0)) };
}

const disputeOf = (disputeId: string, amountMicroUsd: number): InvoiceLotCommand => ({
  type: 'RecordDispute',
  disputeId,
  amountMicroUsd,
  feeMicroUsd: FEE,
});
const closed = (disputeId: string, outcome: 'won' | 'lost'): InvoiceLotCommand => ({
  type: 'RecordDisputeClosed',
  disputeId,
  outcome,
  shares,
});

describe('refunds of an invoice', () => {
  it('[FIN-07] gives all back while nothing is spent', () => {
    const { world, books } = run(paid(), refund('r1'));
    expect(books).toEqual({ issued: -CREDITS, revoked: CREDITS });
    expect(world.account).toEqual({ balanceCredits: 0, lots: [] });
  });

  it('[FIN-07, ADM-04] gives back the unspent part in whole cents, and its tax', () => {
    // 5 of 7 credits are left: 6.421429 net and 0.714286 tax.
    expect(run(paid(), spend(2), refund('r1')).books).toEqual({
      'stripe:balance': GROSS - 6_420_000 - 710_000,
      tax: -(TAX - 710_000),
      credits: -2_568_571,
      forfeited: -1_429,
      issued: -CREDITS,
      spent: 2,
      revoked: 5,
    });
  });

  it('[ADM-04] refuses after 14 days, a second time, and while the bank disputes', () => {
    expect(run(paid(), refund('r1', AFTER)).code).toBe('RefundWindowClosed');
    expect(run(paid(), refund('r1'), refund('r2')).code).toBe('NothingToRefund');
    expect(run(paid(), disputeOf('d1', 1_000_000), refund('r1')).code).toBe('InvoiceDisputed');
    const once = run(paid(), refund('r1'));
    expect(run(paid(), refund('r1'), refund('r1')).books).toEqual(once.books);
  });

  it('[FIN-08, FIN-510] owes a failed refund to its customer, once', () => {
    const failed = { type: 'RecordRefundFailure', refundId: 'r1', failure: 'lost_or_stolen_card' } as const;
    const { books } = run(paid(), refund('r1'), failed, failed);
    expect(books).toMatchObject({ 'stripe:balance': GROSS, 'owed-to-customers': -GROSS });
    expect(run(paid(), failed).code).toBe('NotFound');
  });
});

describe('a refund that the provider refuses', () => {
  /** Returns the command that undoes refund r1 in the given world. */
  function undoing({ lot, account }: World): InvoiceLotCommand {
    const decided = decideInvoiceLot(refund('r1'), lot, account);
    const [made] = decided.accepted ? decided.events : [];
    if (made?.type !== 'InvoiceRefunded') throw new Error('nothing was refunded');
    const grants = granted.type === 'CreditsGranted' ? [granted.data] : [];
    return { type: 'UndoRefund', refundId: 'r1', refund: made.data, refusal: 'charge_disputed', grants };
  }
  const spent = run(paid(), spend(2));
  const undo = undoing(spent.world);

  it('[FIN-51] leaves no trace in books and balance, once, and what is left can be refunded again', () => {
    const undone = run(spent.world, refund('r1'), undo, undo, refund('r1'));
    expect(undone.code).toBeUndefined();
    expect(undone.books).toEqual(spent.books);
    expect(undone.world.account).toEqual(spent.world.account);
    const failed = { type: 'RecordRefundFailure', refundId: 'r1', failure: 'expired card' } as const;
    const again = run(undone.world, failed, refund('r2'));
    expect(again.books).toEqual(run(spent.world, refund('r2')).books);
    expect(run(paid(), undo).code).toBe('NotFound');
  });

  it('[FIN-51] comes back frozen under a dispute that is open, and is thawed or gone with it', () => {
    // 1.00 was left of the payment, so the dispute is fully explained.
    const open = run(spent.world, refund('r1'), disputeOf('d1', 1_000_000), undo);
    expect(open.books).toMatchObject({ 'frozen:ada': 5, 'disputes:held': 1_000_000 });
    expect(open.world.account.balanceCredits).toBe(0);
    expect(run(open.world, closed('d1', 'won')).world.account).toEqual(spent.world.account);
    const lost = run(open.world, closed('d1', 'lost'));
    expect(lost.world.account).toEqual({ balanceCredits: 0, lots: [] });
    expect(lost.books).not.toHaveProperty('frozen:ada');
  });

  it('[FIN-51] is owed where something was judged by it, or the bank took the payment', () => {
    const counted = run(spent.world, refund('r1'), disputeOf('d1', GROSS), undo);
    expect(counted.world.account).toEqual({ balanceCredits: 0, lots: [] });
    expect(counted.world.lot.refunds).toMatchObject([{ failed: true }]);
    const lost = run(spent.world, refund('r1'), disputeOf('d1', 1_000_000), closed('d1', 'lost'), undo);
    expect(lost.world.account).toEqual({ balanceCredits: 0, lots: [] });
    expect(lost.world.lot.refunds).toMatchObject([{ failed: true }]);
  });
});

describe('disputes of an invoice', () => {
  it('[FIN-09] freezes what is unspent, and thaws it when won', () => {
    const open = run(paid(), spend(2), disputeOf('d1', GROSS));
    expect(open.books).toMatchObject({
      'stripe:balance': -FEE,
      'disputes:held': GROSS,
      'dispute-fees': FEE,
      'frozen:ada': 5,
    });
    expect(open.world.account.balanceCredits).toBe(0);
    expect(run(open.world, spend(1)).code).toBe('InsufficientCredits');
    const won = run(open.world, closed('d1', 'won'));
    expect(won.books).toMatchObject({ 'stripe:balance': GROSS - FEE, 'user:ada': 5 });
    expect(run(won.world, spend(5)).code).toBeUndefined();
  });

  it('[FIN-10] takes deferred value, tax, the rest as a loss, and shares in hold when lost', () => {
    const { books, world } = run(paid(), spend(2), disputeOf('d1', GROSS), closed('d1', 'lost'));
    expect(books).toEqual({
      'stripe:balance': -FEE,
      'dispute-fees': FEE,
      credits: -2_568_571,
      'chargeback-loss': 2_568_571,
      'creator:junie': 700_000,
      royalties: -700_000,
      issued: -CREDITS,
      spent: 2,
      revoked: 5,
    });
    expect(world.account).toEqual({ balanceCredits: 0, lots: [] });
  });

  it('[FIN-10] takes deferred value only up to what a small dispute was about', () => {
    const { books } = run(paid(), disputeOf('d1', 2_000_000), closed('d1', 'lost'));
    expect(books).toMatchObject({ tax: -TAX, forfeited: -(NET - 2_000_000) });
    expect(books).not.toHaveProperty('chargeback-loss');
  });
});

describe('what moves after a dispute was opened', () => {
  const adjust = (transactionId: string, deltaMicroUsd: number, feeDeltaMicroUsd = 0): InvoiceLotCommand => ({
    type: 'AdjustDispute',
    disputeId: 'd1',
    transactionId,
    deltaMicroUsd,
    feeDeltaMicroUsd,
  });

  it('[FIN-57] is held with it once, as far as the payment goes, and comes back with it', () => {
    const open = run(
      paid(),
      disputeOf('d1', 4_000_000),
      adjust('t1', 2_000_000, FEE),
      adjust('t1', 2_000_000, FEE),
    );
    expect(open.books).toMatchObject({
      'stripe:balance': GROSS - 6_000_000 - 2 * FEE,
      'disputes:held': 6_000_000,
      'dispute-fees': 2 * FEE,
    });
    const more = run(open.world, adjust('t2', GROSS));
    expect(more.books).toMatchObject({ 'disputes:held': GROSS, suspense: 6_000_000 });
    const won = run(more.world, closed('d1', 'won'));
    expect(won.books).toMatchObject({ 'stripe:balance': GROSS - 2 * FEE });
    expect(won.books).not.toHaveProperty('disputes:held');
    expect(won.books).not.toHaveProperty('suspense');
    const less = run(paid(), disputeOf('d1', GROSS), adjust('t3', -1_000_000));
    expect(less.books).toMatchObject({ 'disputes:held': GROSS - 1_000_000 });
    expect(run(paid(), adjust('t1', 1)).code).toBe('NotFound');
  });

  it('[FIN-57] is in suspense once the bank has decided', () => {
    const late = run(paid(), disputeOf('d1', GROSS), closed('d1', 'won'), adjust('t1', GROSS));
    expect(late.books).toMatchObject({ 'stripe:balance': -FEE, suspense: GROSS, 'user:ada': CREDITS });
  });

  it('[FIN-57] leaves suspense when it is given back', () => {
    const closedTwice = run(
      paid(),
      disputeOf('d1', GROSS),
      closed('d1', 'won'),
      adjust('t1', 500),
      adjust('t2', -500),
    );
    expect(closedTwice.books).not.toHaveProperty('suspense');
    expect(closedTwice.world.lot.disputes).toEqual([
      { disputeId: 'd1', amountMicroUsd: GROSS, taxMicroUsd: 0, status: 'won', adjustments: ['t1', 't2'] },
    ]);
  });

  it('[FIN-57] by an appeal is won back from the loss, once; the credits stay gone', () => {
    const lost = run(paid(), spend(2), disputeOf('d1', GROSS), {
      ...closed('d1', 'lost'),
      shares: [],
    } as never);
    const won = run(lost.world, closed('d1', 'won'), closed('d1', 'won'));
    expect(won.books).toMatchObject({ 'stripe:balance': GROSS - FEE });
    expect((won.books['chargeback-loss'] ?? 0) - (lost.books['chargeback-loss'] ?? 0)).toBe(-NET);
    expect(won.world.account).toEqual({ balanceCredits: 0, lots: [] });
    expect(run(won.world, refund('r9')).code).toBe('NothingToRefund');
  });
});

describe('a payment that an appeal brought back', () => {
  const outside: InvoiceLotCommand = { type: 'RecordRefund', refundId: 're_1', amountMicroUsd: GROSS };
  const lost = { ...closed('d1', 'lost'), shares: [] } as InvoiceLotCommand;
  const appealed = (...before: ReturnType<typeof spend>[]) =>
    run(paid(), ...before, disputeOf('d1', GROSS), lost, closed('d1', 'won'));

  it('[CRED-780] owes its tax again, and can be refunded and disputed like any other', () => {
    const { world, books } = appealed(spend(2));
    expect(books).toMatchObject({ tax: -TAX, 'chargeback-loss': 2_568_571 - NET });
    expect(returnability(world.lot)).toBe('returnable');
    const refunded = run(world, outside);
    expect(refunded.books).not.toHaveProperty('suspense');
    expect(refunded.books).not.toHaveProperty('tax');
    expect(refunded.books).toMatchObject({ 'stripe:balance': -FEE, refunds: NET });
    expect(returnability(refunded.world.lot)).toBe('gone');
    const again = run(world, disputeOf('d2', GROSS));
    expect(again.books).toMatchObject({ 'disputes:held': GROSS });
    expect(returnability(again.world.lot)).toBe('disputed');
    expect(returnability(run(again.world, { ...lost, disputeId: 'd2' } as InvoiceLotCommand).world.lot)).toBe(
      'gone',
    );
  });

  it('[CRED-780] owes no tax again if an event from before names none', () => {
    const { world } = run(paid(), disputeOf('d1', GROSS), lost);
    const { userId, lotId } = world.lot;
    const data = { userId, lotId, disputeId: 'd1', amountMicroUsd: GROSS };
    const refunded = run(record(world, { type: 'LostDisputeWon', data }), outside);
    expect(refunded.books).not.toHaveProperty('tax');
    expect(refunded.books).toMatchObject({ refunds: GROSS });
  });
});

describe('a payment that fails after it had come in', () => {
  it('[FIN-58] takes what is unspent, and what was spent is a loss, not a refund', () => {
    const failed = {
      type: 'RecordRefund',
      refundId: 'txn_f',
      amountMicroUsd: GROSS,
      paymentFailed: true,
    } as const;
    const { books, world } = run(paid(), spend(2), failed, failed);
    expect(books).toMatchObject({ 'chargeback-loss': 2_568_571 });
    expect(books).not.toHaveProperty('refunds');
    expect(books).not.toHaveProperty('stripe:balance');
    expect(world.account).toEqual({ balanceCredits: 0, lots: [] });
  });
});

describe('what the provider tells and the payment does not explain', () => {
  const outside = (refundId: string, amountMicroUsd: number): InvoiceLotCommand => ({
    type: 'RecordRefund',
    refundId,
    amountMicroUsd,
  });
  const failed = { type: 'RecordRefundFailure', refundId: 'r1', failure: 'charge_disputed' } as const;

  it('[FIN-34] a dispute of all after a refund that failed is held like any other', () => {
    const { books, code, world } = run(paid(), refund('r1'), failed, disputeOf('d1', GROSS));
    expect(code).toBeUndefined();
    expect(books).toMatchObject({
      'stripe:balance': -FEE,
      'disputes:held': GROSS,
      'owed-to-customers': -GROSS,
    });
    const lost = run(world, { ...closed('d1', 'lost'), shares: [] } as InvoiceLotCommand);
    expect(lost.books).toMatchObject({ 'chargeback-loss': GROSS, 'owed-to-customers': -GROSS });
  });

  it('[FIN-34] a dispute of more than is left is held as far as that goes, the rest in suspense', () => {
    const open = run(paid(), outside('r1', 2_000_000), disputeOf('d1', GROSS));
    expect(open.books).toMatchObject({
      'stripe:balance': -2_000_000 - FEE,
      'disputes:held': GROSS - 2_000_000,
      suspense: 2_000_000,
    });
    const won = run(open.world, closed('d1', 'won'));
    expect(won.books).toMatchObject({ 'stripe:balance': GROSS - 2_000_000 - FEE });
    expect(won.books).not.toHaveProperty('suspense');
    const lost = run(open.world, { ...closed('d1', 'lost'), shares: [] } as InvoiceLotCommand);
    expect(lost.books).toMatchObject({ suspense: 2_000_000 });
    expect(lost.books).not.toHaveProperty('disputes:held');
  });

  it('[FIN-34] a refund of what has gone back already is in suspense alone', () => {
    const { books, code } = run(paid(), refund('r0'), outside('r1', 500_000));
    expect(code).toBeUndefined();
    expect(books).toMatchObject({ 'stripe:balance': -500_000, suspense: 500_000 });
    const back = run(paid(), refund('r0'), outside('r1', 500_000), failed).books;
    expect(back).not.toHaveProperty('suspense');
    expect(back).not.toHaveProperty('owed-to-customers');
  });

  it('[FIN-35] a partial refund takes credits in proportion, rounded down, and a whole one all of them', () => {
    // 25 cents of it are tax; 7 × 2.25 / 8.99 = 1.75 credits.
    const part = run(paid(), outside('r1', 2_500_000));
    expect(part.world.account.balanceCredits).toBe(6);
    expect(part.books).toMatchObject({ revoked: 1, refunds: 2_250_000 - 1_284_285 });
    expect(run(paid(), outside('r1', 10_000)).world.account.balanceCredits).toBe(7);
    expect(run(part.world, outside('r2', GROSS - 2_500_000)).world.account.balanceCredits).toBe(0);
    // Takes no more credits than are unspent.
    expect(run(paid(), spend(6), outside('r1', 5_000_000)).books).toMatchObject({ spent: 6, revoked: 1 });
  });
});

/**
 * Computes the expected books in another way than the code: from the money that moved and the credits that
 * are left, without lots, segments or postings.
 */
interface Oracle {
  spent: number;
  revoked: number;
  /** The value of the spent credits when they were spent. */
  earned: number;
  cash: number;
  suspense: number;
  owed: number;
  refunds: { amount: number; net: number; beyond: number; failed: boolean }[];
  disputes: { amount: number; beyond: number; status: 'open' | 'won' | 'lost' }[];
  taxBack: number;
}

const STEPS = ['spend', 'refund', 'outside', 'fail', 'dispute', 'partly', 'win', 'lose'] as const;
const cents = (amount: number): number => Math.floor(amount / 10_000) * 10_000;
const worth = (gone: number): number => Math.floor((NET * gone) / CREDITS);
const backOf = ({ refunds, disputes }: Oracle): number =>
  refunds.reduce((sum, { amount, failed }) => sum + (failed ? 0 : amount), 0) +
  disputes.reduce((sum, { amount, status }) => sum + (status === 'won' ? 0 : amount), 0);

function expected(oracle: Oracle, step: (typeof STEPS)[number]): Oracle | 'refused' {
  const next = structuredClone(oracle);
  const open = next.disputes.find(({ status }) => status === 'open');
  const gone = next.spent + next.revoked;
  const unspent = CREDITS - gone;
  const free = GROSS - backOf(next);
  const pay = (net: number, tax: number, beyond: number, credits: number) => {
    next.cash -= net + tax + beyond;
    next.suspense -= beyond;
    next.revoked += Math.min(unspent, credits);
    next.taxBack += tax;
    next.refunds.push({ amount: net + tax, net, beyond, failed: false });
  };
  switch (step) {
    case 'spend':
      if (unspent < 3 || open) return 'refused';
      next.spent += 3;
      next.earned += worth(gone + 3) - worth(gone);
      return next;
    case 'refund': {
      if (open || unspent === 0) return 'refused';
      // Money that went back already is not paid twice, even if the books could not explain it.
      const kept = NET - next.refunds.reduce((sum, { net, beyond }) => sum + net + beyond, 0);
      const value = Math.min(NET - worth(gone), Math.max(0, kept));
      const tax = Math.min(cents((TAX * value) / NET), TAX - next.taxBack);
      const net = Math.min(cents(value), free - tax);
      if (net <= 0) return 'refused';
      pay(net, tax, 0, CREDITS);
      return next;
    }
    case 'outside': {
      const amount = Math.min(2_500_000, free);
      const lasting = next.disputes.reduce(
        (sum, each) => sum + (each.status === 'lost' ? each.amount : 0),
        0,
      );
      const refunded = next.refunds.reduce((sum, each) => sum + (each.failed ? 0 : each.amount), 0);
      const whole = amount > 0 && refunded + lasting + amount === GROSS;
      const tax = Math.min(whole ? amount : cents((TAX * amount) / GROSS), TAX - next.taxBack);
      const credits = whole ? CREDITS : Math.floor((CREDITS * (amount - tax)) / NET);
      pay(amount - tax, tax, 2_500_000 - amount, credits);
      return next;
    }
    case 'fail': {
      const refunded = next.refunds[0];
      if (!refunded) return 'refused';
      if (!refunded.failed) {
        next.cash += refunded.amount + refunded.beyond;
        next.owed += refunded.amount;
        next.suspense += refunded.beyond;
        refunded.failed = true;
      }
      return next;
    }
    case 'dispute':
    case 'partly': {
      const wanted = step === 'partly' ? 3_000_000 : GROSS;
      const amount = Math.min(wanted, free);
      next.cash -= wanted + FEE;
      next.suspense -= wanted - amount;
      next.disputes.push({ amount, beyond: wanted - amount, status: 'open' });
      return next;
    }
    case 'win':
    case 'lose':
      if (!open) return 'refused';
      open.status = step === 'win' ? 'won' : 'lost';
      if (step === 'win') {
        next.cash += open.amount + open.beyond;
        next.suspense += open.beyond;
      } else {
        next.taxBack += Math.min(TAX - next.taxBack, Math.max(0, open.amount - (NET - worth(gone))));
        next.revoked = CREDITS - next.spent;
      }
      return next;
  }
}

function commandFor(step: (typeof STEPS)[number], oracle: Oracle) {
  const index = oracle.disputes.findIndex(({ status }) => status === 'open');
  switch (step) {
    case 'spend':
      return spend(3);
    case 'refund':
      return refund(`r${oracle.refunds.length}`);
    case 'outside':
      return {
        type: 'RecordRefund',
        refundId: `r${oracle.refunds.length}`,
        amountMicroUsd: 2_500_000,
      } as const;
    case 'fail':
      return { type: 'RecordRefundFailure', refundId: 'r0', failure: 'expired card' } as const;
    case 'dispute':
      return disputeOf(`d${oracle.disputes.length}`, GROSS);
    case 'partly':
      return disputeOf(`d${oracle.disputes.length}`, 3_000_000);
    case 'win':
    case 'lose':
      return { ...closed(`d${index}`, step === 'win' ? 'won' : 'lost'), shares: [] } as InvoiceLotCommand;
  }
}

function differences({ balances, account }: World, oracle: Oracle): string[] {
  const of = (name: string): number => balances.get(name) ?? 0;
  const open = oracle.disputes.filter(({ status }) => status === 'open');
  const held = open.reduce((sum, { amount }) => sum + amount, 0);
  const gone = oracle.spent + oracle.revoked;
  const left = CREDITS - gone;
  const sums = { usd: 0, credits: 0 };
  for (const [name, sum] of balances)
    sums[/^(user:|frozen:|issued|spent|revoked)/.test(name) ? 'credits' : 'usd'] += sum;
  const rules: [string, boolean][] = [
    ['money adds up', sums.usd === 0],
    ['credits add up', sums.credits === 0],
    ['cash', of('stripe:balance') === oracle.cash],
    ['held', of('disputes:held') === held],
    ['fees', of('dispute-fees') === FEE * oracle.disputes.length],
    ['suspense', of('suspense') === -oracle.suspense],
    ['owed', of('owed-to-customers') === -oracle.owed],
    ['deferred', of('deferred:lot') === worth(gone) - NET],
    ['earned', of('credits') === -oracle.earned],
    ['tax', of('tax') === oracle.taxBack - TAX],
    ['a loss is a loss', of('chargeback-loss') >= 0 && of('refunds') >= 0 && of('forfeited') <= 0],
    ['balance', account.balanceCredits === (open.length > 0 ? 0 : left)],
    ['wallet', of('user:ada') === account.balanceCredits],
    ['frozen', of('frozen:ada') === (open.length > 0 ? left : 0)],
    ['revoked', of('revoked') === oracle.revoked],
    ['no more than was paid', backOf(oracle) <= GROSS],
  ];
  return rules.filter(([, holds]) => !holds).map(([name]) => name);
}

it('[FIN-07, FIN-09, FIN-10] agrees with an oracle on refund × dispute × partial × spent before, up to 6 steps', () => {
  let histories = 0;
  const walk = (world: World, oracle: Oracle, path: string[]): void => {
    if (path.length === 6) return;
    for (const step of STEPS) {
      const after = expected(oracle, step);
      const { world: next, code } = run(world, commandFor(step, oracle));
      const wrong =
        (code === undefined) === (after === 'refused')
          ? ['refusal']
          : after === 'refused'
            ? []
            : differences(next, after);
      if (wrong.length > 0) throw new Error(`${[...path, step].join(', ')}: ${wrong.join(', ')}`);
      histories += 1;
      if (after !== 'refused') walk(next, after, [...path, step]);
    }
  };
  const start: Oracle = {
    spent: 0,
    revoked: 0,
    earned: 0,
    cash: GROSS,
    suspense: 0,
    owed: 0,
    refunds: [],
    disputes: [],
    taxBack: 0,
  };
  walk(paid(), start, []);
  expect(histories).toBeGreaterThan(9_000);
});
