import { Injectable, Logger } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { boundsOf } from '../../../domain/ledger/period.js';
import { inCurrency } from '../../../domain/shared/micro-usd.js';
import { BalanceGateway, ReportNotMade } from '../../payments/balance-gateway.js';
import { PaymentGatewayUnavailable } from '../../payments/payment-gateway.js';
import { Clock } from '../../shared/clock.js';
import type { StripeTieOut } from '../contract.js';
import { Materiality } from '../materiality.js';
import { nightOf } from '../nightly-check.js';
import { Posting } from '../posting.js';
import { AlertQueries } from '../queries.js';
import { renewAlerts } from '../renew-alerts.js';
import { TIE_OUT } from '../values.js';
import { DoTieOut } from './do-tie-out.js';
import { ReportUnreadable } from './stripe-report.js';

/** How far the newest fetch of a report is. */
export interface ReportFetch {
  /** The provider's ids of the requested report. Empty: no report is requested. */
  runs: string[];
  from: Date | null;
  to: Date | null;
  askedAt: Date;
  /** Nothing is fetched before this time. */
  nextAt: Date;
  /** The end of the last report that was compared. */
  comparedTo: Date | null;
  comparedAt: Date | null;
  /** Why the last attempt failed. */
  problem: string | null;
}

export abstract class ReportFetches {
  abstract read(): Promise<ReportFetch | undefined>;
  abstract keep(fetch: ReportFetch): Promise<void>;
  /** Returns the time of the first recorded movement of our balance in dollars, or undefined if none is recorded. */
  abstract firstMovement(): Promise<Date | undefined>;
}

const DAY_MS = 86_400_000;
const RETRY_MS = 3_600_000;
/** How long a fetch waits for its report before it fails. The provider makes most reports within minutes. */
const PATIENCE_MS = 2 * 3_600_000;
/**
 * Items raise alerts from this age, because younger items may still
 * match: the provider dates a payout by the day on which the bank receives it.
 */
const ALERTED_DAYS = 7;
const ACTOR = 'system:tie-out';

/**
 * Fetches the provider's report each night and compares it with the books. Each call of `step` performs one step and
 * stores it, so that no call waits for the report, and another worker can continue after a
 * crash. A failed attempt is repeated an hour later.
 */
@Injectable()
export class FetchTieOut {
  private readonly log = new Logger('Tie-out');

  constructor(
    private readonly gateway: BalanceGateway,
    private readonly fetches: ReportFetches,
    private readonly commands: CommandBus,
    private readonly alerts: AlertQueries,
    private readonly materiality: Materiality,
    private readonly posting: Posting,
    private readonly clock: Clock,
  ) {}

  async step(): Promise<void> {
    const last = await this.fetches.read();
    const now = this.clock.now();
    if (last && now < last.nextAt) return;
    try {
      await (last && last.runs.length > 0 ? this.compare(last, now) : this.request(last, now));
    } catch (error) {
      if (!isExpected(error)) throw error;
      this.log.warn(`the report could not be fetched: ${error.message}`);
      const nextAt = new Date(now.getTime() + RETRY_MS);
      await this.fetches.keep({ ...emptyAt(now), ...last, runs: [], nextAt, problem: error.message });
    }
  }

  private async request(last: ReportFetch | undefined, now: Date): Promise<void> {
    const first = await this.fetches.firstMovement();
    // No report is requested in the first 24 hours after the first movement.
    if (!first || now.getTime() - first.getTime() < DAY_MS) return;
    const until = (await this.gateway.reportableUntil()).getTime();
    const to = new Date(until - (until % DAY_MS));
    if (to <= first || (last?.comparedTo && to <= last.comparedTo)) {
      const nextAt = new Date(now.getTime() + RETRY_MS);
      return this.fetches.keep({ ...emptyAt(now), ...last, nextAt, problem: null });
    }
    const from = beginOfMonthBefore(to);
    // The idempotency key stays the same if this step is repeated after a crash, and changes for a new attempt.
    const key = `tie-out-${to.toISOString()}-${(last?.nextAt ?? first).toISOString()}`;
    const runs = await this.gateway.requestReport({ from, to }, key);
    await this.fetches.keep({ ...emptyAt(now), ...last, runs, from, to, askedAt: now, problem: null });
  }

  private async compare(last: ReportFetch, now: Date): Promise<void> {
    const { from, to } = last;
    const csv = await this.gateway.readReport(last.runs);
    if (csv === undefined || !from || !to) {
      if (now.getTime() - last.askedAt.getTime() < PATIENCE_MS) return;
      throw new ReportNotMade('Stripe did not finish the report in two hours.');
    }
    await this.posting.allPosted();
    const { tieOut } = await this.commands.execute(new DoTieOut(csv, { from, to }, ACTOR));
    await this.alertAbout(tieOut, to);
    const nextAt = new Date(nightOf(now).getTime() + DAY_MS);
    await this.fetches.keep({ ...last, runs: [], nextAt, comparedTo: to, comparedAt: now, problem: null });
  }

  private async alertAbout({ onlyAtStripe, onlyInBooks }: StripeTieOut, to: Date): Promise<void> {
    const items = [
      ...onlyAtStripe.map(({ transactionId: item, netMicroUsd: amountMicroUsd, category: what, ...rest }) => {
        return { ...rest, item, amountMicroUsd, what, place: 'Only at Stripe' };
      }),
      ...onlyInBooks
        .filter(({ at }) => Date.parse(at) < to.getTime())
        .map(({ references: [about = ''], fact: what, ...rest }) => {
          return { ...rest, item: about, what: what.replaceAll('-', ' '), place: 'Only in the books' };
        }),
    ].filter(({ ageDays }) => ageDays >= ALERTED_DAYS);
    const alerts = items.map(({ item, amountMicroUsd, foreign, what, place, at }) => {
      const amount = inCurrency(foreign?.amountMicro ?? amountMicroUsd, foreign?.currency ?? 'usd');
      return {
        key: `${TIE_OUT}-${what.replaceAll(/\W/g, '-')}-${item}`,
        kind: TIE_OUT,
        item,
        text: `${place}: ${what} of ${amount} on ${at.slice(0, 10)}, ${item}.`,
        ...(foreign ? {} : { amountMicroUsd }),
      };
    });
    const lasting = await this.alerts.lasting(TIE_OUT);
    await renewAlerts(this.commands, ACTOR, lasting, await this.materiality.worthAlerting(alerts));
  }
}

const emptyAt = (now: Date): ReportFetch => ({
  runs: [],
  from: null,
  to: null,
  askedAt: now,
  nextAt: now,
  comparedTo: null,
  comparedAt: null,
  problem: null,
});

/** A report covers the month before too, so that a month is covered to its end even if some nights failed. */
function beginOfMonthBefore(to: Date): Date {
  const monthOf = (at: Date) => boundsOf(at.toISOString().slice(0, 7)).from;
  return monthOf(new Date(monthOf(new Date(to.getTime() - 1)).getTime() - 1));
}

const isExpected = (error: unknown): error is Error =>
  error instanceof PaymentGatewayUnavailable ||
  error instanceof ReportNotMade ||
  error instanceof ReportUnreadable;
