import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import { tieOutDecider, type TieOutFindings } from '../../../domain/ledger/kept-tie-out.js';
import { factsBehind, tieOut } from '../../../domain/ledger/tie-out.js';
import { assert } from '../../../domain/shared/decision.js';
import { sumOf } from '../../../domain/shared/micro-usd.js';
import { Clock } from '../../shared/clock.js';
import { Streams } from '../../shared/streams.js';
import type { StripeTieOut, Span } from '../contract.js';
import { CashFactQueries } from '../queries.js';
import { readStripeReport } from './stripe-report.js';

export class DoTieOut extends Command<{ accepted: true; tieOut: StripeTieOut }> {
  constructor(
    readonly csv: string,
    /** The span that the report was requested for. The lines of the report may cover less. */
    readonly span: Span,
    readonly by: string,
  ) {
    super();
  }
}

const DAY_MS = 86_400_000;

/** The log stores at most this many open items. The stored counts and sums include all open items. */
const OPEN_KEPT = 200;

@Injectable()
export class TieOutStripe {
  constructor(
    private readonly facts: CashFactQueries,
    private readonly clock: Clock,
  ) {}

  /**
   * Compares a report with the books. A fact after the report's last day counts as missing from the report.
   * @param from the first day of the report. Default: the day of the first line. @throws ReportUnreadable
   */
  async run(csv: string, from?: Date): Promise<Omit<StripeTieOut, 'kept'>> {
    const reported = readStripeReport(csv);
    const first = reported.reduce(
      (least, { at }) => Math.min(least, at.getTime()),
      (from ?? this.clock.now()).getTime(),
    );
    const since = new Date(first - (first % DAY_MS));
    const recorded = await this.facts.recorded(reported.map(({ transactionId }) => transactionId));
    const { matched, unmatchedTransactions, unmatchedFacts } = tieOut(
      reported,
      recorded,
      await this.facts.behind(recorded.flatMap(factsBehind), since),
    );
    const now = this.clock.now().getTime();
    const ageDays = (at: Date): number => Math.max(0, Math.floor((now - at.getTime()) / DAY_MS));
    return {
      matched: matched.map(({ transaction, position }) => ({
        transactionId: transaction.transactionId,
        position,
        ...inCurrencyOf(transaction, transaction.netMicroUsd),
      })),
      onlyAtStripe: unmatchedTransactions.map((transaction) => {
        const { transactionId, at, category, references } = transaction;
        const { amountMicroUsd: netMicroUsd, ...foreign } = inCurrencyOf(
          transaction,
          transaction.netMicroUsd,
        );
        const age = { at: at.toISOString(), ageDays: ageDays(at) };
        return { transactionId, ...age, category, netMicroUsd, ...foreign, references };
      }),
      onlyInBooks: unmatchedFacts.map(({ at, about, currency, amountMicroUsd, ...fact }) => ({
        ...fact,
        ...inCurrencyOf({ currency }, amountMicroUsd),
        references: [about],
        at: at.toISOString(),
        ageDays: ageDays(at),
      })),
    };
  }
}

/** Amounts in other currencies are kept apart, so that sums in dollars stay sums of dollars. */
const inCurrencyOf = (
  { currency }: { currency: string },
  amountMicro: number,
): { amountMicroUsd: number; foreign?: { currency: string; amountMicro: number } } =>
  currency === 'usd'
    ? { amountMicroUsd: amountMicro }
    : { amountMicroUsd: 0, foreign: { currency, amountMicro } };

/** Compares a report with the books, and stores the result. */
@CommandHandler(DoTieOut)
export class DoTieOutHandler implements ICommandHandler<DoTieOut> {
  constructor(
    private readonly stripe: TieOutStripe,
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  /** @throws ReportUnreadable */
  async execute({ csv, span, by }: DoTieOut): Promise<CommandResult<DoTieOut>> {
    const found = await this.stripe.run(csv, span.from);
    const covered = coveredBy(csv, span);
    // A report without lines and without a requested span covers no known days, so its result is not stored.
    if (!covered) return { accepted: true, tieOut: { ...found, kept: null } };
    const now = this.clock.now();
    const sha256 = createHash('sha256').update(csv).digest('hex');
    const findings = { sha256, ...summaryOf(found, covered), isOver: now >= covered.to };
    const outcome = await this.streams.execute(
      tieOutDecider,
      sha256,
      { type: 'KeepTieOut', tieOut: { ...findings, by, at: now.toISOString() } },
      { actor: by, correlationId: tieOutDecider.streamOf(sha256) },
    );
    assert(outcome.accepted, 'a comparison is never refused');
    const { from, to, unexplainedMicroUsd } = findings;
    const kept = { id: sha256, from, to, unexplainedMicroUsd };
    return { accepted: true, tieOut: { ...found, kept } };
  }
}

function coveredBy(csv: string, span: DoTieOut['span']): { from: Date; to: Date } | undefined {
  const times = readStripeReport(csv).map(({ at }) => at.getTime());
  const froms = times.map((at) => at - (at % DAY_MS));
  const tos = froms.map((at) => at + DAY_MS);
  const from = smallest([...froms, ...(span.from ? [span.from.getTime()] : [])]);
  const to = -smallest([...tos, ...(span.to ? [span.to.getTime()] : [])].map((at) => -at));
  return from < to && Number.isFinite(to - from) ? { from: new Date(from), to: new Date(to) } : undefined;
}

const smallest = (numbers: readonly number[]): number =>
  numbers.reduce((least, each) => Math.min(least, each), Infinity);

function summaryOf(
  { matched, onlyAtStripe, onlyInBooks }: Omit<StripeTieOut, 'kept'>,
  { from, to }: { from: Date; to: Date },
): Omit<TieOutFindings, 'sha256' | 'isOver'> {
  const atStripe = onlyAtStripe.map(({ transactionId: id, category: what, at, netMicroUsd, foreign }) => ({
    side: 'stripe' as const,
    id,
    what,
    at,
    amountMicroUsd: netMicroUsd,
    ...(foreign && { foreign }),
  }));
  // A fact after the end of the report cannot be in the report, so the stored result leaves it out.
  const inBooks = onlyInBooks
    .filter(({ at }) => Date.parse(at) < to.getTime())
    .map(({ position, references, fact: what, at, amountMicroUsd, foreign }) => ({
      side: 'books' as const,
      id: references[0] ?? String(position),
      what,
      at,
      amountMicroUsd,
      ...(foreign && { foreign }),
    }));
  const both = sumOf(matched.map(({ amountMicroUsd }) => amountMicroUsd));
  const open = [...atStripe, ...inBooks];
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    matched: matched.length,
    stripeMicroUsd: both + sumOf(atStripe.map(({ amountMicroUsd }) => amountMicroUsd)),
    booksMicroUsd: both + sumOf(inBooks.map(({ amountMicroUsd }) => amountMicroUsd)),
    onlyAtStripe: atStripe.length,
    onlyInBooks: inBooks.length,
    unexplainedMicroUsd: sumOf(open.map(({ amountMicroUsd }) => Math.abs(amountMicroUsd))),
    open: open.slice(0, OPEN_KEPT),
  };
}
