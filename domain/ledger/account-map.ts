import { accept, type Decider } from '../shared/decision.js';
import { CHART } from './accounts.js';

/** One of our accounts, with its name and code in another bookkeeping system. */
export interface MappedAccount {
  account: string;
  name: string;
  code: string;
}

/** The account for the rounding difference in the summary of a month. */
export const ROUNDING = 'rounding';

export const MAPPED_ACCOUNTS: readonly string[] = [
  ...CHART.filter(({ kind }) => kind !== 'credits').map(({ name }) => name),
  ROUNDING,
];

const DEFAULT_MAP: readonly MappedAccount[] = [
  ...CHART.flatMap((entry) =>
    'code' in entry ? [{ account: entry.name, name: entry.title, code: entry.code }] : [],
  ),
  { account: ROUNDING, name: 'Rounding', code: '5090' },
];

interface AccountMap {
  accounts: readonly MappedAccount[];
  by: string;
}

/** Stream `account-map`: the newest map counts. */
export const accountMapDecider: Decider<
  { type: 'ChangeAccountMap'; now: string } & AccountMap,
  readonly MappedAccount[],
  { type: 'AccountMapChanged'; data: AccountMap & { at: string } },
  never,
  void
> = {
  streamOf: () => 'account-map',
  initialState: DEFAULT_MAP,
  decide: ({ accounts, by, now: at }, known) =>
    JSON.stringify(accounts) === JSON.stringify(known)
      ? accept()
      : accept({ type: 'AccountMapChanged', data: { accounts, by, at } }),
  evolve: (_, { data }) => data.accounts,
};
