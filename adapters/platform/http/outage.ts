import { PaymentGatewayUnavailable } from '../../../application/payments/payment-gateway.js';
import { StorageUnavailable } from '../../../application/storage/object-storage.js';
import { StreamVersionConflict } from '../../../application/shared/event-store.js';
import { NewerVersionRuns } from '../../../application/shared/newer-version.js';
import { isLostConnection } from '../../../application/shared/lost-connection.js';
import { DeadlinePassed } from '../../../application/shared/deadline.js';
import { TooBusy } from '../../../application/shared/lanes/turns.js';
import { ProblemException } from './problem-exception.js';

/** The 503 that an error stands for, when it says that a part of the service does not answer. */
export function outageOf(error: unknown): ProblemException | undefined {
  const retry = { 'Retry-After': '5' };
  if (error instanceof PaymentGatewayUnavailable)
    return new ProblemException('PaymentsUnavailable', {}, retry);
  if (error instanceof TooBusy) return new ProblemException('TooBusy', {}, { 'Retry-After': '2' });
  if (
    error instanceof StorageUnavailable ||
    error instanceof DeadlinePassed ||
    error instanceof StreamVersionConflict ||
    error instanceof NewerVersionRuns ||
    isLostConnection(error)
  )
    return new ProblemException('ServiceUnavailable', {}, retry);
  return undefined;
}
