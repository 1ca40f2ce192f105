import { Body, Controller, HttpCode, Logger, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CrashReport } from '../../../application/operations/contract.js';
import { AccessFor } from '../http/access.js';
import { RateLimited } from '../http/rate-limits.js';

/** Faults of pages. Everybody's word, so it is only written down, a little of it from each address. */
@ApiTags('Operations')
@Controller('api/crashes')
export class CrashesController {
  private readonly logger = new Logger('Client');

  @Post()
  @HttpCode(204)
  @AccessFor('public')
  @RateLimited('crash')
  report(@Body({ schema: CrashReport }) crash: CrashReport): void {
    this.logger.warn(crash);
  }
}
