import { StreamVersionConflict } from '../../../application/shared/event-store.js';
import { DatabaseUnavailable, Unavailable } from '../../../application/shared/unavailable.js';

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  // Codes of nodemailer.
  'ECONNECTION',
  'ESOCKET',
  'EDNS',
]);

/**
 * SQLSTATE classes 08 (connection), 53 (out of resources), 57P (shutting down), 57014 and 55P03 (a time limit), 25P03
 * and 25P04 (the server ended an idle or long transaction), 25006 (read-only standby).
 */
const DATABASE_DOWN = /^(08...|53...|57P0[1-5]|57014|55P03|25P0[3-4]|25006)$/;
const CONNECTION_LOST =
  /^(Connection terminated|timeout expired|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/;

/** Returns whether a service is unreachable or cannot work now. Errors about a single request do not count. */
export function isLostConnection(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  if (typeof error !== 'object' || error === null) return false;
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && (NETWORK_CODES.has(code) || DATABASE_DOWN.test(code))) return true;
  return typeof message === 'string' && CONNECTION_LOST.test(message);
}

export const isOutage = (error: unknown): boolean =>
  error instanceof Unavailable || error instanceof StreamVersionConflict || isLostConnection(error);

const OUTAGE_MS = 1_000;

/** Remembers for a second that the database did not answer, so that callers with a fallback do not wait again. */
export class DatabaseOutage {
  private until = 0;

  get lasts(): boolean {
    return Date.now() < this.until;
  }

  begin(): void {
    this.until = Date.now() + OUTAGE_MS;
  }
}
