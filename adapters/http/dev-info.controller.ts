import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { AccessFor } from './access.js';
import { ProblemException } from './problems.js';

/** What scripts need to know of the embedded profile; undefined in production. */
export class DevInfo {
  constructor(readonly answer: { stripeApiBase: string | null } | undefined) {}
}

@ApiExcludeController()
@Controller('dev')
@AccessFor('public')
export class DevInfoController {
  constructor(private readonly info: DevInfo) {}

  @Get('info')
  read(): { stripeApiBase: string | null } {
    if (!this.info.answer) throw new ProblemException('NotFound');
    return this.info.answer;
  }
}
