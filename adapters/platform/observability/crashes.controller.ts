import { Controller, Logger } from '@nestjs/common';
import { reportCrash } from '../../../application/operations/endpoints.js';
import { Route, type Call } from '../http/route.js';

/** Faults of pages. Everybody's word, so it is only written down, a little of it from each address. */
@Controller()
export class CrashesController {
  private readonly logger = new Logger('Client');

  @Route(reportCrash)
  report({ body: crash }: Call<typeof reportCrash>): void {
    this.logger.warn(crash);
  }
}
