import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { answerProblem, problemOf } from './problem.filter.js';
import { ProblemException } from './problem-exception.js';
import type { HttpRequest, HttpResponse } from './request.js';

/**
 * Adds a field `error` with the text of `detail`. The original clients of routes that lead to payment pages read it.
 */
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
