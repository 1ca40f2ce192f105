import { randomUUID } from 'node:crypto';
import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { AccountErased } from '../../../application/accounts/account-store.js';
import { UnstorableText } from '../../../application/shared/event-store.js';
import { ObjectMissing } from '../../../application/storage/object-storage.js';
import { WebhookRefused, PaymentGatewayUnavailable } from '../../../application/payments/payment-gateway.js';
import type { ProblemCode } from '../../../application/shared/problems.js';
import { ProblemException, type HttpRequest, type HttpResponse } from './request.js';
import { InvalidCursor } from '../database/cursor.js';
import { isOutage } from '../database/lost-connection.js';
import { DeadlinePassed } from '../../../application/shared/unavailable.js';
import { EarningsNotCounted } from '../../../application/payouts/withdrawals.js';
import { TooBusy } from '../../../application/shared/lanes.js';

const BY_STATUS: Record<number, ProblemCode> = {
  400: 'InvalidRequest',
  401: 'NotSignedIn',
  403: 'NotAllowed',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'InvalidRequest',
  410: 'Gone',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  429: 'TooManyRequests',
  503: 'ServiceUnavailable',
};

@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<HttpRequest>();
    const response = http.getResponse<HttpResponse>();
    const problem = problemOf(error);
    // 501 is no failure: a client asked for something that this site does not offer.
    if (problem.status >= 500 && problem.status !== 501) this.log(error, problem, request);
    if (response.headersSent) {
      // Part of the answer has been sent, so only a broken connection shows the client that the answer is incomplete.
      response.destroy();
      return;
    }
    answerProblem(request, response, problem);
  }

  private log(error: unknown, problem: ProblemException, request: HttpRequest): void {
    const { errorId } = problem.details as { errorId?: string };
    this.logger.error({
      message: error instanceof Error ? error.message : String(error),
      method: request.method,
      path: request.originalUrl?.split('?')[0],
      requestId: request.id,
      status: problem.status,
      errorId,
      // Log the stack only for unknown errors. The stack of an outage explains nothing.
      stack: errorId && error instanceof Error ? error.stack : undefined,
    });
  }
}

export function answerProblem(request: HttpRequest, response: HttpResponse, problem: ProblemException): void {
  const { detail, ...members } = problem.details;
  const body = JSON.stringify({
    type: `${request.app?.locals.publicUrl ?? ''}/api/problems#${problem.code}`,
    title: problem.title,
    status: problem.status,
    code: problem.code,
    detail: detail ?? problem.title,
    ...members,
    requestId: request.id,
  });
  for (const [name, value] of Object.entries(problem.headers)) response.setHeader(name, value);
  response.statusCode = problem.status;
  response.removeHeader('ETag');
  response.removeHeader('Content-Disposition');
  response.setHeader('Content-Type', 'application/problem+json; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** Returns the problem for an error. An unknown error becomes InternalError with an id that is also in the log. */
export function problemOf(error: unknown): ProblemException {
  if (error instanceof ProblemException) return error;
  if (error instanceof WebhookRefused)
    return new ProblemException('WebhookRefused', { detail: error.reason });
  if (error instanceof AccountErased) return new ProblemException('NotSignedIn');
  if (error instanceof InvalidCursor) return new ProblemException('InvalidCursor');
  if (error instanceof ObjectMissing) return new ProblemException('NotFound');
  const known = outageOf(error) ?? requestFault(error);
  if (known) return known;
  return new ProblemException('InternalError', { errorId: randomUUID() });
}

function requestFault(error: unknown): ProblemException | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, status } = error as Record<string, unknown>;
  // Text with a NUL or a lone surrogate cannot be stored.
  if (error instanceof UnstorableText || code === '22021' || code === '22P05')
    return new ProblemException('InvalidRequest', {
      detail: 'A text contains characters that cannot be stored.',
    });
  const answer = error instanceof HttpException ? error.getStatus() : status;
  if (typeof answer !== 'number' || answer < 400) return undefined;
  const byStatus = BY_STATUS[answer];
  if (byStatus) return new ProblemException(byStatus);
  return answer < 500 ? new ProblemException('InvalidRequest') : undefined;
}

export function outageOf(error: unknown): ProblemException | undefined {
  const retry = { 'Retry-After': '5' };
  if (error instanceof PaymentGatewayUnavailable)
    return new ProblemException('PaymentsUnavailable', {}, retry);
  if (error instanceof TooBusy) return new ProblemException('TooBusy', {}, { 'Retry-After': '2' });
  if (error instanceof DeadlinePassed || error instanceof EarningsNotCounted || isOutage(error))
    return new ProblemException('ServiceUnavailable', {}, retry);
  return undefined;
}

/** Adds the member `error` with the text of `detail`, because the first clients of these routes read `error`. */
@Catch()
export class CheckoutProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('Checkout');

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const { code, status, title, details, headers } = problemOf(error);
    if (status >= 500) this.logger.error(error);
    const answer = new ProblemException(code, { ...details, error: details.detail ?? title }, headers);
    answerProblem(http.getRequest<HttpRequest>(), http.getResponse<HttpResponse>(), answer);
  }
}
