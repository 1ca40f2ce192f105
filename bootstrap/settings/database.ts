import type { DatabaseLimits } from '../../adapters/platform/database/connections.js';
import { databaseUrl, timeout, type Values } from './fields.js';

/** PostgreSQL, and how long we wait for it. */
export const DATABASE = {
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_REPLICA_URL: databaseUrl.optional(),
  DATABASE_CONNECT_TIMEOUT_MS: timeout(3_000),
  DATABASE_STATEMENT_TIMEOUT_MS: timeout(4_000),
  DATABASE_LOCK_TIMEOUT_MS: timeout(3_500),
  DATABASE_IDLE_TRANSACTION_TIMEOUT_MS: timeout(10_000),
  DATABASE_LONG_STATEMENT_TIMEOUT_MS: timeout(600_000),
  DATABASE_KEEP_ALIVE_MS: timeout(10_000),
};

export interface DatabaseConfig {
  /** Absent: embedded PostgreSQL below dataDir. */
  databaseUrl?: string;
  databaseReplicaUrl?: string;
  /** Limits for requests that people wait for, and for statements that may take minutes. */
  databaseLimits: { limits: DatabaseLimits; longLimits: DatabaseLimits };
}

export function databaseConfig(value: Values<typeof DATABASE>): DatabaseConfig {
  const limits = {
    connectMs: value.DATABASE_CONNECT_TIMEOUT_MS,
    statementMs: value.DATABASE_STATEMENT_TIMEOUT_MS,
    lockMs: value.DATABASE_LOCK_TIMEOUT_MS,
    idleTransactionMs: value.DATABASE_IDLE_TRANSACTION_TIMEOUT_MS,
    keepAliveMs: value.DATABASE_KEEP_ALIVE_MS,
  };
  const minutes = value.DATABASE_LONG_STATEMENT_TIMEOUT_MS;
  return {
    databaseUrl: value.DATABASE_URL,
    databaseReplicaUrl: value.DATABASE_REPLICA_URL,
    databaseLimits: {
      limits,
      longLimits: { ...limits, statementMs: minutes, lockMs: minutes, idleTransactionMs: minutes },
    },
  };
}
