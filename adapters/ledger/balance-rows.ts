import type { TrialBalance } from '../../application/ledger/contract.js';
import { CHART, chartOrder, chartedAccount, type Commodity } from '../../domain/ledger/accounts.js';

export interface BalanceSql {
  account: string;
  commodity: Commodity;
  balance: number;
  position: number;
  name: string | null;
}

interface Balance {
  account: string;
  kind: (typeof CHART)[number]['kind'];
  accounts: number;
  balance: number;
  position: number;
  name?: string;
}

/** Returns trial balance rows in the order of the chart of accounts. `grouped` merges the accounts of a chart line. */
export function balances(sums: readonly BalanceSql[], commodity: Commodity, grouped: boolean): Balance[] {
  const byAccount = new Map<string, Balance & { group: string }>();
  if (grouped) {
    for (const { name, kind } of CHART) {
      const accounts = name.endsWith(':*') ? 0 : 1;
      if ((kind === 'credits') === (commodity === 'credits'))
        byAccount.set(name, { account: name, group: name, kind, accounts, balance: 0, position: 0 });
    }
  }
  for (const { account, balance, position, name } of sums.filter((sum) => sum.commodity === commodity)) {
    if (balance === 0) continue;
    // An account outside the chart is a bug of ours. Its row is shown unchanged, never dropped.
    const { group, kind } = chartedAccount(account) ?? { group: account, kind: 'asset' as const };
    const row = grouped ? byAccount.get(group) : undefined;
    if (!row)
      byAccount.set(account, { account, group, kind, accounts: 1, balance, position, ...(name && { name }) });
    else {
      row.balance += balance;
      row.position = Math.max(row.position, position);
      if (group.endsWith(':*')) row.accounts += 1;
    }
  }
  return [...byAccount.values()]
    .sort((a, b) => chartOrder(a.group) - chartOrder(b.group) || (a.account < b.account ? -1 : 1))
    .map(({ group: _, ...row }) => row);
}

export function otherCurrencies(sums: readonly BalanceSql[]): TrialBalance['otherCurrencies'] {
  const others = sums.filter(
    ({ commodity, balance }) => commodity !== 'usd' && commodity !== 'credits' && balance !== 0,
  );
  return [...new Set(others.map(({ commodity }) => commodity))].sort().map((currency) => ({
    currency,
    accounts: others
      .filter(({ commodity }) => commodity === currency)
      .map(({ account, balance }) => ({ account, balanceMicro: balance }))
      .sort((a, b) => (a.account < b.account ? -1 : 1)),
  }));
}

export const sumOf = (rows: readonly { balance: number }[], side: 1 | -1): number =>
  rows.reduce((sum, { balance }) => sum + Math.max(side * balance, 0), 0);
