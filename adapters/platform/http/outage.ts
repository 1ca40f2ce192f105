import { PaymentGatewayUnavailable } from '../../../application/payments/payment-gateway.js';
import { isOutage } from '../database/lost-connection.js';
import { DeadlinePassed } from '../../../application/shared/deadline.js';
import { TooBusy } from '../../../application/shared/lanes/turns.js';
import { ProblemException } from './problem-exception.js';

/** Returns the 503 for a temporary error; undefined for any other error. */
export function outageOf(error: unknown): ProblemException | undefined {
  const retry = { 'Retry-After': '5' };
  if (error instanceof PaymentGatewayUnavailable)
    return new ProblemException('PaymentsUnavailable', {}, retry);
  if (error instanceof TooBusy) return new ProblemException('TooBusy', {}, { 'Retry-After': '2' });
  if (error instanceof DeadlinePassed || isOutage(error))
    return new ProblemException('ServiceUnavailable', {}, retry);
  return undefined;
}
