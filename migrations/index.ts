import type { Migration } from 'kysely/migration';
import * as baseline from './0147-baseline.js';

/** In order. A migration never changes, because databases have already run it. */
export const migrations: Record<string, Migration> = {
  '0147-baseline': baseline,
};
