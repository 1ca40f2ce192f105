import { Controller, Logger } from '@nestjs/common';
import { reportCrash } from '../../../application/operations/endpoints.js';
import { Route, type Call } from '../http/route.js';

/** Accepts error reports of pages. Anyone can send them, so they are only logged, with a limit per address. */
@Controller()
export class CrashesController {
  private readonly logger = new Logger('Client');

  @Route(reportCrash)
  report({ body: crash }: Call<typeof reportCrash>): void {
    this.logger.warn(crash);
  }
}
