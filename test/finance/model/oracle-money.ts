import type { Lot, Oracle, Paid, Purchase } from './oracle.js';

const DAYS_14 = 14 * 86_400_000;
const CENT = 10_000;

export interface Withdrawal {
  id: string;
  creator: string;
  cents: number;
  state: 'asked' | 'sent' | 'failed';
  backCents: number;
}

export interface Payout {
  id: string;
  cents: number;
  state: 'sent' | 'arrived' | 'failed';
}

/** A movement as the provider has it. `told`: the provider has reported it. */
export interface Movement {
  id: string;
  kind: string;
  about?: string;
  source?: string | undefined;
  cents: number;
  feeCents: number;
  told: boolean;
  toldAt?: number;
  /** Belongs to an invoice that sells no plan, so no fact will ever come. */
  lone?: true;
  /** In suspense, because its fact has not arrived. */
  held?: boolean;
}

/** An event at the provider that the books do not know yet. */
export interface Untold {
  invoice: string;
  movement?: Movement;
  tell: () => void;
}

/** A movement in another currency, in its smallest unit. */
export interface ForeignMovement {
  id: string;
  currency: 'eur' | 'jpy';
  amount: number;
  fee: number;
  told: boolean;
}

/** Millionths per smallest unit: a cent of a euro, a whole yen. */
export const MILLIONTHS = { eur: 10_000, jpy: 1_000_000 };

/** A refund that we requested and the provider has not sent. */
export interface Unsent {
  lot: Lot & { paid: Paid };
  id: string;
  amount: number;
  pending: boolean;
}

/** The unexplained rest of a movement. Debits are positive. */
export interface OpenItem {
  about: string;
  account: string;
  balance: number;
  since: number;
}

/** An adjusting entry: how much of an item belongs to which account. */
export interface Cleared {
  account: string;
  to: string;
  moved: number;
}

/** Whether the movement itself shows that none of our facts caused it. */
export const isStrange = ({ kind, about }: Pick<Movement, 'kind' | 'about'>): boolean =>
  kind === 'other' || kind === 'reserve' || (kind === 'charge' && about === undefined);

export const isBehind = (movement: Movement, untold: readonly Untold[]): boolean =>
  movement.lone === true || untold.some((fact) => fact.movement === movement);

const isDispute = ({ kind }: Movement): boolean => kind === 'dispute' || kind === 'dispute adjusted';
/** Facts of a dispute post its fee. The movement posts all other fees. */
export const ownFee = (movement: Movement): number => (isDispute(movement) ? movement.feeCents : 0);

/** Movements with the same subject are one item. */
export const itemOf = ({ id, kind, about, source }: Movement): string =>
  kind === 'reserve' ? 'reserve' : (source ?? about ?? id);

const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** The money of creators, the bank and the provider. `credits` models the rest. */
export class OracleMoney {
  readonly withdrawals: Withdrawal[] = [];
  readonly payouts: Payout[] = [];
  readonly movements: Movement[] = [];
  readonly foreign: ForeignMovement[] = [];
  readonly unsent: Unsent[] = [];
  readonly untold: Untold[] = [];
  readonly cleared: Cleared[] = [];
  private readonly changes: { about: string; account: string; delta: number; at: number }[] = [];

  constructor(private readonly credits: Oracle) {}

  /** What a creator keeps of a purchase. */
  private kept = (purchase: Purchase, creator: string): number =>
    (purchase.shares.get(creator) ?? 0) -
    this.credits.lostBy(purchase, creator) -
    (purchase.shareBack.get(creator) ?? 0);

  private paid = (creator: string): number =>
    CENT *
    sum(
      this.withdrawals
        .filter((each) => each.creator === creator && each.state !== 'failed')
        .map(({ cents, backCents }) => cents - backCents),
    );

  available(creator: string, now: number): number {
    const released = this.credits.purchases.filter(({ at }) => at <= now - DAYS_14);
    return sum(released.map((purchase) => this.kept(purchase, creator))) - this.paid(creator);
  }

  withdraw(creator: string, id: string, wantedCents: number | undefined, now: number): string | undefined {
    if (this.withdrawals.some((each) => each.creator === creator && each.state === 'asked'))
      return 'WithdrawalInFlight';
    if (wantedCents !== undefined && wantedCents < 1_000) return 'WithdrawalTooSmall';
    const available = Math.floor(this.available(creator, now) / CENT);
    const cents = wantedCents ?? available;
    if (cents > available || cents < 1_000) return 'InsufficientEarnings';
    this.withdrawals.push({ id, creator, cents, state: 'asked', backCents: 0 });
    return undefined;
  }

  move(movement: Omit<Movement, 'told'>): Movement {
    const moved = { ...movement, told: false };
    this.movements.push(moved);
    return moved;
  }

  changeItem(about: string, account: string, delta: number, at: number): void {
    this.changes.push({ about, account, delta, at });
  }

  /** Returns the expected balance of each account in micro-dollars or credits. Debits are positive. */
  balances(): Map<string, number> {
    const { totals, lots, purchases } = this.credits;
    const found = new Map<string, number>();
    const add = (account: string, amount: number) => found.set(account, (found.get(account) ?? 0) + amount);
    let [issued, spent, revoked, earned] = [0, 0, 0, 0];
    for (const lot of lots) {
      // Returned units count in their new lot only.
      let [held, heldValue, returned] = [0, 0, 0];
      for (const { state, value } of lot.units) {
        if (state === 'held') {
          held += 1;
          heldValue += value;
        } else if (state === 'spent') {
          spent += 1;
          earned += value;
        } else if (state === 'revoked') revoked += 1;
        else returned += 1;
      }
      issued += lot.units.length - returned;
      if (heldValue > 0) found.set(`deferred:${lot.id}`, -heldValue);
      if (held > 0) add(`${this.credits.frozen(lot) ? 'frozen' : 'user'}:${lot.user}`, held);
    }
    add('issued', -issued);
    add('spent', spent);
    add('revoked', revoked);
    add('credits', -earned);
    for (const purchase of purchases)
      for (const creator of purchase.shares.keys()) {
        const share = this.kept(purchase, creator);
        add('royalties', share);
        add(`creator:${creator}`, -share);
      }
    for (const { creator, cents, state, backCents } of this.withdrawals) {
      if (state === 'failed') continue;
      add(`creator:${creator}`, (cents - backCents) * CENT);
      add(state === 'asked' ? 'payouts-in-transit' : 'stripe:balance', -(cents - backCents) * CENT);
    }
    for (const { cents, state } of this.payouts) {
      if (state === 'failed') continue;
      add('stripe:balance', -cents * CENT);
      add(state === 'sent' ? 'bank:in-transit' : 'bank', cents * CENT);
    }
    const told = this.movements.filter((movement) => movement.told);
    const fees =
      CENT *
      sum(
        told
          .filter((each) => !isDispute(each))
          .map((each) => each.feeCents - (each.kind === 'fee' ? each.cents : 0)),
      );
    // A bank that loses a dispute may give its fee back.
    const givenBack =
      CENT * sum(told.flatMap(({ kind, feeCents }) => (kind === 'dispute won' ? feeCents : 0)));
    add('stripe-fees', fees - givenBack);
    const held = told.filter((movement) => movement.held);
    add('stripe:balance', CENT * sum(held.map((each) => each.cents - ownFee(each))));
    add('dispute-fees', givenBack + CENT * sum(held.map(ownFee)));
    add('suspense', -CENT * sum(held.map(({ cents }) => cents)));
    const reserved = CENT * sum(told.map(({ kind, cents }) => (kind === 'reserve' ? cents : 0)));
    const strange = CENT * sum(told.filter(isStrange).map(({ cents }) => cents)) - reserved;
    add('stripe:balance', totals.cash - fees + strange + reserved);
    add('stripe:reserve', -reserved);
    add('owed-to-customers', -totals.owed);
    const disputes = lots.flatMap(({ paid }) => paid?.disputes ?? []);
    add('disputes:held', sum(disputes.filter(({ state }) => state === 'open').map(({ amount }) => amount)));
    for (const [account, owed] of totals.tax) add(account, -owed);
    add('forfeited', -totals.forfeited);
    add('refunds', totals.refunds);
    add('chargeback-loss', totals.loss);
    add('suspense', -totals.suspense - strange);
    add('dispute-fees', totals.disputeFees);
    add('promotions', totals.promotions);
    for (const { currency, amount, fee, told: isTold } of this.foreign) {
      if (!isTold) continue;
      add(`stripe:balance:${currency}`, (amount - fee) * MILLIONTHS[currency]);
      add(`suspense:${currency}`, (fee - amount) * MILLIONTHS[currency]);
    }
    for (const { account, to, moved } of this.cleared) {
      add(account, -moved);
      add(to, moved);
    }
    return found;
  }

  /**
   * Returns the open items at a time, by account and item. The age of an item begins when it was last empty.
   */
  openItems(by = Infinity): Map<string, OpenItem> {
    const items = new Map<string, OpenItem>();
    for (const { about, account, delta, at } of this.changes) {
      if (at >= by) continue;
      const key = `${account} ${about}`;
      const { balance, since } = items.get(key) ?? { balance: 0, since: at };
      if (balance + delta === 0) items.delete(key);
      else items.set(key, { about, account, balance: balance + delta, since });
    }
    return items;
  }

  /**
   * The balance that our books must have: the provider's balance without movements that it has not reported.
   */
  providerBalance(): number {
    const net = sum(this.movements.map(({ cents, feeCents }) => cents - feeCents));
    const ahead = sum(this.unsent.map(({ amount, pending }) => (pending ? 0 : amount)));
    const untold = this.movements.filter((each) => !each.told && !isDispute(each));
    const unposted = untold.map(
      (each) => each.feeCents - (each.kind === 'fee' || isStrange(each) ? each.cents : 0),
    );
    const behind = this.movements.filter((each) => isBehind(each, this.untold));
    const held = this.movements.filter((each) => each.held);
    const gross = (movements: Movement[]): number => sum(movements.map((each) => each.cents - ownFee(each)));
    return CENT * (net + sum(unposted) - gross(behind) + gross(held)) - ahead;
  }
}
