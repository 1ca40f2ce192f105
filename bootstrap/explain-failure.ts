import { DatabaseFolderError } from '../adapters/platform/database/embedded/data-folder.js';
import { isLostConnection } from '../adapters/platform/database/lost-connection.js';
import { SchemaMismatch } from '../adapters/platform/database/migrate.js';
import { BackupRefused } from '../application/operations/backup-manifest.js';
import { PaymentGatewayUnavailable } from '../application/payments/payment-gateway.js';
import { StorageUnavailable } from '../application/storage/object-storage.js';
import { DemoIncomplete } from '../demo/seed/domain.js';
import { ConfigError } from './config.js';

type SystemError = NodeJS.ErrnoException & { port?: number; dest?: string };

const SENTENCES: Record<string, (error: SystemError) => string> = {
  EADDRINUSE: ({ port }) =>
    `Port ${port ?? ''} is used by another program: stop that, or choose another one with PORT=${port ? port + 1 : 3001}.`,
  EACCES: (error) => (error.syscall === 'listen' ? portForbidden(error) : pathForbidden(error)),
  EPERM: (error) => pathForbidden(error),
  EROFS: ({ path }) =>
    `${path ?? 'The data folder'} is on a read-only disk: choose another folder with DATA_DIR.`,
  ENOSPC: ({ path }) =>
    `The disk${path ? ` that holds ${path}` : ''} is full: free some space and start again.`,
  EDQUOT: ({ path }) =>
    `The disk quota${path ? ` for ${path}` : ''} is used up: free some space and start again.`,
  EMFILE: () => 'Too many files are open: raise the limit (ulimit -n 4096) and start again.',
  ENOENT: ({ path, message }) => (path ? `${path} does not exist.` : message),
  EISDIR: () => 'The path is a folder, not a file.',
  ENOTDIR: ({ path }) => `${path ?? 'The data folder'} is not a folder: choose one with DATA_DIR.`,
  ECONNREFUSED: () =>
    'The database or the object storage refuses connections: is it running where DATABASE_URL and S3_ENDPOINT point?',
  ENOTFOUND: (error) =>
    `The name ${(error as { hostname?: string }).hostname ?? 'of a server'} is unknown: check DATABASE_URL, S3_ENDPOINT and SMTP_URL.`,
  '28P01': () => 'The database refuses this user and password: check DATABASE_URL.',
  '3D000': () => 'The database named in DATABASE_URL does not exist: create it first.',
  '42501': ({ message }) =>
    `The database user may not do this (${message}): grant it, or name another user in DATABASE_URL.`,
  '53100': () => 'The disk of the database is full: free some space there and start again.',
};

const PROVIDER_AWAY =
  'Stripe does not answer. Beside `npm start`, set STRIPE_SECRET_KEY=sk_test_simulator, STRIPE_WEBHOOK_SECRET=unused and STRIPE_API_BASE to the address of the simulator that it printed.';

function portForbidden({ port }: SystemError): string {
  return `Port ${port ?? ''} needs special rights: choose one above 1023, for example PORT=3000.`;
}

function pathForbidden({ path }: SystemError): string {
  const what = path ?? 'the data folder';
  return `No permission for ${what}: start as the user it belongs to, hand it over with chown -R, or choose another folder with DATA_DIR.`;
}

/** Returns a message for an expected error; undefined for an unexpected error, which the caller reports as a bug. */
export function explainFailure(error: unknown): string | undefined {
  for (const cause of causes(error)) {
    if (
      [DatabaseFolderError, ConfigError, SchemaMismatch, BackupRefused, DemoIncomplete].some(
        (kind) => cause instanceof kind,
      )
    )
      return (cause as Error).message;
    if (cause instanceof PaymentGatewayUnavailable) return PROVIDER_AWAY;
    if (cause instanceof StorageUnavailable) return `The object storage is unavailable: ${cause.message}.`;
    const sentence = SENTENCES[(cause as SystemError).code ?? ''];
    if (sentence) return sentence(cause as SystemError).replaceAll(/\s+/g, ' ');
    if (isLostConnection(cause))
      return `The database did not answer: ${(cause as Error).message}. Try again; on a slow machine, raise DATABASE_CONNECT_TIMEOUT_MS.`;
  }
  return undefined;
}

/** Returns an error and the errors in it. A connection that tries several addresses fails with an AggregateError. */
function causes(error: unknown): unknown[] {
  if (typeof error !== 'object' || error === null) return [];
  const gathered = error instanceof AggregateError ? error.errors : [];
  return [error, ...gathered.flatMap(causes), ...causes((error as Error).cause)];
}
