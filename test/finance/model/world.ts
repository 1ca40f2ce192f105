import type { AnswerTo, BatchCommand } from '../../../application/credits/credit-executor.js';
import type { AlertState } from '../../../domain/alerts/alert.js';
import { purchaseDecider } from '../../../domain/purchases/purchase.js';
import { randomFrom } from '../../../domain/shared/seeded-random.js';
import { Company } from './company.js';
import { OracleMoney } from './oracle-money.js';
import { Oracle, type Lot, type Paid, type Sample } from './oracle.js';

export type PaidLot = Lot & { paid: Paid };

/** A bank's question about an invoice, and what became of the alert about it. */
export interface Inquiry {
  lots: PaidLot[];
  state: AlertState;
}

/** The code under test and the oracle, given the same commands. Junie and Otto create, and buy as well. */
export class World {
  readonly users = ['ada', 'ben', 'junie'];
  readonly creators = ['junie', 'otto'];
  readonly company = new Company(Date.UTC(2026, 0, 20));
  readonly oracle = new Oracle();
  readonly money = new OracleMoney(this.oracle);
  readonly samples: Sample[] = [];
  readonly invoices: PaidLot[][] = [];
  /** By the id of the dispute that may come of it. */
  readonly inquiries = new Map<string, Inquiry>();
  readonly months: { month: string; end: number; balances: Map<string, number>; position: number }[] = [];
  /** Adjustments that two people agreed to and nobody applied yet. */
  readonly agreed: (() => void)[] = [];
  /** What the last step came to, such as a refusal's code. */
  did = '';
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

  addSample(sample: Sample): void {
    this.samples.push(sample);
    this.offer(sample);
  }

  /** Brings the catalogue that the batched executor sees up to a sample. */
  offer({ id: sampleId, creator: creatorId, price: priceCredits, takenDown }: Sample): void {
    this.company.facts.samples.set(sampleId, {
      sampleId,
      packId: 'pack',
      creatorId,
      priceCredits,
      audioVersion: 1,
      fileSha256: 'a'.repeat(64),
      available: !takenDown,
      takenDown,
    });
  }

  /** Gives the batched executor a command, and now and then once more: then nothing may be recorded. */
  executor<Command extends BatchCommand>(command: Command): AnswerTo<Command> {
    const answer = this.company.executor(command);
    if (this.oneIn(4)) this.unchanged(() => this.company.executor(command));
    return answer;
  }

  /** What is told again must record nothing. */
  unchanged(work: () => unknown): void {
    const before = this.company.log.length;
    work();
    this.same(this.company.log.length, before, 'events after a command that was repeated');
  }

  /** Both must have come to the same. */
  same<Value>(actual: Value, expected: Value, what: string): void {
    if (actual !== expected)
      throw new Error(`${what}: the code says ${String(actual)}, the oracle ${String(expected)}`);
  }

  /** The refusal's code, or undefined, from both sides. */
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
