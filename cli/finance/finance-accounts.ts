import { chartedAccount } from '../../domain/ledger/accounts.js';
import { decimalDollars } from '../../domain/shared/micro-usd.js';
import type { Span } from '../../application/ledger/contract.js';
import type { BookQueries } from '../../application/ledger/queries.js';
import { ProveBalance } from '../../application/ledger/prove-balance.js';
import { CreatorAccountQueries, PayoutQueries } from '../../application/payouts/queries.js';
import type { Tools } from '../tools.js';

type Print = (line: string) => void;
const PAGE = 500;

/**
 * Prints every line of an account with its event and the balance after it, oldest first.
 * @returns whether the account exists
 */
export async function printAccount(
  books: BookQueries,
  { account, span }: { account: string; span: Span },
  print: Print,
): Promise<boolean> {
  if (!chartedAccount(account)) {
    print(`there is no account ${account}`);
    return false;
  }
  let cursor: string | undefined;
  do {
    const page = await books.statement(account, { ...span, limit: PAGE, cursor });
    for (const line of page.entries) {
      const moved = line.deltaCredits === 0 ? decimalDollars(line.deltaMicroUsd) : String(line.deltaCredits);
      const balance =
        line.deltaCredits === 0 ? decimalDollars(line.balanceMicroUsd) : String(line.balanceCredits);
      print(
        `${line.at}  event ${String(line.position).padEnd(9)} ${line.fact.padEnd(22)}${moved.padStart(18)}${balance.padStart(18)}`,
      );
    }
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return true;
}

/**
 * Prints what a creator earned and is owed, and each payout with its lines.
 * @returns whether every payout is the sum of its lines; false for an id without earnings
 */
export async function printCreator({ app }: Tools, creatorId: string, print: Print): Promise<boolean> {
  const account = await app.get(CreatorAccountQueries).find(creatorId);
  if (!account) {
    print(`${creatorId} has no earnings`);
    return false;
  }
  const row = (name: string, microUsd: number) =>
    print(`${name.padEnd(24)}${decimalDollars(microUsd).padStart(18)}`);
  row('earned', account.earnedMicroUsd);
  row('taken back', -account.takenBackMicroUsd);
  row('in transit', -account.inTransitMicroUsd);
  row('paid', -account.paidMicroUsd);
  row('written off', account.writtenOffMicroUsd);
  row('owed', account.balanceMicroUsd);
  const payouts = app.get(PayoutQueries);
  let allSum = true;
  let cursor: string | undefined;
  do {
    const page = await payouts.list(creatorId, { limit: PAGE, ...(cursor && { cursor }) });
    for (const { id, requestedAt, status } of page.items) {
      const statement = await payouts.statement(creatorId, id);
      if (!statement) continue;
      const sum = statement.lines.reduce((total, { amountMicroUsd }) => total + amountMicroUsd, 0);
      const sums = sum === statement.amountMicroUsd;
      allSum &&= sums;
      print(`\n${requestedAt}  ${id}  ${status}${sums ? '' : `, its lines sum to ${decimalDollars(sum)}`}`);
      for (const { kind, sampleTitle, sampleId, amountMicroUsd } of statement.lines)
        row(`  ${kind} ${sampleTitle ?? sampleId ?? ''}`, amountMicroUsd);
      row('  paid out', statement.amountMicroUsd);
    }
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return allSum;
}

/** Explains a user's balance event by event. @returns whether the displayed balance agrees with the log */
export async function printProof({ app }: Tools, userId: string, print: Print): Promise<boolean> {
  const proof = await app.get(ProveBalance).of(userId);
  if (!proof) {
    print(`there is no user ${userId}`);
    return false;
  }
  for (const { position, type, recordedAt, delta, balanceAfter, hash } of proof.events)
    print(
      `${recordedAt}  event ${String(position).padEnd(9)} ${type.padEnd(18)}${String(delta).padStart(8)}${String(balanceAfter).padStart(10)}  ${hash}`,
    );
  for (const { lotId, kind, remainingCredits } of proof.lots)
    if (remainingCredits > 0) print(`lot ${lotId}, ${kind}: ${remainingCredits} left`);
  print(
    `${proof.balance} credits by the log, ${proof.shownBalance} shown: ${proof.holds ? 'holds' : 'DIFFERS'}`,
  );
  print(`the chain ends at event ${proof.head.position}, ${proof.head.hash}`);
  return proof.holds;
}
