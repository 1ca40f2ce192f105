import {
  payoutDecider,
  statementOf,
  type PaidAgain,
  type PayoutEvent,
  type Withdrawal,
} from '../../../domain/payouts/payouts.js';
import { microUsdFromCents, sumOf } from '../../../domain/shared/micro-usd.js';
import type { CreatorShare } from '../../../domain/shared/share-policy.js';
import { factCard, movementsFrom } from './movement-cards.js';
import { staffPaths } from '../../pages/staff-paths.js';
import type { Sale } from './sale-cards.js';
import type { PaidSale } from './traced-events.js';
import { allOf, money, percent, type Way } from './way.js';

interface Paying {
  withdrawal: Withdrawal;
  lines: PaidSale[];
  paidAgain: PaidAgain[];
}

async function payingBy(way: Way, withdrawal: Withdrawal, all: readonly Withdrawal[]): Promise<Paying> {
  const { sales, paidAgain } = statementOf(withdrawal.spans, all.slice(0, all.indexOf(withdrawal)));
  return { withdrawal, lines: await way.events.salesIn(withdrawal.creatorId, sales), paidAgain };
}

const withdrawalsOf = async (way: Way, creatorId: string): Promise<Withdrawal[]> =>
  (await way.events.payoutsOf(creatorId)).reduce(
    (state, event) => payoutDecider.evolve(state, event as unknown as PayoutEvent),
    payoutDecider.initialState,
  ).withdrawals;

export async function payingOf(way: Way, withdrawalId: string): Promise<Paying | undefined> {
  const [request] = allOf(await way.events.naming(withdrawalId), 'WithdrawalRequested');
  if (!request) return undefined;
  const { creatorId } = request.data;
  const all = await withdrawalsOf(way, creatorId);
  const withdrawal = all.find((one) => one.withdrawalId === withdrawalId);
  return withdrawal && payingBy(way, withdrawal, all);
}

/** Returns the withdrawals that pay a sale or a part of it, for the first time or again after a reversal. */
export async function payingSale(way: Way, { position, shares }: Sale): Promise<Paying[]> {
  const found: Paying[] = [];
  for (const share of shares) found.push(...(await payingShare(way, position, share)));
  return found;
}

async function payingShare(
  way: Way,
  position: number,
  { creatorId, shareMicroUsd }: CreatorShare,
): Promise<Paying[]> {
  if (shareMicroUsd === 0) return [];
  const from = await way.events.earnedBefore(creatorId, position);
  const all = await withdrawalsOf(way, creatorId);
  const paying = all.filter(({ spans }) =>
    spans.some((span) => span.fromMicroUsd < from + shareMicroUsd && span.toMicroUsd > from),
  );
  const found: Paying[] = [];
  for (const withdrawal of paying) found.push(await payingBy(way, withdrawal, all));
  return found;
}

const STATES = {
  requested: 'asked for',
  unknown: 'asked for, no answer yet',
  paid: 'paid',
  failed: 'failed',
} as const;

function stateOf({ status, amountUsdCents, reversedUsdCents }: Withdrawal): string {
  if (reversedUsdCents === 0) return STATES[status];
  return reversedUsdCents < amountUsdCents ? 'partly reversed' : 'reversed';
}

export const payoutKey = ({ withdrawalId }: { withdrawalId: string }): string => `payout:${withdrawalId}`;

/** Adds the card of a payout. @param line which line of its statement, from 1; undefined for the whole payout */
export async function payoutCard(
  way: Way,
  { withdrawal, lines, paidAgain }: Paying,
  line: number | undefined,
): Promise<string> {
  const { creatorId, withdrawalId, amountUsdCents, reversedUsdCents, deductedMicroUsd, status, transferId } =
    withdrawal;
  const shares = sumOf(lines.map(({ shareMicroUsd }) => shareMicroUsd));
  const paid = sumOf(lines.map(({ amountMicroUsd }) => amountMicroUsd));
  const kept = shares - paid;
  const issued = status === 'failed' ? 0 : microUsdFromCents(amountUsdCents);
  const again = sumOf(paidAgain.map(({ amountMicroUsd }) => amountMicroUsd));
  const before = sumOf(lines.slice(0, (line ?? 1) - 1).map(({ amountMicroUsd }) => amountMicroUsd));
  const here = line === undefined ? paid : (lines[line - 1]?.amountMicroUsd ?? 0);
  const events = (await way.events.naming(withdrawalId)).filter(
    ({ type }) => type !== 'BalanceTransactionRecorded',
  );
  const created = allOf(events, 'TransferCreated').at(-1);
  const [request] = allOf(events, 'WithdrawalRequested');
  const [claim] = allOf(events, 'PayoutClaimRedeemed');
  const terms = [
    money(shares),
    ...(kept > 0 ? [`\u2212 ${money(kept)} kept`] : []),
    ...(again > 0 ? [`+ ${money(again)} paid again`] : []),
    ...(deductedMicroUsd > 0 ? [`\u2212 ${money(deductedMicroUsd)} made up for`] : []),
  ];
  return way.add({
    key: payoutKey(withdrawal),
    kind: 'payout',
    title: line === undefined ? 'Payout' : 'Payout line',
    id: transferId ?? withdrawalId,
    href: staffPaths.financeTrace(withdrawalId, line),
    at: created?.recordedAt ?? request?.recordedAt ?? new Date(0),
    amountMicroUsd: issued,
    sum: { text: terms.join(' '), microUsd: paid + again - deductedMicroUsd },
    part: {
      fromMicroUsd: before,
      toMicroUsd: before + here,
      ofMicroUsd: paid,
      text:
        line === undefined ? 'All of its sales' : `This sale is ${money(here)} of it, ${percent(here, paid)}`,
    },
    facts: [
      { label: 'To', person: creatorId, href: staffPaths.financeCreator(creatorId) },
      { label: 'Sales in it', text: String(lines.length) },
      { label: 'State', text: stateOf(withdrawal) },
      reversedUsdCents > 0 && { label: 'Came back', microUsd: microUsdFromCents(reversedUsdCents) },
      ...paidAgain.map(({ withdrawalId: reversed, amountMicroUsd }) => ({
        label: 'Pays again',
        microUsd: amountMicroUsd,
        href: staffPaths.financeTrace(reversed),
      })),
      status === 'failed' && { label: 'Asked for', microUsd: microUsdFromCents(amountUsdCents) },
      claim && { label: 'Pays a claim of', person: claim.data.redeemedBy },
    ],
    rounding:
      kept > 0
        ? `down to the cent; ${money(kept)} of these sales is in other payouts or still on the account`
        : 'none; these sales fill whole cents',
    events,
  });
}

export async function reversalCard(way: Way, reversalId: string): Promise<string | undefined> {
  const events = await way.events.naming(reversalId);
  const reversed = allOf(events, 'TransferReversed');
  const [first] = reversed;
  if (!first) return undefined;
  const { creatorId, transferId, withdrawalId } = first.data;
  const key = factCard(way, {
    kind: 'reversal',
    title: 'Reversal',
    id: reversalId,
    main: reversed,
    facts: [
      { label: 'From', person: creatorId, href: staffPaths.financeCreator(creatorId) },
      { label: 'Transfer', text: transferId, href: staffPaths.financeTrace(transferId) },
    ],
  });
  const paying = await payingOf(way, withdrawalId);
  if (paying) way.join(key, await payoutCard(way, paying, undefined));
  await movementsFrom(way, key, events, reversalId);
  return key;
}
