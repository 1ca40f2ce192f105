import type { Column } from './data-table.js';

/** Makes columns of amounts in micro-dollars; the total of each column is the sum of these rows. */
export const amountsOf =
  <Row>(rows: readonly Row[]) =>
  (label: string, of: (row: Row) => number) =>
    ({
      label,
      value: (row: Row) => ({ microUsd: of(row) }),
      total: { microUsd: rows.reduce((sum, row) => sum + of(row), 0) },
    }) satisfies Column<Row>;
