import { describe, expect, it } from '@jest/globals';
import * as Credits from '../../domain/credits/credit-account.js';
import {
  decideInvoiceLot,
  evolveInvoiceLot,
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
  account: Credits.CreditAccount;
  lot: InvoiceLot;
  balances: Map<string, number>;
}

function record(world: World, event: Credits.CreditEvent): World {
  const balances = new Map(world.balances);
  for (const { account, delta } of entryFor(event)?.postings ?? [])
    balances.set(account, (balances.get(account) ?? 0) + delta);
  return {
    account: Credits.evolve(world.account, event),
    lot: evolveInvoiceLot(world.lot, event) ?? world.lot,
    balances,
  };
}

const granted: Credits.CreditEvent = {
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
  record({ account: Credits.initialState, lot: undefined as never, balances: new Map() }, granted);

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

/** Applies commands; a refusal is its code. */
function run(world: World, ...commands: (InvoiceLotCommand | ReturnType<typeof spend>)[]) {
  let code: string | undefined;
  for (const command of commands) {
    const decided =
      command.type === 'SpendCredits'
        ? Credits.decide(command, world.account)
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

  it('[FIN-08] holds a failed refund in suspense, once', () => {
    const failed = { type: 'RecordRefundFailure', refundId: 'r1', failure: 'lost_or_stolen_card' } as const;
    const { books } = run(paid(), refund('r1'), failed, failed);
    expect(books).toMatchObject({ 'stripe:balance': GROSS, suspense: -GROSS });
    expect(run(paid(), failed).code).toBe('NotFound');
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

/**
 * What the books must say, by other means than the code: from the money that moved and the credits that are
 * left, with no lots, no segments and no postings.
 */
interface Oracle {
  spent: number;
  revoked: number;
  cash: number;
  suspense: number;
  back: number;
  refunds: { amount: number; failed: boolean }[];
  disputes: { amount: number; status: 'open' | 'won' | 'lost' }[];
}

const STEPS = ['spend', 'refund', 'outside', 'fail', 'dispute', 'partly', 'win', 'lose'] as const;
const cents = (amount: number): number => Math.floor(amount / 10_000) * 10_000;
const worth = (spent: number): number => Math.floor((NET * spent) / CREDITS);

function expected(oracle: Oracle, step: (typeof STEPS)[number]): Oracle | 'refused' {
  const next = structuredClone(oracle);
  const open = next.disputes.find(({ status }) => status === 'open');
  const revoked = next.revoked > 0;
  const unspent = revoked ? 0 : CREDITS - next.spent;
  const free = GROSS - next.back;
  const revoke = () => (next.revoked = revoked ? next.revoked : CREDITS - next.spent);
  const pay = (amount: number) => {
    next.cash -= amount;
    next.back += amount;
    revoke();
    next.refunds.push({ amount, failed: false });
  };
  switch (step) {
    case 'spend':
      if (unspent < 3 || open) return 'refused';
      next.spent += 3;
      return next;
    case 'refund': {
      if (open || unspent === 0) return 'refused';
      const value = NET - worth(next.spent);
      const taxBack = Math.min(cents((TAX * value) / NET), TAX);
      const net = Math.min(cents(value), free - taxBack);
      if (net <= 0) return 'refused';
      pay(net + taxBack);
      return next;
    }
    case 'outside':
      if (free < 2_500_000) return 'refused';
      pay(2_500_000);
      return next;
    case 'fail': {
      const refunded = next.refunds[0];
      if (!refunded) return 'refused';
      if (!refunded.failed) {
        next.cash += refunded.amount;
        next.suspense += refunded.amount;
        refunded.failed = true;
      }
      return next;
    }
    case 'dispute':
    case 'partly': {
      const amount = step === 'partly' ? 3_000_000 : free;
      if (amount > free || amount === 0) return 'refused';
      next.cash -= amount + FEE;
      next.back += amount;
      next.disputes.push({ amount, status: 'open' });
      return next;
    }
    case 'win':
    case 'lose':
      if (!open) return 'refused';
      open.status = step === 'win' ? 'won' : 'lost';
      if (step === 'win') {
        next.cash += open.amount;
        next.back -= open.amount;
      } else revoke();
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
      return disputeOf(`d${oracle.disputes.length}`, GROSS - oracle.back);
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
  const left = oracle.revoked > 0 ? 0 : CREDITS - oracle.spent;
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
    ['deferred', of('deferred:lot') === (left === 0 ? 0 : worth(oracle.spent) - NET)],
    ['earned', of('credits') === -worth(oracle.spent)],
    ['tax', of('tax') <= 0 && of('tax') >= -TAX],
    ['a loss is a loss', of('chargeback-loss') >= 0 && of('refunds') >= 0 && of('forfeited') <= 0],
    ['balance', account.balanceCredits === (open.length > 0 ? 0 : left)],
    ['wallet', of('user:ada') === account.balanceCredits],
    ['frozen', of('frozen:ada') === (open.length > 0 ? left : 0)],
    ['revoked', of('revoked') === oracle.revoked],
    ['no more than was paid', oracle.back <= GROSS],
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
    cash: GROSS,
    suspense: 0,
    back: 0,
    refunds: [],
    disputes: [],
  };
  walk(paid(), start, []);
  expect(histories).toBeGreaterThan(9_000);
});
