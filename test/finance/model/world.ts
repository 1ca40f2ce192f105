import type { AnswerTo, BatchCommand } from '../../../application/credits/credit-executor.js';
import type { AlertState } from '../../../domain/alerts/alert.js';
import { purchaseDecider } from '../../../domain/purchases/purchase.js';
import { partsOf, splitDecider } from '../../../domain/payouts/split.js';
import type { Promotion } from '../../../domain/promotions/promotion-code.js';
import { randomFrom } from '../../../domain/shared/seeded-random.js';
import { Company } from './company.js';
import { OracleMoney } from './oracle-money.js';
import { Oracle, type Lot, type Paid, type Sample } from './oracle.js';

export type PaidLot = Lot & { paid: Paid };

/** A bank's inquiry about an invoice, and the state of its alert. */
export interface Inquiry {
  lots: PaidLot[];
  state: AlertState;
}

/** A code as its creator would note it on paper. */
export interface Flyer {
  code: string;
  sample: Sample;
  limit: number;
  until: number;
  isEnded: boolean;
  /** Who redeemed it, with the request. */
  people: Map<string, string>;
}

/** A gift that was paid for. Its lots are in its own account until they are handed over. */
export interface SoldGift {
  id: string;
  payer: string;
  account: string;
  expiresAt: number;
  lots: PaidLot[];
}

/** Gives the code under test and the oracle the same commands. Junie and Otto are creators, and buy too. */
export class World {
  readonly users = ['ada', 'ben', 'junie'];
  readonly gifts: SoldGift[] = [];
  /** People who bought gifts and then erased their accounts. */
  readonly gone = new Set<string>();
  readonly creators = ['junie', 'otto', 'mira'];
  readonly company = new Company(Date.UTC(2026, 0, 20));
  readonly oracle = new Oracle();
  readonly money = new OracleMoney(this.oracle);
  readonly samples: Sample[] = [];
  readonly invoices: PaidLot[][] = [];
  /** By id of the dispute that may follow. */
  readonly inquiries = new Map<string, Inquiry>();
  readonly months: { month: string; end: number; balances: Map<string, number>; position: number }[] = [];
  /** Approved adjustments that are not applied yet. */
  readonly agreed: (() => void)[] = [];
  /** The outcome of the last step, such as a refusal's code. */
  did = '';
  /** By pack. Each sample is a pack of its own. */
  readonly splits = new Map<string, typeof splitDecider.initialState>();
  readonly promotions = new Map<string, Promotion>();
  readonly flyers: Flyer[] = [];
  private readonly random: () => number;
  private ids = 0;

  constructor(name: string) {
    this.random = randomFrom(name);
    for (let n = 0; n < 5; n += 1)
      this.addSample({
        id: `first${n}`,
        creator: this.pick(this.creators),
        price: 1 + this.below(5),
        takenDown: false,
        shared: new Map(),
      });
  }

  below = (count: number): number => Math.floor(this.random() * count);
  oneIn = (count: number): boolean => this.below(count) === 0;
  pick = <Item>(items: readonly Item[]): Item => items[this.below(items.length)] as Item;
  id = (prefix: string): string => `${prefix}${(this.ids += 1)}`;

  get now(): number {
    return this.company.now;
  }
  get nowIso(): string {
    return new Date(this.now).toISOString();
  }

  splitsOf = (packId: string) => this.splits.get(packId) ?? splitDecider.initialState;

  addSample(sample: Sample): void {
    this.samples.push(sample);
    this.offer(sample);
  }

  /** Updates a sample in the catalogue that the batched executor sees. */
  offer({ id: sampleId, creator: creatorId, price: priceCredits, takenDown }: Sample): void {
    const splits = this.splitsOf(sampleId);
    this.company.facts.samples.set(sampleId, {
      sampleId,
      packId: sampleId,
      creatorId,
      // Some packs were never shared, and their sales read no parts.
      parts: splits.length > 0 ? partsOf(creatorId, splits) : null,
      priceCredits,
      audioVersion: 1,
      fileSha256: 'a'.repeat(64),
      available: !takenDown,
      takenDown,
    });
  }

  /** Executes a command, and sometimes repeats it; the repetition must record nothing. */
  executor<Command extends BatchCommand>(command: Command): AnswerTo<Command> {
    const answer = this.company.executor(command);
    if (this.oneIn(4)) this.unchanged(() => this.company.executor(command));
    return answer;
  }

  /** Throws if repeated work records an event. */
  unchanged(work: () => unknown): void {
    const before = this.company.log.length;
    work();
    this.same(this.company.log.length, before, 'events after a command that was repeated');
  }

  /** Throws if code and oracle differ. */
  same<Value>(actual: Value, expected: Value, what: string): void {
    if (actual !== expected)
      throw new Error(`${what}: the code says ${String(actual)}, the oracle ${String(expected)}`);
  }

  /** Compares the refusal's code, or undefined, of both sides. @returns whether the command was accepted */
  agree(actual: string | undefined, expected: string | undefined): boolean {
    this.same(actual, expected, 'the outcome');
    this.did = actual ?? 'done';
    return actual === undefined;
  }

  metadata = { actor: 'system:model', correlationId: 'model' };

  owned(buyer: string, sample: string): boolean {
    const state =
      this.company.facts.purchases.get(purchaseDecider.streamOf({ buyerId: buyer, sampleId: sample }))
        ?.state ?? purchaseDecider.initialState;
    return state.status === 'Owned';
  }
}

export const codeOf = (
  outcome: { accepted: true } | { accepted: false; rejection: { code: string } },
): string | undefined => (outcome.accepted ? undefined : outcome.rejection.code);
