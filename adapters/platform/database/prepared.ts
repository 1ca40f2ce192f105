import type { QueryConfig } from 'pg';

/**
 * Raw SQL for what is asked again and again: a connection plans a statement with a name once, and planning takes most
 * of the time of a look-up over several tables. The builder names nothing.
 */
export const prepared = (name: string, text: string, values: unknown[] = []): QueryConfig => ({
  name,
  text,
  values,
});
