import type { QueryConfig } from 'pg';

/**
 * Raw SQL for what is asked again and again: a connection parses and plans a statement with a name once. A look-up then
 * takes a third of the processor time that it takes with the builder, which names nothing (`bench/statements.ts`).
 */
export const prepared = (name: string, text: string, values: unknown[] = []): QueryConfig => ({
  name,
  text,
  values,
});
