import type { CommandBus } from '@nestjs/cqrs';
import type { PeopleQueries } from '../../../application/accounts/staff/staff-queries.js';
import type { LostPurchases } from '../../../application/administration/lost-purchases.js';
import { ApprovedWorkOfContexts } from '../../../application/administration/approved-work.js';
import {
  RequestAdjustment,
  RequestAdjustmentHandler,
} from '../../../application/administration/request-money.js';
import { Approvals } from '../../../application/approvals/approvals.js';
import {
  CarryOutRequest,
  CarryOutRequestHandler,
  DecideOnRequest,
  DecideOnRequestHandler,
  RequestApproval,
  RequestApprovalHandler,
} from '../../../application/approvals/decide-on-request.js';
import type { ApprovalQueries } from '../../../application/approvals/queries.js';
import type { CreditAdjustment, CreditExecutor } from '../../../application/credits/credit-executor.js';
import type { CreditStatementQueries } from '../../../application/credits/queries.js';
import { RefundInvoice } from '../../../application/payments/refund-invoice.js';
import type { WriteOffDebts } from '../../../application/payouts/write-off-debt.js';
import type { EventStore, StreamAppend } from '../../../application/shared/event-store.js';
import type { Remarks } from '../../../application/shared/remarks.js';
import { Streams } from '../../../application/shared/streams.js';
import { creditAccountDecider, type CreditEvent } from '../../../domain/credits/credit-account.js';
import { staffDecider } from '../../../domain/accounts/staff.js';
import { approvalDecider, type ApprovalCommand } from '../../../domain/approvals/approval.js';
import { InsiderRefunds } from './insider-refunds.js';
import { randomFrom } from '../../../domain/shared/seeded-random.js';

const DAY = 86_400_000;
const METADATA = { actor: 'system:model', correlationId: 'model' };
/** Mal is an administrator and Ally conspires with Mal. Zoe and Quin approve anything. */
const PEOPLE = ['mal', 'ally', 'zoe', 'quin'] as const;

interface Asked {
  id: string;
  by: string;
  user: string;
  value: number;
  credits: number;
  at: number;
  fate: 'waiting' | 'given' | 'declined';
  approvedBy?: string;
  agreedAt?: number;
}

/** Tracks the requests for roles, and the holder, granter and time of each role. */
class InsiderWorld {
  now = Date.UTC(2026, 0, 20);
  readonly pick: <Item>(items: readonly Item[]) => Item;
  readonly paid: { lotId: string; user: string; valueMicroUsd: number }[] = [];
  readonly asked: Asked[] = [];
  readonly grants: { id: string; by: string; user: string }[] = [];
  readonly holds = new Map<string, { by: string; at: number }>();
  readonly streams: Streams;
  readonly request: RequestAdjustmentHandler;
  readonly decide: DecideOnRequestHandler;
  readonly below: (count: number) => number;
  readonly refunds: InsiderRefunds;
  private ids = 0;

  constructor(name: string) {
    const random = randomFrom(name);
    this.below = (count) => Math.floor(random() * count);
    this.pick = (items) => items[this.below(items.length)] as (typeof items)[number];
    const log = new Map<string, unknown[]>();
    this.streams = new Streams({
      readStream: async (stream: string, after = 0) => (log.get(stream) ?? []).slice(after),
      append: async (appends: StreamAppend[]) => {
        for (const { stream, events } of appends) log.set(stream, [...(log.get(stream) ?? []), ...events]);
        return [];
      },
    } as unknown as EventStore);
    const clock = { now: () => new Date(this.now) };
    const queries = {
      boughtFrom: async () => false,
      withoutEffect: async (ids: readonly string[]) =>
        new Set(ids.filter((id) => this.asked.some((each) => each.id === id && each.fate === 'declined'))),
    } as unknown as ApprovalQueries;
    const executor = {
      adjust: async ({ userId, ...given }: CreditAdjustment) => {
        this.give(given.adjustmentId);
        const lotId = `adjustment-${given.adjustmentId}`;
        await this.record(userId, { ...given, lotId, kind: 'promotional', adjustment: given });
        return { accepted: true, balance: 0 };
      },
    } as unknown as CreditExecutor;
    const remarks = {
      keep: async () => ({ remarkId: 'r' }),
      read: async () => new Map(),
    } as unknown as Remarks;
    const approvals = new Approvals(this.streams, queries, remarks, clock);
    const asks = new RequestApprovalHandler(approvals);
    const bus = {
      execute: async (command: unknown) => {
        if (command instanceof RefundInvoice) return this.refunds.give(command.request);
        if (command instanceof RequestApproval) return asks.execute(command);
        if (command instanceof CarryOutRequest) return carriesOut.execute(command);
        throw new Error('no command of insiders');
      },
    } as unknown as CommandBus;
    const work = new ApprovedWorkOfContexts(
      {} as PeopleQueries,
      {} as WriteOffDebts,
      remarks,
      executor,
      {} as LostPurchases,
      bus,
      clock,
    );
    const carriesOut = new CarryOutRequestHandler(approvals, work);
    const statements = { balance: async () => ({ balance: 0 }) } as unknown as CreditStatementQueries;
    this.request = new RequestAdjustmentHandler(this.streams, approvals, queries, statements, bus, clock);
    this.decide = new DecideOnRequestHandler(approvals, bus);
    this.refunds = new InsiderRefunds(this, { decide: this.decide, bus, clock });
  }

  id = (): string => `id${(this.ids += 1)}`;

  /** Records a new lot in the user's account. */
  private record = (user: string, lot: object, ...more: { type: string; data: object }[]) =>
    this.streams.transact(METADATA, async (work) => {
      const account = await work.open(creditAccountDecider, user);
      const grantedAt = this.iso;
      const granted = { type: 'CreditsGranted', data: { userId: user, grantedAt, ...lot } };
      account.add([granted, ...more] as CreditEvent[]);
    });

  /** The user pays for one credit and spends it. */
  async pay(user: string, valueMicroUsd: number): Promise<void> {
    const lotId = this.id();
    this.paid.push({ lotId, user, valueMicroUsd });
    const segments = [{ lotId, credits: 1, valueMicroUsd }];
    const invoice = { invoiceId: lotId, invoiceLineId: lotId, grossMicroUsd: valueMicroUsd, taxMicroUsd: 0 };
    await this.record(
      user,
      { lotId, kind: 'paid', credits: 1, valueMicroUsd, invoice },
      { type: 'CreditsSpent', data: { userId: user, purchaseId: `spent-${lotId}`, credits: 1, segments } },
    );
  }

  /**
   * Checks credits with a value that the product gives: alone within a day's limits, or with a second
   * person's approval.
   */
  private give(id: string): void {
    const asked = this.asked.find((each) => each.id === id);
    if (!asked) throw new Error(`nobody asked for ${id}`);
    if (asked.fate === 'declined') throw new Error(`${id} was declined, and is given`);
    if (asked.by === asked.user) throw new Error(`${asked.by} gives to themself`);
    asked.fate = 'given';
    const { by, user, approvedBy } = asked;
    if (approvedBy !== undefined) {
      const pair = [by, approvedBy].sort().join();
      const together = this.asked.filter(
        (each) =>
          each.fate === 'given' &&
          each.approvedBy !== undefined &&
          [each.by, each.approvedBy].sort().join() === pair &&
          each.agreedAt !== undefined &&
          each.agreedAt > this.now - 30 * DAY,
      );
      if (together.reduce((total, { value }) => total + value, 0) > 2_000_000_000)
        throw new Error(`${pair} give too many dollars in a month`);
      return this.allowed(approvedBy, by, user);
    }
    const alone = this.asked.filter(
      (each) => each.by === by && each.fate === 'given' && !each.approvedBy && each.at > asked.at - DAY,
    );
    const sum = (of: (each: Asked) => number): number => alone.reduce((total, each) => total + of(each), 0);
    if (sum(({ value }) => value) > 50_000_000)
      throw new Error(`${by} alone gives too many dollars in a day`);
    if (sum(({ credits }) => credits) > 500) throw new Error(`${by} alone gives too many credits in a day`);
  }

  /** Throws if this person may not approve now. */
  allowed = (by: string, asker: string, beneficiary: string): void => {
    const held = this.holds.get(by);
    if (by === asker || by === beneficiary) throw new Error(`${by} agrees to what is their own`);
    if (!held) throw new Error(`${by} agrees without the role`);
    if (held.by === asker && held.at > this.now - DAY) throw new Error(`${by} owes the role to ${asker}`);
  };

  /** Throws if users have more than they paid for. */
  check(): void {
    for (const user of PEOPLE) {
      const given = this.asked.filter((each) => each.user === user && each.fate === 'given');
      const paid = this.paid.filter((each) => each.user === user);
      const sum = given.reduce((total, { value }) => total + value, 0);
      if (sum > paid.reduce((total, { valueMicroUsd }) => total + valueMicroUsd, 0))
        throw new Error(`${user} has ${sum} of what nobody paid`);
    }
  }

  async grant(user: string, by: string, approvedBy?: string): Promise<void> {
    const command = { type: 'GrantStaffRole', userId: user, role: 'admin', by, now: this.iso } as const;
    await this.streams.execute(
      staffDecider,
      user,
      { ...command, ...(approvedBy && { approvedBy }) },
      METADATA,
    );
    if (!this.holds.has(user)) this.holds.set(user, { by, at: this.now });
  }

  approver = async (by: string) => ({
    by,
    roles: await this.streams.load(staffDecider, by),
    boughtFromThem: false,
  });

  decideGrant(id: string, command: ApprovalCommand) {
    return this.streams.execute(approvalDecider, id, command, METADATA);
  }

  get iso(): string {
    return new Date(this.now).toISOString();
  }
}

type InsiderStep = (world: InsiderWorld) => Promise<string>;

const STEPS: Record<string, InsiderStep> = {
  pay: async (world) => {
    await world.pay(world.pick(PEOPLE), (1 + world.below(20)) * 12_000_000);
    return 'done';
  },
  makeGood: async (world) => {
    const by = world.pick([...world.holds.keys()]);
    const [user, id, credits] = [
      world.pick(PEOPLE),
      world.id(),
      1 + world.below(world.below(2) === 0 ? 700 : 200),
    ];
    const value = (1 + world.below(credits)) * 150_000;
    const asked: Asked = { id, by, user, value, credits, at: world.now, fate: 'waiting' };
    world.asked.push(asked);
    const goodwill = world.below(5) === 0;
    if (goodwill) asked.value = 0;
    const requested = {
      approvalId: id,
      userId: user,
      credits,
      valueMicroUsd: asked.value,
      reason: 'why',
      by,
    };
    const lots = world.paid.filter((each) => each.user === user);
    const makesGood = lots.length > 0 ? world.pick(lots).lotId : 'lot';
    const more = { ...requested, ...(!goodwill && { makesGood }) };
    const outcome = await world.request.execute(new RequestAdjustment(more));
    if (outcome.accepted) return outcome.status;
    asked.fate = 'declined';
    return outcome.rejection.code;
  },
  agree: async (world) => {
    // Sometimes a request that was declined or refused.
    const waiting = world.asked.filter(
      ({ fate }) => fate === 'waiting' || (fate === 'declined' && world.below(20) === 0),
    );
    if (waiting.length === 0) return 'nothing waits';
    const [asked, by] = [world.pick(waiting), world.pick(PEOPLE)];
    asked.approvedBy = by;
    asked.agreedAt = world.now;
    const outcome = await world.decide.execute(new DecideOnRequest(asked.id, by, { type: 'Approve' }));
    if (outcome.accepted) return 'agreed';
    delete asked.approvedBy;
    delete asked.agreedAt;
    return outcome.rejection.code;
  },
  decline: async (world) => {
    const waiting = world.asked.filter(({ fate }) => fate === 'waiting');
    if (waiting.length === 0) return 'nothing waits';
    const [asked, by] = [world.pick(waiting), world.pick(PEOPLE)];
    const decline = new DecideOnRequest(asked.id, by, { type: 'Decline', reason: 'no' });
    const outcome = await world.decide.execute(decline);
    if (!outcome.accepted) return outcome.rejection.code;
    asked.fate = 'declined';
    return 'declined';
  },
  askForRole: async (world) => {
    const [by, user, approvalId] = [world.pick([...world.holds.keys()]), world.pick(PEOPLE), world.id()];
    const work = { kind: 'grant-role', userId: user, role: 'admin' } as const;
    const request = {
      type: 'RequestApproval',
      approvalId,
      work,
      by,
      beneficiary: user,
      reason: 'why',
    } as const;
    const outcome = await world.decideGrant(approvalId, { ...request, now: world.iso });
    if (!outcome.accepted) return outcome.rejection.code;
    world.grants.push({ id: approvalId, by, user });
    return 'waits';
  },
  grantRole: async (world) => {
    if (world.grants.length === 0) return 'nothing waits';
    const [{ id, by: asker, user }, by] = [world.pick(world.grants), world.pick(PEOPLE)];
    const outcome = await world.decideGrant(id, {
      type: 'Approve',
      ...(await world.approver(by)),
      now: world.iso,
    });
    if (!outcome.accepted) return outcome.rejection.code;
    world.allowed(by, asker, user);
    world.grants.splice(
      world.grants.findIndex((each) => each.id === id),
      1,
    );
    await world.grant(user, asker, by);
    return 'granted';
  },
  revokeRole: async (world) => {
    const [userId, by] = [world.pick([...world.holds.keys()]), world.pick([...world.holds.keys()])];
    const otherAdministrators = world.holds.size - 1;
    const command = {
      type: 'RevokeStaffRole',
      userId,
      role: 'admin',
      by,
      otherAdministrators,
      now: world.iso,
    } as const;
    const outcome = await world.streams.execute(staffDecider, userId, command, METADATA);
    if (!outcome.accepted) return outcome.rejection.code;
    world.holds.delete(userId);
    return 'revoked';
  },
  trade: async ({ refunds, pick }) => refunds.trade(pick(PEOPLE)),
  refund: async ({ refunds, pick, holds }) => refunds.ask(pick([...holds.keys()])),
  agreeToRefund: async ({ refunds, pick }) => refunds.agree(pick(PEOPLE)),
  goOn: async (world) => {
    world.now += (1 + world.below(20)) * 3_600_000;
    return 'done';
  },
};

/** Runs one history in which insiders try to get money, in random order. */
export async function runInsiderHistory(
  name: string,
  steps: number,
  counts: Map<string, number>,
): Promise<void> {
  const world = new InsiderWorld(`insiders ${name}`);
  const path: string[] = [];
  try {
    for (const user of ['mal', 'zoe']) await world.grant(user, 'system:operator');
    // Mostly decisions, which this history tests. A revoked administrator does nothing more.
    const often = [
      'agree',
      'agree',
      'grantRole',
      'makeGood',
      'makeGood',
      'refund',
      'trade',
      'trade',
      'agreeToRefund',
      'agreeToRefund',
    ];
    const names = [
      ...Object.keys(STEPS).filter((each) => each !== 'revokeRole' || world.below(3) === 0),
      ...often,
    ];
    for (let n = 0; n < steps; n += 1) {
      const step = world.pick(names);
      const did = `${step} ${await (STEPS[step] as InsiderStep)(world)}`;
      path.push(did);
      counts.set(did, (counts.get(did) ?? 0) + 1);
      world.check();
    }
  } catch (error) {
    throw new Error(`SEED=${name}, after ${path.join(', ')}: ${(error as Error).message}`, { cause: error });
  }
}
