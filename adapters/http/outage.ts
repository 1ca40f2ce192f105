import { PaymentGatewayUnavailable } from '../../application/ports/payment-gateway.js';
import { StorageUnavailable } from '../../application/ports/object-storage.js';
import { StreamVersionConflict } from '../../application/ports/event-store.js';
import { ProblemException } from './problems.js';

const NETWORK_CODES = new Set([
  'ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH',
]); // prettier-ignore

/** SQLSTATE classes 08 (connection), 53 (out of resources), 57P (shutting down), 25006 (read-only standby). */
const DATABASE_DOWN = /^(08...|53...|57P0[1-5]|25006)$/;
const CONNECTION_LOST =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after calling end)/;

/** The 503 that an error stands for, when it says that a part of the service does not answer. */
export function outageOf(error: unknown): ProblemException | undefined {
  const retry = { 'Retry-After': '5' };
  if (error instanceof PaymentGatewayUnavailable)
    return new ProblemException('PaymentsUnavailable', {}, retry);
  if (error instanceof StorageUnavailable || error instanceof StreamVersionConflict || lostConnection(error))
    return new ProblemException('ServiceUnavailable', {}, retry);
  return undefined;
}

function lostConnection(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && (NETWORK_CODES.has(code) || DATABASE_DOWN.test(code))) return true;
  return typeof message === 'string' && CONNECTION_LOST.test(message);
}
