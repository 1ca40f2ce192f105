import { decimalDollars } from '../../domain/shared/micro-usd.js';
import { csvCell } from '../shared/csv.js';
import type { StaffAct } from './contract.js';

type Cell = string | number | null;

const COLUMNS: Record<string, (act: StaffAct) => Cell> = {
  at: ({ at }) => at,
  by: ({ by }) => by,
  by_name: ({ byName }) => byName,
  did: ({ did }) => did,
  kind: ({ kind }) => kind,
  subject: ({ subject }) => subject,
  beneficiary: ({ beneficiary }) => beneficiary,
  beneficiary_name: ({ beneficiaryName }) => beneficiaryName,
  credits: ({ credits }) => credits,
  usd: ({ microUsd }) => (microUsd === null ? null : decimalDollars(microUsd)),
  note: ({ note }) => note,
  asked_by: ({ askedByName }) => askedByName,
  waited_seconds: ({ waitedMs }) => (waitedMs === null ? null : Math.round(waitedMs / 1_000)),
};

/** Returns one row per act; amounts are in dollars. */
export function staffActsCsv(acts: readonly StaffAct[]): string {
  const rows = acts.map((act) => Object.values(COLUMNS).map((cellOf) => csvCell(cellOf(act) ?? '')));
  return [Object.keys(COLUMNS), ...rows].map((cells) => `${cells.join(',')}\r\n`).join('');
}
