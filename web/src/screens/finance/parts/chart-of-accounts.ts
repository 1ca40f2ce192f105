import type { TrialBalance } from '../../../../../application/ledger/contract.js';
import { staffPaths } from '../../../../../application/pages/staff-paths.js';

type Row = TrialBalance['accounts'][number];
export type Kind = Row['kind'];

/** The page of an account, or of a group such as `creator:*`. */
export const pathOfAccount = (account: string): string =>
  account.endsWith(':*') ? staffPaths.financeGroup(account) : staffPaths.financeAccount(account);

/** Accounts that may have a debit or a credit balance. `refunds` is one of them, because refunds reduce income. */
const EITHER_SIDE = /^(?:refunds|(?:suspense|opening-balances)(?::.*)?)$/;
export const growsOn = (kind: Kind): 'debit' | 'credit' =>
  kind === 'asset' || kind === 'expense' ? 'debit' : 'credit';

/**
 * Whether the balance is on the side on which the account does not grow. Never true for accounts that count credits
 * instead of dollars, nor for accounts of `EITHER_SIDE`.
 * @param debit the balance; negative for a credit balance
 */
export const isOnWrongSide = ({ account, kind }: Pick<Row, 'account' | 'kind'>, debit: number): boolean =>
  kind !== 'credits' && !EITHER_SIDE.test(account) && (growsOn(kind) === 'debit' ? debit < 0 : debit > 0);

/** The balance, positive on the side on which this kind of account grows. */
export const grown = (kind: Kind, debit: number): number => (growsOn(kind) === 'debit' ? debit : -debit) || 0;
