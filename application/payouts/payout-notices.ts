import { Injectable } from '@nestjs/common';
import type { PayoutEvent } from '../../domain/payouts/payouts.js';
import { PAYOUT_POLICY } from '../../domain/payouts/policy.js';
import type { PurchaseEvent } from '../../domain/purchases/purchase.js';
import { inDollars } from '../../domain/shared/micro-usd.js';
import { sharesOf } from '../../domain/shared/share-policy.js';
import { Notices, type NewNotice } from '../mail/notices.js';
import { paths } from '../pages/paths.js';
import { Clock, WallClock } from '../shared/clock.js';
import type { Reactor, Recorded } from '../shared/event-store.js';
import { ConnectedAccounts } from './payout-accounts.js';
import { EarningsQueries } from './queries.js';

type Sale = Extract<PurchaseEvent, { type: 'SamplePurchased' }>;
type Payout = Extract<
  PayoutEvent,
  { type: 'WithdrawalRequested' | 'TransferCreated' | 'WithdrawalFailed' | 'TransferReversed' }
>;

const TEXTS: Record<Payout['type'], (amount: string) => string> = {
  WithdrawalRequested: (amount) => `Your withdrawal of ${amount} is under way`,
  TransferCreated: (amount) => `${amount} was paid to your Stripe account, and the statement is ready`,
  WithdrawalFailed: (amount) => `Your withdrawal of ${amount} failed, and the amount is available again`,
  TransferReversed: (amount) => `Stripe took back ${amount} of a payout, and the amount is available again`,
};
const DAY_MS = 86_400_000;
const CREATORS_AT_ONCE = 1_000;
/** Older events get no notice, for example when the log is read for the first time. */
const TOO_LATE_MS = 3 * DAY_MS;

/** Adds notices of sales and payouts to the inbox of each creator who earns from them. */
@Injectable()
export class PayoutNotices implements Reactor<Sale | Payout> {
  readonly name = 'payout-notices';
  readonly types = ['SamplePurchased', ...(Object.keys(TEXTS) as Payout['type'][])] as const;

  constructor(
    private readonly notices: Notices,
    private readonly accounts: ConnectedAccounts,
    private readonly earnings: EarningsQueries,
    private readonly clock: WallClock,
    private readonly calendar: Clock,
  ) {}

  handle(event: Recorded<Sale | Payout>): Promise<void> {
    return this.handleAll([event]);
  }

  async handleAll(all: readonly Recorded<Sale | Payout>[]): Promise<void> {
    const since = this.clock.now().getTime() - TOO_LATE_MS;
    const events = all.filter(({ recordedAt }) => recordedAt.getTime() >= since);
    const sales = events.flatMap(({ type, position, recordedAt: at, data }) =>
      type === 'SamplePurchased'
        ? sharesOf(data).map(({ creatorId, shareMicroUsd }) => ({ creatorId, position, shareMicroUsd, at }))
        : [],
    );
    const first = (await this.earnings.firstOf(sales)).map(firstSale);
    // The newest event about a withdrawal replaces the others.
    const payouts = new Map(
      events.flatMap((event) =>
        event.type === 'SamplePurchased' ? [] : [[event.data.withdrawalId, payoutNotice(event)]],
      ),
    );
    await this.notices.add([...first, ...payouts.values()]);
    await this.notices.addSales(sales, paths.earnings);
  }

  /** Adds notices of holds that ended yesterday, of details that Stripe needs, and of statements of the last month. */
  async nightly(): Promise<void> {
    const now = this.clock.now();
    await this.notices.addReleased(
      new Date(now.getTime() - (PAYOUT_POLICY.holdDays + 1) * DAY_MS),
      now,
      paths.earnings,
    );
    for (const { creatorId, requirements } of await this.accounts.needingDetails())
      await this.notices.add([
        {
          userId: creatorId,
          fact: `payout details ${[...requirements].sort().join(' ')}`,
          kind: 'payouts',
          subject: 'Stripe needs details from you before it can pay you',
          path: paths.earnings,
          at: now,
        },
      ]);
    await this.statements(now);
  }

  /**
   * Adds notices of last month's statements. Each `fact` contains the month, so repeated runs add a notice once, and
   * every later run of this month adds missing notices.
   */
  private async statements(at: Date): Promise<void> {
    const today = this.calendar.now();
    const startOf = (months: number) =>
      new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + months, 1));
    const [from, to] = [startOf(-1), startOf(0)];
    const month = from.toLocaleDateString('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
    const creators = await this.earnings.movedBetween(from, to);
    for (let start = 0; start < creators.length; start += CREATORS_AT_ONCE)
      await this.notices.add(
        creators.slice(start, start + CREATORS_AT_ONCE).map((userId) => ({
          userId,
          fact: `monthly statement ${from.toISOString().slice(0, 7)}`,
          kind: 'payouts',
          subject: `Your statement for ${month} is ready`,
          path: paths.earnings,
          at,
        })),
      );
  }
}

const firstSale = ({ creatorId, at }: { creatorId: string; at: Date }): NewNotice => ({
  userId: creatorId,
  fact: 'first sale',
  kind: 'sales',
  subject: 'You sold your first sample',
  path: paths.earnings,
  at,
  isUrgent: true,
});

const payoutNotice = ({ type, data, recordedAt: at }: Recorded<Payout>): NewNotice => ({
  userId: data.creatorId,
  fact: `withdrawal ${data.withdrawalId}`,
  kind: 'payouts',
  subject: TEXTS[type](inDollars(data.amountMicroUsd)),
  path: paths.earnings,
  at,
});
