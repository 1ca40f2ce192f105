import * as z from 'zod';
import { ConfigError, databaseUrl, int, timeout, type Values } from './fields.js';

export const DATABASE = {
  DATABASE_URL: databaseUrl
    .optional()
    .meta({ description: 'PostgreSQL 15 or newer.', computedDefault: 'the embedded PostgreSQL' }),
  DATABASE_DIRECT_URL: databaseUrl.optional().meta({
    description:
      'The address of the server itself, if `DATABASE_URL` is a pooler in transaction mode such as PgBouncer. See [Scale](scaling.md#connection-poolers).',
    computedDefault: '`DATABASE_URL`',
  }),
  DATABASE_REPLICA_URL: databaseUrl
    .optional()
    .describe('A replica. Search and public pages read from it, and are as late as it is.'),
  DATABASE_APP_ROLE: z.string().min(1).max(63).optional().meta({
    description:
      'The role of the nodes, if another role owns the tables. `offcut migrate` grants it what it needs. See [Upgrade](upgrade.md#a-role-of-its-own-for-nodes).',
    computedDefault: 'the owner',
  }),
  MIGRATE: z.enum(['start', 'never']).optional().meta({
    description:
      '`start`: a node migrates the schema when it starts. `never`: a node refuses to start on an older schema until `offcut migrate` was run.',
    computedDefault: '`start`; `never` in production',
  }),
  DATABASE_POOL_SIZE: int(2, 1_000)
    .default(24)
    .describe(
      'How many connections a process opens to `DATABASE_URL`, and as many to the replica. It opens up to fifteen more to the server itself.',
    ),
  DATABASE_CONNECT_TIMEOUT_MS: timeout(3_000).describe(
    'How long opening a connection may take, in milliseconds.',
  ),
  DATABASE_STATEMENT_TIMEOUT_MS: timeout(4_000).describe(
    'How long a statement of a request may take, in milliseconds.',
  ),
  DATABASE_LOCK_TIMEOUT_MS: timeout(3_500).describe(
    'How long a statement of a request may wait for a lock, in milliseconds.',
  ),
  DATABASE_IDLE_TRANSACTION_TIMEOUT_MS: timeout(10_000).describe(
    'How long a transaction may be idle, in milliseconds.',
  ),
  DATABASE_LONG_STATEMENT_TIMEOUT_MS: timeout(600_000).describe(
    'How long a statement of a migration, rebuild, report or check of the whole log may take, in milliseconds. When the server vanishes, such a statement still ends within five seconds.',
  ),
  DATABASE_KEEP_ALIVE_MS: timeout(10_000).describe(
    'After how many idle milliseconds both sides probe a connection.',
  ),
};

export function databaseConfig(value: Values<typeof DATABASE>, production: boolean) {
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
    /** Undefined: the embedded PostgreSQL. */
    databaseUrl: value.DATABASE_URL,
    /** Undefined: no pooler is in front of the database. */
    databaseDirectUrl: value.DATABASE_DIRECT_URL,
    databaseReplicaUrl: value.DATABASE_REPLICA_URL,
    databaseAppRole: value.DATABASE_APP_ROLE,
    migrate: value.MIGRATE ?? (production ? ('never' as const) : ('start' as const)),
    databaseOptions: {
      maxConnections: value.DATABASE_POOL_SIZE,
      limits,
      longLimits: { ...limits, statementMs: minutes, lockMs: minutes, idleTransactionMs: minutes },
    },
  };
}
