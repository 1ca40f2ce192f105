import { Catch, Logger, type ArgumentsHost } from '@nestjs/common';
import { ProblemFilter, problemOf } from './problem.filter.js';
import { ProblemException } from './problems.js';

/** The original clients of the checkout call read a field `error`; it says what `detail` says. */
@Catch()
export class CheckoutProblemFilter extends ProblemFilter {
  readonly #log = new Logger('Checkout');

  override catch(error: unknown, host: ArgumentsHost): void {
    const problem = problemOf(error);
    if (problem.status >= 500) this.#log.error(error);
    const sentence = problem.details.detail ?? problem.title;
    super.catch(
      new ProblemException(problem.code, { ...problem.details, error: sentence }, problem.headers),
      host,
    );
  }
}
