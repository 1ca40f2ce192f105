/** Raw SQL: to keep purchases fast, one statement inserts all rows of a batch of commands from arrays. */
import { eventsOf, type NewEvent } from '../../application/shared/event-store.js';
import {
  creditDeltaOf,
  creditAccountDecider,
  type CreditAccount,
  type CreditEvent,
  type CreditLot,
} from '../../domain/credits/credit-account.js';
import { byType } from '../../domain/shared/by-type.js';
import { arrayParameters, binaryArrays } from '../platform/database/binary-arrays.js';
import type { InlineProjection, Projected } from '../platform/projections/projection.js';

const reasons = byType<CreditEvent, [], string>({
  CreditsGranted: ({ data }) => data.reason,
  GiftGiven: () => 'gift',
  GiftReceived: () => 'gift',
  CreditsSpent: () => 'download',
  CreditsRevoked: ({ data }) => data.reason,
  InvoiceRefunded: () => 'refund',
  RefundPending: () => 'chargeback',
  RefundNoLongerPending: () => 'chargeback',
  RefundFailed: () => 'chargeback',
  RefundUndone: () => 'refund',
  DisputeOpened: () => 'chargeback',
  DisputeAdjusted: () => 'chargeback',
  DisputeWon: () => 'chargeback',
  DisputeLost: () => 'chargeback',
  LostDisputeWon: () => 'chargeback',
  ShareTakenBack: () => 'chargeback',
});
const isCreditEvent = eventsOf<CreditEvent>(reasons.types);

export interface AccountRow {
  version: number;
  state: CreditAccount;
}

/** Rows that credit events add to the tables: one array per column, as PostgreSQL's `unnest` needs them. */
export interface CreditRows {
  accounts: [userId: string[], version: number[], balance: number[], lots: string[]];
  lines: [
    userId: string[],
    position: number[],
    reason: string[],
    delta: number[],
    balanceAfter: number[],
    createdAt: Date[],
  ];
  grants: [
    lotId: string[],
    userId: string[],
    kind: string[],
    reason: string[],
    credits: number[],
    value: number[],
    grantedAt: Date[],
    position: number[],
  ];
}

/** Returns the rows that credit events change. Purchases and rebuilds share this code, so their rows are equal. */
export function creditRows(
  events: readonly Projected<NewEvent>[],
  before: ReadonlyMap<string, AccountRow>,
): CreditRows {
  const after = new Map<string, AccountRow>();
  const rows: CreditRows = {
    accounts: [[], [], [], []],
    lines: [[], [], [], [], [], []],
    grants: [[], [], [], [], [], [], [], []],
  };
  for (const event of events.filter(isCreditEvent)) {
    const { userId } = event.data;
    const account = after.get(userId) ??
      before.get(userId) ?? { version: 0, state: creditAccountDecider.initialState };
    const state = creditAccountDecider.evolve(account.state, event);
    after.set(userId, { version: event.version, state });
    const granted = event.type === 'CreditsGranted';
    const delta = creditDeltaOf(event);
    if (delta !== 0)
      push(rows.lines, [
        userId,
        event.position,
        reasons.of(event),
        delta,
        state.balanceCredits,
        event.recordedAt,
      ]);
    if (granted) {
      const { lotId, kind, reason, credits, valueMicroUsd, grantedAt } = event.data;
      push(rows.grants, [
        lotId,
        userId,
        kind,
        reason,
        credits,
        valueMicroUsd,
        new Date(grantedAt),
        event.position,
      ]);
    }
  }
  for (const [userId, { version, state }] of after) {
    push(rows.accounts, [userId, version, state.balanceCredits, JSON.stringify(state.lots)]);
  }
  return rows;
}

function push(columns: unknown[][], values: unknown[]): void {
  values.forEach((value, index) => columns[index]?.push(value));
}

/** Returns the SQL that writes `CreditRows.accounts`. Its 4 parameters are numbered from `first`. */
export const writeAccounts = (first: number): string => `
  accounts as (
    insert into credit_account as a (user_id, version, balance, lots)
    select * from unnest(${arrayParameters(first, 'text', 'int', 'int', 'jsonb')})
    on conflict (user_id) do update set version = excluded.version, balance = excluded.balance, lots = excluded.lots
      where a.version < excluded.version
    returning user_id
  )`;

export function accountParameters({ accounts }: CreditRows): Buffer[] {
  const { text, int4, jsonb } = binaryArrays;
  return [text(accounts[0]), int4(accounts[1]), int4(accounts[2]), jsonb(accounts[3])];
}

/** Returns the SQL that writes credit lines: 6 parameters from `first` on. Positions are offsets from `$head`. */
export const writeLines = (first: number, head: number, rows: 'new' | 'any' = 'any'): string => `
  lines as (
    insert into credit_line (user_id, position, reason, delta, balance_after, created_at)
    select user_id, $${head}::bigint + position, reason, delta, balance_after, created_at
      from unnest(${arrayParameters(first, 'text', 'bigint', 'text', 'int', 'int', 'timestamptz')})
             as l(user_id, position, reason, delta, balance_after, created_at)
    ${rows === 'new' ? '' : 'on conflict do nothing'}
  )`;

export function lineParameters({ lines }: CreditRows): Buffer[] {
  const { text, int4, int8, timestamptz } = binaryArrays;
  return [
    text(lines[0]),
    int8(lines[1]),
    text(lines[2]),
    int4(lines[3]),
    int4(lines[4]),
    timestamptz(lines[5]),
  ];
}

/** Returns the SQL that writes credit grants. Its 8 parameters are numbered from `first`. */
export const writeGrants = (first: number, head: number, rows?: 'new'): string => `
  grants as (
    insert into credit_grant (lot_id, user_id, kind, reason, credits, value_micro_usd, granted_at, position)
    select lot_id, user_id, kind, reason, credits, value_micro_usd, granted_at, $${head}::bigint + position
      from unnest(${arrayParameters(first, 'text', 'text', 'text', 'text', 'int', 'bigint', 'timestamptz', 'bigint')})
             as g(lot_id, user_id, kind, reason, credits, value_micro_usd, granted_at, position)
    ${rows === 'new' ? '' : 'on conflict do nothing'}
  )`;

export function grantParameters({ grants }: CreditRows): Buffer[] {
  const { text, int4, int8, timestamptz } = binaryArrays;
  return [
    text(grants[0]),
    text(grants[1]),
    text(grants[2]),
    text(grants[3]),
    int4(grants[4]),
    int8(grants[5]),
    timestamptz(grants[6]),
    int8(grants[7]),
  ];
}

export const credits: InlineProjection<CreditEvent> = {
  name: 'credits',
  version: 1,
  lifecycle: 'inline', // The buyer must see the new balance.
  types: reasons.types,
  tables: ['credit_account', 'credit_line', 'credit_grant'],
  beforeHead: true,
  async apply(client, events) {
    const users = [...new Set(events.map((event) => event.data.userId))];
    const found = await client.query(
      `select user_id, version, balance, lots from credit_account where user_id = any($1)`,
      [users],
    );
    const before = new Map((found.rows as AccountSql[]).map((row) => [row.user_id, accountFromRow(row)]));
    // The account's row may include some of these events already. Skip them.
    const fresh = events.filter((event) => event.version > (before.get(event.data.userId)?.version ?? 0));
    if (fresh.length === 0) return;
    const rows = creditRows(fresh, before);
    await client.query(`with ${writeAccounts(2)}, ${writeLines(6, 1)}, ${writeGrants(12, 1)} select 1`, [
      0,
      ...accountParameters(rows),
      ...lineParameters(rows),
      ...grantParameters(rows),
    ]);
  },
};

export interface AccountSql {
  user_id: string;
  version: number;
  balance: number;
  lots: CreditLot[];
}

export const accountFromRow = (row: AccountSql): AccountRow => ({
  version: row.version,
  state: { balanceCredits: row.balance, lots: row.lots },
});
