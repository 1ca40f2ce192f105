/**
 * Models the books in another way than the code. Every credit is an object with a value, and is held, spent,
 * returned or revoked. Balances are sums over these objects. There are no segments, postings or events.
 */
export interface Unit {
  value: number;
  state: 'held' | 'spent' | 'returned' | 'revoked';
}

/** The payment for a lot in micro-dollars, and what of it has gone back. */
export interface Paid {
  invoice: string;
  at: number;
  gross: number;
  tax: number;
  /** The account of the tax that is owed. */
  taxAccount: string;
  net: number;
  /** The payment succeeded first and failed later. */
  failed?: true;
  /** The part of the gross without cash; negative if more cash came. */
  short: number;
  taxBack: number;
  /** Amounts up to what was left of the payment. `beyond` is the excess. */
  refunds: {
    id: string;
    amount: number;
    /** The tax within the amount. */
    tax: number;
    beyond: number;
    failed: boolean;
    /** The refund of a failed payment, which cannot fail itself. */
    ofPayment: boolean;
    undo: () => void;
  }[];
  disputes: {
    id: string;
    amount: number;
    tax: number;
    beyond: number;
    state: 'open' | 'won' | 'lost';
    recovered?: boolean;
    /** What the lost dispute took. */
    taken?: { worth: number; putBack: () => void };
  }[];
}

export interface Lot {
  id: string;
  user: string;
  promotional: boolean;
  at: number;
  units: Unit[];
  /** The lot itself, the paid lot that a returned purchase used, or the paid lot that it makes good. */
  origin: Lot;
  /** The lot or purchase that an administrator made good with this lot. */
  makesGood?: string;
  /** The largest value so far that made good credits which were spent or destroyed at that time. */
  covered?: number;
  paid?: Paid;
}

export interface Purchase {
  id: string;
  buyer: string;
  sample: string;
  creator: string;
  units: { lot: Lot; unit: Unit }[];
  value: number;
  /** By creator; the shares that were lost when the purchase was returned are in `shareBack`. */
  shares: ReadonlyMap<string, number>;
  lost: { lot: Lot; creator: string; amount: number }[];
  at: number;
  active: boolean;
  shareBack: Map<string, number>;
}

export interface Sample {
  id: string;
  creator: string;
  price: number;
  takenDown: boolean;
  /** Basis points of the creator's share that go to others. */
  shared: ReadonlyMap<string, number>;
}

const DAYS_14 = 14 * 86_400_000;
const cents = (amount: number): number => Math.floor(amount / 10_000) * 10_000;
const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);
const by = (a: string | number | boolean, b: string | number | boolean): number =>
  a < b ? -1 : a > b ? 1 : 0;

/** A bank took the money for good: the dispute was lost, and no appeal won it. */
const isLost = ({ state, recovered }: Paid['disputes'][number]): boolean => state === 'lost' && !recovered;

export class Oracle {
  readonly lots: Lot[] = [];
  readonly purchases: Purchase[] = [];
  readonly totals = {
    cash: 0,
    tax: new Map<string, number>(),
    forfeited: 0,
    refunds: 0,
    loss: 0,
    suspense: 0,
    /** Owed to customers. */
    owed: 0,
    fees: 0,
    disputeFees: 0,
    promotions: 0,
    bankTransit: 0,
    bank: 0,
  };

  divide(value: number, count: number): Unit[] {
    return Array.from({ length: count }, (_, i) => ({
      value: Math.floor((value * (i + 1)) / count) - Math.floor((value * i) / count),
      state: 'held',
    }));
  }

  grant(lot: Omit<Lot, 'units' | 'origin'> & { origin?: Lot }, value: number, count: number): Lot {
    const made = { ...lot, units: this.divide(value, count) } as Lot;
    made.origin = lot.origin ?? made;
    this.lots.push(made);
    this.lots.sort((a, b) => by(!a.promotional, !b.promotional) || by(a.at, b.at) || by(a.id, b.id));
    if (made.paid) {
      this.totals.cash += made.paid.gross - made.paid.short;
      this.totals.suspense -= made.paid.short;
      this.owe(made.paid, made.paid.tax);
    } else if (!lot.origin || lot.makesGood !== undefined) this.totals.promotions += value;
    return made;
  }

  frozen = ({ origin }: Lot): boolean => origin.paid?.disputes.some(({ state }) => state === 'open') ?? false;

  wallet(user: string): { lot: Lot; unit: Unit }[] {
    return this.lots
      .filter((lot) => lot.user === user && !this.frozen(lot))
      .flatMap((lot) => lot.units.filter(({ state }) => state === 'held').map((unit) => ({ lot, unit })));
  }

  active = (buyer: string, sample: string): Purchase | undefined =>
    this.purchases.find((each) => each.buyer === buyer && each.sample === sample && each.active);

  /** What the buyer has to pay for. The buyer's own and owned samples are free. */
  missing = <Item extends { sample: Sample }>(buyer: string, wanted: readonly Item[]): Item[] =>
    wanted.filter(({ sample }) => sample.creator !== buyer && !this.active(buyer, sample.id));

  /**
   * What each sample costs. The price of a whole pack counts if it is below the sum: the fewest credits that are not
   * less than the proportion, divided by counting how many samples have a larger remainder.
   */
  prices(paid: readonly { sample: Sample }[], pack?: { price: number; sum: number }): number[] {
    const alone = paid.map(({ sample }) => sample.price);
    if (!pack || pack.price >= pack.sum) return alone;
    const all = sum(alone);
    let total = 0;
    while (total * pack.sum < pack.price * all) total += 1;
    const rests = alone.map((price) => (total * price) % all);
    const left = total - sum(alone.map((price) => Math.floor((total * price) / all)));
    return alone.map((price, index) => {
      const rest = rests[index] as number;
      const ahead = rests.filter((other, at) => other > rest || (other === rest && at < index)).length;
      return Math.floor((total * price) / all) + (ahead < left ? 1 : 0);
    });
  }

  /** @returns the refusal, or undefined if bought */
  buy(
    buyer: string,
    wanted: readonly { sample: Sample; id: string }[],
    expected: number,
    now: number,
    pack?: { price: number; sum: number },
  ): string | undefined {
    if (wanted.some(({ sample }) => sample.takenDown)) return 'Gone';
    const paid = this.missing(buyer, wanted);
    const prices = this.prices(paid, pack);
    const total = sum(prices);
    if (total !== expected && total !== 0) return 'PriceChanged';
    const wallet = this.wallet(buyer);
    if (wallet.length < total) return 'InsufficientCredits';
    for (const [index, { sample, id }] of paid.entries()) {
      const units = wallet.splice(0, prices[index] as number);
      for (const { unit } of units) unit.state = 'spent';
      const value = sum(units.map(({ unit }) => unit.value));
      const share = Math.floor((value * 6) / 10);
      const others = [...sample.shared].map(([other, bps]) => {
        const part = Number((BigInt(share) * BigInt(bps)) / 10_000n);
        return [other, part] as const;
      });
      const shares = new Map([[sample.creator, share - sum(others.map(([, part]) => part))], ...others]);
      this.purchases.push({
        id,
        buyer,
        sample: sample.id,
        creator: sample.creator,
        units,
        value,
        shares,
        lost: [],
        at: now,
        active: true,
        shareBack: new Map(),
      });
    }
    return undefined;
  }

  /** A code gives the sample. No credits, value or shares belong to it. */
  receive(buyer: string, sample: Sample, id: string, now: number): void {
    this.purchases.push({
      id,
      buyer,
      sample: sample.id,
      creator: sample.creator,
      units: [],
      value: 0,
      shares: new Map(),
      lost: [],
      at: now,
      active: true,
      shareBack: new Map(),
    });
  }

  lostBy = ({ lost }: Purchase, creator: string): number =>
    sum(lost.filter((each) => each.creator === creator).map(({ amount }) => amount));

  giveBack(purchase: Purchase): string | undefined {
    const lots = [...new Set(purchase.units.map(({ lot }) => lot))];
    const fate = ({ origin: { paid } }: Lot): 'back' | 'waits' | 'kept' => {
      if (!paid) return 'back';
      if (paid.disputes.some(isLost)) return 'kept';
      if (paid.disputes.some(({ state }) => state === 'open')) return 'waits';
      if (this.collected(paid) === 0) return 'back';
      // A refund that came back to us is owed.
      const owed = sum(paid.refunds.map(({ amount, failed }) => (failed ? amount : 0)));
      return this.left(paid) - owed <= 0 ? 'kept' : 'back';
    };
    if (lots.some((lot) => fate(lot) === 'waits')) return 'PaymentDisputed';
    purchase.active = false;
    for (const [creator, share] of purchase.shares)
      purchase.shareBack.set(creator, share - this.lostBy(purchase, creator));
    const counted = new Map<Lot, number>();
    lots.forEach((lot, index) => {
      if (fate(lot) === 'kept') return;
      const { user, promotional, at, origin } = lot;
      const units = purchase.units.filter((each) => each.lot === lot).map(({ unit }) => unit);
      const value = sum(units.map((unit) => unit.value));
      let most = value;
      if (origin.paid) {
        const kept = origin.paid.net - this.back(origin.paid) - this.good(origin);
        const named = this.good(origin, purchase.id) - (counted.get(origin) ?? 0);
        if (promotional) most = kept + value;
        else {
          most = Math.min(value - named, kept - this.heldValue(origin));
          counted.set(origin, (counted.get(origin) ?? 0) + Math.min(named, value));
        }
      }
      const whole = value === 0 || most >= value;
      const count = whole
        ? units.length
        : Number((BigInt(units.length) * BigInt(Math.max(0, most))) / BigInt(value));
      const part = Number((BigInt(value) * BigInt(count)) / BigInt(units.length));
      for (const unit of units) unit.state = 'returned';
      const again = { user, promotional, at, origin };
      if (count > 0) this.grant({ id: `return-${purchase.id}-${index}`, ...again }, part, count);
      if (count === units.length) return;
      const kept = this.grant(
        { id: `kept-${purchase.id}-${index}`, ...again },
        value - part,
        units.length - count,
      );
      for (const unit of kept.units) unit.state = 'spent';
    });
    return undefined;
  }

  /** The value of credits that make a lot good: for one named lot or purchase, or for all. */
  good = (lot: Lot, named?: string): number =>
    sum(
      this.lots
        .filter(({ origin, makesGood }) => origin === lot && makesGood !== undefined)
        .filter(({ makesGood }) => named === undefined || makesGood === named)
        .map(({ units }) => sum(units.map(({ value }) => value))),
    );

  /** The net amount of a payment that went back, is owed, or is in a dispute. */
  back = ({ refunds, disputes }: Paid): number =>
    sum(refunds.map(({ amount, tax, beyond }) => amount - tax + beyond)) +
    sum(
      disputes
        .filter(({ state, recovered }) => state !== 'won' && !recovered)
        .map(({ amount, tax, beyond }) => amount - tax + beyond),
    );

  /**
   * The value of units in these states: of a paid lot and its returns, or of the credits that make it good.
   */
  valueOf = (lot: Lot, states: Unit['state'][], promotional = false): number =>
    sum(
      this.lots
        .filter((each) => each.origin === lot && each.promotional === promotional)
        .flatMap(({ units }) => units.filter(({ state }) => states.includes(state)))
        .map(({ value }) => value),
    );

  private heldValue = (lot: Lot): number => this.valueOf(lot, ['held']);

  /** The value that may be made good: spent or destroyed credits, less what went back or was made good. */
  leftToCompensate(lot: Lot & { paid: Paid }): number {
    if (this.frozen(lot)) return 0;
    return Math.max(0, this.valueOf(lot, ['spent', 'revoked']) - this.back(lot.paid) - this.good(lot));
  }

  /** The same for a purchase. Returns the lot with the largest rest. */
  leftOfPurchase(purchase: Purchase): { lot: Lot & { paid: Paid }; left: number } | undefined {
    const found = [...new Set(purchase.units.map(({ lot }) => (lot.promotional ? undefined : lot.origin)))];
    const parts = found.flatMap((origin) => {
      if (!origin?.paid) return [];
      const lot = origin as Lot & { paid: Paid };
      const taken = sum(
        purchase.units
          .filter((each) => each.lot.origin === lot && !each.lot.promotional)
          .map(({ unit }) => unit.value),
      );
      const came = sum(
        this.lots
          .filter((each) => each.id.startsWith(`return-${purchase.id}-`))
          .filter((each) => each.origin === lot && !each.promotional)
          .flatMap(({ units }) => units.map(({ value }) => value)),
      );
      const named = taken - came - this.good(lot, purchase.id);
      return [{ lot, left: Math.max(0, Math.min(named, this.leftToCompensate(lot))) }];
    });
    return parts.sort((a, b) => b.left - a.left)[0];
  }

  revoke(user: string, count: number): string | undefined {
    const units = this.wallet(user).slice(0, count);
    if (units.length < count) return 'InsufficientCredits';
    for (const { unit } of units) {
      unit.state = 'revoked';
      this.totals.forfeited += unit.value;
    }
    return undefined;
  }

  private owe({ taxAccount }: Paid, tax: number): void {
    this.totals.tax.set(taxAccount, (this.totals.tax.get(taxAccount) ?? 0) + tax);
  }

  private collected = ({ gross, short }: Paid): number => (short > 0 ? gross - short : gross);

  left = (paid: Paid): number =>
    this.collected(paid) -
    sum(paid.refunds.map(({ amount, failed }) => (failed ? 0 : amount))) -
    sum(paid.disputes.map((each) => (each.state === 'open' || isLost(each) ? each.amount : 0)));

  private unspent = (lot: Lot, of: 'paid' | 'goodwill'): Unit[] =>
    this.lots
      .filter(({ origin, promotional }) => origin === lot && promotional === (of === 'goodwill'))
      .flatMap(({ units }) => units.filter(({ state }) => state === 'held'));

  /**
   * Revokes at most `count` unspent credits of a lot, and the credits that make it good up to the value
   * `goodwill`.
   */
  private take(lot: Lot, count = Infinity, goodwill = Infinity): { worth: number; putBack: () => void } {
    const units = this.unspent(lot, 'paid').slice(0, count);
    let wanted = goodwill;
    for (const unit of this.unspent(lot, 'goodwill')) {
      if (wanted <= 0) break;
      wanted -= unit.value;
      units.push(unit);
    }
    for (const unit of units) unit.state = 'revoked';
    const putBack = () => units.forEach((unit) => (unit.state = 'held'));
    return { worth: sum(units.map(({ value }) => value)), putBack };
  }

  private pay(
    lot: Lot & { paid: Paid },
    id: string,
    net: number,
    tax: number,
    { count = Infinity, goodwill = 0, beyond = 0, paymentFailed = false } = {},
  ): void {
    const { worth, putBack } = this.take(lot, count, goodwill);
    const post = (sign: 1 | -1): void => {
      lot.paid.taxBack += sign * tax;
      this.owe(lot.paid, -sign * tax);
      this.totals.cash -= sign * (net + tax + beyond);
      this.totals.suspense -= sign * beyond;
      this.totals[paymentFailed ? 'loss' : 'refunds'] += sign * Math.max(net - worth, 0);
      this.totals.forfeited += sign * Math.max(worth - net, 0);
    };
    post(1);
    const undo = (): void => {
      post(-1);
      putBack();
    };
    lot.paid.refunds.push({
      id,
      amount: net + tax,
      tax,
      beyond,
      failed: false,
      ofPayment: paymentFailed,
      undo,
    });
  }

  /**
   * Undoes a refund as if it had never been requested. If later facts depend on it, the refund fails instead.
   * @returns whether it was undone
   */
  undoRefund(lot: Lot & { paid: Paid }, id: string): boolean {
    const { refunds, disputes } = lot.paid;
    const judged = [...refunds.filter((each) => each.id !== id), ...disputes].some(
      ({ beyond }) => beyond !== 0,
    );
    const refund = refunds.find((each) => each.id === id);
    if (judged || disputes.some(({ state }) => state === 'lost')) {
      this.failRefund([lot], id);
      return false;
    }
    refund?.undo();
    if (refund) Object.assign(refund, { amount: 0, tax: 0, failed: true });
    return true;
  }

  /** The provider delays a refund: the money is still with us, and we owe it. `over` ends the delay. */
  pendRefund(amount: number, over: boolean): void {
    this.totals.cash += over ? -amount : amount;
    this.totals.owed += over ? -amount : amount;
  }

  /** @returns the refusal, or the refunded amount of each line, 0 for lines without a refund */
  refundUnspent(lots: (Lot & { paid: Paid })[], id: string, now: number): string | number[] {
    const wanted = lots.map((lot) => {
      const { net: worth, tax, taxBack, disputes, at } = lot.paid;
      if (disputes.some(({ state }) => state === 'open')) return 'InvoiceDisputed';
      if (now > at + DAYS_14) return 'RefundWindowClosed';
      const stayed = Math.max(0, worth - this.back(lot.paid) - this.good(lot));
      const value = Math.min(sum(this.unspent(lot, 'paid').map((unit) => unit.value)), stayed);
      const taxPart =
        worth === 0
          ? 0
          : Math.min(tax - taxBack, cents(Number((BigInt(tax) * BigInt(value)) / BigInt(worth))));
      const net = Math.min(cents(value), this.left(lot.paid) - taxPart);
      return net > 0 ? { net, tax: taxPart } : 'NothingToRefund';
    });
    const refused = wanted.filter((each) => typeof each === 'string');
    const obstacle = refused.find((code) => code !== 'NothingToRefund');
    if (obstacle) return obstacle;
    if (refused.length === lots.length) return 'NothingToRefund';
    return wanted.map((part, line) => {
      if (typeof part === 'string') return 0;
      this.pay(lots[line] as Lot & { paid: Paid }, line === 0 ? id : `${id}.${line + 1}`, part.net, part.tax);
      return part.net + part.tax;
    });
  }

  /**
   * Spreads an amount over the lines, up to the rest of each. The excess goes to the first line with a part,
   * or to the first line.
   */
  private spread(lots: (Lot & { paid: Paid })[], amount: number): { part: number; beyond: number }[] {
    const parts = lots.map(() => ({ part: 0, beyond: 0 }));
    let rest = amount;
    lots.forEach(({ paid }, line) => {
      (parts[line] as { part: number }).part = Math.min(rest, this.left(paid));
      rest -= Math.min(rest, this.left(paid));
    });
    const first = parts.find(({ part }) => part > 0) ?? parts[0];
    if (first) first.beyond = rest;
    return parts;
  }

  refund(lots: (Lot & { paid: Paid })[], id: string, amount: number, paymentFailed = false): void {
    const parts = this.spread(lots, amount);
    lots.forEach((lot, line) => {
      const { part, beyond } = parts[line] as { part: number; beyond: number };
      if (part + beyond === 0) return;
      const { tax, taxBack, gross, net, refunds, disputes } = lot.paid;
      const back = sum(refunds.map((each) => (each.failed ? 0 : each.amount)));
      const lost = sum(disputes.map((each) => (isLost(each) ? each.amount : 0)));
      // If the whole payment has gone back, all of its tax has.
      const ofTax =
        back + lost + part === gross ? part : cents(Number((BigInt(tax) * BigInt(part)) / BigInt(gross)));
      const taxPart = Math.min(tax - taxBack, ofTax);
      const whole = part > 0 && back + lost + part === this.collected(lot.paid);
      const count = whole
        ? Infinity
        : net === 0
          ? 0
          : Number((BigInt(part - taxPart) * BigInt(lot.units.length)) / BigInt(net));
      const covered = Math.max(0, net - this.back(lot.paid) - this.good(lot));
      const goodwill = whole ? Infinity : part - taxPart + beyond - covered;
      this.pay(lot, id, part - taxPart, taxPart, { count, goodwill, beyond, paymentFailed });
    });
  }

  failRefund(lots: (Lot & { paid: Paid })[], id: string): void {
    for (const refund of lots.flatMap(({ paid }) => paid.refunds))
      if (refund.id === id && !refund.failed) {
        refund.failed = true;
        this.totals.cash += refund.amount + refund.beyond;
        this.totals.owed += refund.amount;
        this.totals.suspense += refund.beyond;
      }
  }

  dispute(lots: (Lot & { paid: Paid })[], id: string, amount: number, fee: number): void {
    const parts = this.spread(lots, amount);
    lots.forEach(({ paid }, line) => {
      const { part, beyond } = parts[line] as { part: number; beyond: number };
      if (part + beyond > 0) paid.disputes.push({ id, amount: part, tax: 0, beyond, state: 'open' });
      this.totals.suspense -= beyond;
    });
    this.totals.cash -= amount + fee;
    this.totals.disputeFees += fee;
  }

  closeDispute(lots: (Lot & { paid: Paid })[], id: string, outcome: 'won' | 'lost', now: number): void {
    for (const lot of lots)
      for (const dispute of lot.paid.disputes) {
        if (dispute.id !== id || dispute.state !== 'open') continue;
        dispute.state = outcome;
        if (outcome === 'won') {
          this.totals.cash += dispute.amount + dispute.beyond;
          this.totals.suspense += dispute.beyond;
        } else {
          const { tax, taken } = this.lose(lot, dispute.amount, now);
          Object.assign(dispute, { tax, taken });
        }
      }
  }

  /** The bank takes more for the first disputed line, or gives some back (negative). */
  adjustDispute(lots: (Lot & { paid: Paid })[], id: string, delta: number, fee: number): void {
    for (const { paid } of lots) {
      const dispute = paid.disputes.find((each) => each.id === id);
      if (!dispute) continue;
      const part = dispute.state === 'open' ? Math.min(delta, this.left(paid)) : 0;
      dispute.amount += part;
      dispute.beyond += delta - part;
      this.totals.suspense -= delta - part;
      break;
    }
    this.totals.cash -= delta + fee;
    this.totals.disputeFees += fee;
  }

  private lostTo = (lots: (Lot & { paid: Paid })[], id: string): Paid['disputes'] =>
    lots
      .flatMap(({ paid }) => paid.disputes)
      .filter((each) => each.id === id && isLost(each))
      .filter(({ amount, beyond }) => amount + beyond > 0);

  recoverable = (lots: (Lot & { paid: Paid })[], id: string): number =>
    sum(this.lostTo(lots, id).map(({ amount, beyond }) => amount + beyond));

  /** An appeal recovers a lost dispute. @returns the recovered amount */
  recover(lots: (Lot & { paid: Paid })[], id: string): number {
    const back = this.recoverable(lots, id);
    const won = new Set(this.lostTo(lots, id));
    for (const { paid } of lots)
      for (const dispute of paid.disputes.filter((each) => won.has(each))) {
        dispute.recovered = true;
        this.totals.loss -= dispute.amount - dispute.tax;
        this.totals.suspense += dispute.beyond;
        this.owe(paid, dispute.tax);
        paid.taxBack -= dispute.tax;
      }
    for (const lot of lots) this.restore(lot, id);
    this.totals.cash += back;
    return back;
  }

  /** An unredeemed gift gets back what the dispute took, if its payment covers it again. */
  private restore(lot: Lot & { paid: Paid }, id: string): void {
    const { paid, user } = lot;
    const dispute = paid.disputes.find((each) => each.id === id && each.recovered);
    const isSettled = paid.disputes.every(({ state, recovered }) => state === 'won' || recovered);
    if (!dispute?.taken || !user.startsWith('gift-') || !isSettled) return;
    const { worth, putBack } = dispute.taken;
    if (paid.net - this.back(paid) - this.good(lot) < worth) return;
    putBack();
    this.totals.loss += Math.min(worth, dispute.amount);
    this.totals.forfeited -= Math.max(worth - dispute.amount, 0);
  }

  /** @returns the tax that goes with it, and the credits that it took */
  private lose(lot: Lot & { paid: Paid }, amount: number, now: number) {
    const taken = this.take(lot);
    const unspent = taken.worth;
    const tax = Math.min(lot.paid.tax - lot.paid.taxBack, Math.max(0, amount - unspent));
    lot.paid.taxBack += tax;
    this.owe(lot.paid, -tax);
    this.totals.loss += Math.max(0, amount - unspent - tax);
    this.totals.forfeited += Math.max(0, unspent - amount);
    for (const purchase of this.purchases) {
      if (!purchase.active || purchase.at <= now - DAYS_14) continue;
      if (purchase.lost.some((each) => each.lot === lot)) continue;
      const paid = sum(
        purchase.units.filter((each) => each.lot.origin === lot).map(({ unit }) => unit.value),
      );
      if (paid === 0) continue;
      for (const [creator, share] of purchase.shares) {
        const amount = Number((BigInt(share) * BigInt(paid)) / BigInt(purchase.value));
        if (amount > 0) purchase.lost.push({ lot, creator, amount });
      }
    }
    return { tax, taken };
  }
}
