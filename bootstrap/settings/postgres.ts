import * as z from 'zod';
import type { DatabaseOptions } from '../../adapters/platform/database/database.js';
import { ConfigError, databaseUrl, timeout, type Values } from './fields.js';

/** PostgreSQL, and how long we wait for it. */
export const DATABASE = {
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  DATABASE_REPLICA_URL: databaseUrl.optional(),
  DATABASE_APP_ROLE: z.string().min(1).max(63).optional(),
  MIGRATE: z.enum(['start', 'never']).optional(),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(1_000).default(24),
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
  /** Absent: there is no pooler before the database. */
  databaseDirectUrl?: string;
  databaseReplicaUrl?: string;
  /** The role of nodes, where another one owns the tables and migrates. */
  databaseAppRole?: string;
  /** Whether a node that starts brings the schema to its own version, or wants to find it so. */
  migrate: 'start' | 'never';
  /** How many connections, and limits for requests that people wait for, and for statements that may take minutes. */
  databaseOptions: Required<Pick<DatabaseOptions, 'maxConnections' | 'limits' | 'longLimits'>>;
}

/** @throws ConfigError */
export function databaseConfig(value: Values<typeof DATABASE>, production: boolean): DatabaseConfig {
  if (value.DATABASE_DIRECT_URL && !value.DATABASE_URL)
    throw new ConfigError('Configuration: DATABASE_DIRECT_URL needs DATABASE_URL, the pooler before it');
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
    databaseDirectUrl: value.DATABASE_DIRECT_URL,
    databaseReplicaUrl: value.DATABASE_REPLICA_URL,
    databaseAppRole: value.DATABASE_APP_ROLE,
    migrate: value.MIGRATE ?? (production ? 'never' : 'start'),
    databaseOptions: {
      maxConnections: value.DATABASE_POOL_SIZE,
      limits,
      longLimits: { ...limits, statementMs: minutes, lockMs: minutes, idleTransactionMs: minutes },
    },
  };
}
