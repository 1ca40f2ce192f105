import type { TrialBalance } from '../../../../../application/ledger/contract.js';

type Row = TrialBalance['accounts'][number];
export type Kind = Row['kind'];

/** Refunds lessen income. Suspense and opening balances may be on either side. */
const EITHER_SIDE = /^(?:refunds|(?:suspense|opening-balances)(?::.*)?)$/;
export const growsOn = (kind: Kind): 'debit' | 'credit' =>
  kind === 'asset' || kind === 'expense' ? 'debit' : 'credit';

/** Whether more went out of an account than came in. @param debit of the balance; a credit is below zero */
export const isOnWrongSide = ({ account, kind }: Pick<Row, 'account' | 'kind'>, debit: number): boolean =>
  kind !== 'credits' && !EITHER_SIDE.test(account) && (growsOn(kind) === 'debit' ? debit < 0 : debit > 0);

/** Above zero on the side on which that kind of account grows. */
export const grown = (kind: Kind, debit: number): number => (growsOn(kind) === 'debit' ? debit : -debit) || 0;
