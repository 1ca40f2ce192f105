import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { DecideAlert } from '../alerts/decide-alert.js';
import { Clock } from '../shared/clock.js';
import { forEachCollectingErrors } from '../shared/for-each-collecting-errors.js';

/** An erased user whose data the payment provider still has. */
export interface PayerToForget {
  userId: string;
  customerId: string | null;
  /** The account that pays a creator. Null for other users. */
  accountId: string | null;
  erasedAt: Date;
  blankedAt: Date | null;
}

export abstract class PayersToForget {
  /** Lists users whose removal is due for its next attempt, the longest overdue first. */
  abstract due(now: Date, limit: number): Promise<PayerToForget[]>;
  abstract of(userId: string): Promise<PayerToForget | undefined>;
  abstract blanked(userId: string, now: Date): Promise<void>;
  abstract postpone(userId: string, until: Date): Promise<void>;
  abstract forgotten(userId: string): Promise<void>;
}

export abstract class PayerGateway {
  /** Removes names and addresses of a customer, and closes open payment pages. */
  abstract blankCustomer(customerId: string): Promise<void>;
  /** Removes our metadata from the account. The account itself belongs to its holder. */
  abstract blankAccount(accountId: string): Promise<void>;
  /**
   * Deletes a customer. @returns false, without deleting, if the customer has open subscriptions, bills or disputes,
   * or charges since `chargedBefore`
   */
  abstract deleteCustomer(customerId: string, chargedBefore: Date): Promise<boolean>;
}

const DAY_MS = 86_400_000;
const BATCH = 50;
const PAUSE_MS = 15 * 60_000;
/** How long a card payment can be disputed. */
const DISPUTABLE_MS = 120 * DAY_MS;
/** After this time an alert asks a person to find out why the removal fails. */
const PATIENCE_MS = 7 * DAY_MS;
const ACTOR = 'system:forget-payers';

/** Removes erased users at the payment provider: names and addresses at once, the rest once nothing is disputable. */
@Injectable()
export class ForgetPayers {
  constructor(
    private readonly payers: PayersToForget,
    private readonly gateway: PayerGateway,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  async run(): Promise<void> {
    const due = await this.payers.due(this.clock.now(), BATCH);
    await forEachCollectingErrors(due, (payer) => this.forget(payer));
  }

  /** Removes a user right after the erasure. If the removal fails, `run` retries it. */
  async begin(userId: string): Promise<void> {
    const payer = await this.payers.of(userId);
    if (payer) await this.forget(payer);
  }

  private async forget(payer: PayerToForget): Promise<void> {
    const { userId, customerId, accountId } = payer;
    const now = this.clock.now();
    // Postpones first, so that a user whose removal fails does not block the others.
    await this.payers.postpone(userId, new Date(now.getTime() + PAUSE_MS));
    if (!payer.blankedAt) {
      await this.tellWhereLate(payer, now);
      if (customerId) await this.gateway.blankCustomer(customerId);
      if (accountId) await this.gateway.blankAccount(accountId);
      await this.payers.blanked(userId, now);
      await this.commands.execute(new DecideAlert({ type: 'SettleAlert', key: keyOf(userId) }, ACTOR));
    }
    const chargedBefore = new Date(now.getTime() - DISPUTABLE_MS);
    if (!customerId || (await this.gateway.deleteCustomer(customerId, chargedBefore)))
      await this.payers.forgotten(userId);
    else await this.payers.postpone(userId, new Date(now.getTime() + DAY_MS));
  }

  private async tellWhereLate({ userId, erasedAt, customerId, accountId }: PayerToForget, now: Date) {
    if (now.getTime() - erasedAt.getTime() < PATIENCE_MS) return;
    const item = customerId ?? accountId ?? userId;
    const text = `The personal data of ${item} could not be removed at the payment provider for a week. The worker keeps retrying.`;
    const alert = { key: keyOf(userId), kind: 'payer-not-forgotten', item, text };
    await this.commands.execute(new DecideAlert({ type: 'RaiseAlert', alert }, ACTOR));
  }
}

const keyOf = (userId: string): string => `payer-not-forgotten-${userId}`;
