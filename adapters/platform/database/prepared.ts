import type { QueryConfig } from 'pg';

/**
 * Raw SQL for frequent queries. A connection parses and plans a named statement once. A look-up then takes a third of
 * the processor time of the query builder, which uses no names (`bench/statements.ts`).
 */
export const prepared = (name: string, text: string, values: unknown[] = []): QueryConfig => ({
  name,
  text,
  values,
});
