import type { HeldMovement } from '../../../domain/shared/balance-movement.js';
import { CASH_ACCOUNTS } from '../../../domain/ledger/accounts.js';
import { FINANCIAL_EVENT_TYPES } from '../../../domain/ledger/entry.js';
import { creditAccountDecider, type CreditEvent } from '../../../domain/credits/credit-account.js';
import { balancesUntil } from './months.js';
import { availableTo } from './paying.js';
import { tiedOut } from './tie-outs.js';
import type { World } from './world.js';

const FINANCIAL = new Set<string>(FINANCIAL_EVENT_TYPES);
/**
 * Events that have no entry if their amount is 0: worthless shares and fees of 0. Disputes and refunds always
 * have an entry.
 */
const MAY_BE_NOTHING = new Set(['SamplePurchased', 'PurchaseReturned', 'BalanceTransactionRecorded']);

/** The money fields of the event that closes a dispute. */
interface Closed {
  credits: number;
  amountMicroUsd: number;
  unexplained?: { amountMicroUsd: number };
}

const broken = (rule: number, detail: string): never => {
  throw new Error(`rule ${rule}: ${detail}`);
};

/** Checks every rule about money and credits, and every balance against the oracle. */
export function check(world: World, { last = false } = {}): void {
  const { company, oracle, money, months } = world;
  const [breach] = company.breaches();
  // Covers rules 1, 4, 5, 6, 7, 8, 11 and 12, which the audit of the log checks.
  if (breach) throw new Error(breach);
  for (const { type, entry, position, data } of company.fresh) {
    if (entry && !FINANCIAL.has(type))
      broken(2, `event ${position} (${type}) is posted and is not financial`);
    if (type === 'DisputeLost' || type === 'DisputeWon') {
      const { credits, amountMicroUsd, unexplained } = data as unknown as Closed;
      // No credits were left, and everything that the bank took is in suspense or was refunded already.
      const moved =
        type === 'DisputeLost' ? amountMicroUsd - (unexplained?.amountMicroUsd ?? 0) : amountMicroUsd;
      if (credits === 0 && moved === 0) continue;
    }
    if (!entry && (type === 'MovementHeldInSuspense' || type === 'MovementExplained')) {
      // The dispute of a payment that was refunded before moves nothing.
      const { amountMicroUsd, feeMicroUsd = 0, foreign } = data as unknown as HeldMovement;
      if (amountMicroUsd === 0 && feeMicroUsd === 0 && !foreign) continue;
    }
    if (!entry && FINANCIAL.has(type) && !MAY_BE_NOTHING.has(type))
      broken(2, `event ${position} (${type}) has no entry`);
  }
  compareBalances(world);
  compareWallets(world);
  compareSuspense(world);
  const of = (account: string): number => company.books.get(account) ?? 0;
  let deferred = 0;
  for (const [account, balance] of company.books) if (account.startsWith('deferred:')) deferred -= balance;
  if (company.granted !== -of('credits') - of('forfeited') + company.goneBack + deferred)
    broken(5, `${company.granted} were granted, ${-of('credits')} recognised, ${company.goneBack} gone back`);
  const invoices = oracle.lots.flatMap(({ paid }) => paid ?? []);
  world.same(company.facts.invoiceLots.size, invoices.length, 'rule 10: paid lines');
  const collected = invoices.reduce((sum, { gross }) => sum + gross, 0);
  if (of('royalties') > collected + of('promotions')) broken(11, 'more royalties than was collected');
  comparePayable(world, of('royalties'));
  for (const creator of world.creators)
    world.same(availableTo(world, creator), money.available(creator, world.now), `rule 13: ${creator}`);
  for (const account of CASH_ACCOUNTS)
    if (of(account) % 10_000 !== 0) broken(14, `${account} has ${of(account)}`);
  world.same(of('stripe:balance'), money.providerBalance(), "rule 14: the provider's balance");
  for (const { end, position } of months)
    for (const event of company.fresh)
      if (event.position > position && event.at < end)
        broken(20, `event ${event.position} is in a closed month`);
  if (last) checkWhole(world);
}

function compareBalances({ company, money }: World): void {
  const expected = money.balances();
  for (const [account, balance] of expected)
    if ((company.books.get(account) ?? 0) !== balance)
      throw new Error(`${account} has ${company.books.get(account) ?? 0}, the oracle says ${balance}`);
  for (const [account, balance] of company.books)
    if (balance !== 0 && !expected.has(account))
      throw new Error(`${account} has ${balance}, the oracle nothing`);
}

/**
 * Checks three limits:
 * - Creators have at most their share of what stayed paid, and of what was made good after credits were spent
 * or destroyed.
 * - The shop bears the shares of credits that were spent before their payment went back.
 * - Credits that make a lot good cannot be spent once its payment went back.
 */
function comparePayable({ oracle }: World, royalties: number): void {
  let stayed = 0;
  for (const lot of oracle.lots) {
    const { paid } = lot;
    if (!paid) continue;
    const gone = [
      ...paid.refunds.filter(({ failed }) => !failed),
      ...paid.disputes.filter(({ state, recovered }) => state === 'lost' && !recovered),
    ].reduce((sum, { amount, tax }) => sum + amount - tax, 0);
    const spent = oracle.valueOf(lot, ['spent']);
    const destroyed = Math.max(0, oracle.valueOf(lot, ['revoked']) - gone);
    // Credits that make a lot good may be spent before the payment goes back.
    lot.covered = Math.max(lot.covered ?? 0, Math.min(oracle.good(lot), spent + destroyed));
    stayed += Math.max(paid.net - gone, spent) + lot.covered;
    const held = oracle.valueOf(lot, ['held'], true);
    // A purchase that was taken back gives no credits for what the payment no longer covers. They are gone.
    const withheld = oracle.lots
      .filter(({ id, origin, promotional }) => origin === lot && promotional && id.startsWith('kept-'))
      .reduce((sum, { units }) => sum + units.reduce((all, { value }) => all + value, 0), 0);
    const goodwill = held + oracle.valueOf(lot, ['spent'], true) - withheld;
    // An amount that a bank takes after its decision is in suspense, whatever the credits bought since.
    const late = paid.disputes.reduce(
      (sum, { state, recovered, beyond }) => sum + (state === 'lost' && !recovered ? beyond : 0),
      0,
    );
    if (held > 0 && !oracle.frozen(lot) && goodwill + oracle.back(paid) - late > paid.net)
      throw new Error(`${held} of goodwill can be spent, and the payment for ${lot.id} went back`);
  }
  if (royalties * 10 > stayed * 6)
    throw new Error(`creators have ${royalties}, more than their share of the ${stayed} that stayed paid`);
}

/** Compares each item separately. */
function compareSuspense({ company, money }: World): void {
  const told = (items: Iterable<{ about: string; account: string; balance: number }>) =>
    [...items]
      .map(({ about, account, balance }) => `${about} in ${account}: ${balance}`)
      .sort()
      .join(', ');
  const [actual, expected] = [told(company.suspenseItems()), told(money.openItems().values())];
  if (actual !== expected) throw new Error(`in suspense is ${actual}, the oracle says ${expected}`);
}

function compareWallets({ company, users, gifts }: World): void {
  for (const user of [...users, ...gifts.flatMap(({ account, payer }) => [account, payer])]) {
    const account = company.facts.accounts.get(user)?.state ?? creditAccountDecider.initialState;
    const posted = company.books.get(`user:${user}`) ?? 0;
    let left = 0;
    for (const lot of account.lots) if (!lot.disputedBy) left += lot.credits - lot.spentCredits;
    if (account.balanceCredits !== posted || left !== posted || posted < 0)
      broken(3, `${user} has ${account.balanceCredits} credits, lines give ${posted}, lots ${left}`);
  }
}

/** Checks that need the whole log. */
function checkWhole(world: World): void {
  const { company, months, users, gifts, money } = world;
  for (const { end, balances } of months) {
    const now = balancesUntil(world, end);
    for (const [account, balance] of now)
      world.same(balance, balances.get(account) ?? 0, `rule 20: ${account}`);
  }
  for (const user of [...users, ...gifts.flatMap(({ account, payer }) => [account, payer])]) {
    const events = company.log.filter(
      ({ stream }) => stream === `credits-${user}`,
    ) as unknown as CreditEvent[];
    const live = company.facts.accounts.get(user)?.state ?? creditAccountDecider.initialState;
    world.same(
      JSON.stringify(events.reduce(creditAccountDecider.evolve, creditAccountDecider.initialState)),
      JSON.stringify(live),
      `rule 18: ${user}`,
    );
  }
  const { matched, unmatchedTransactions, unmatchedFacts } = tiedOut(world);
  world.same(matched.length, money.movements.length, 'rule 14: movements that tie out');
  world.same(unmatchedTransactions.length + unmatchedFacts.length, 0, 'rule 14: what does not tie out');
}
