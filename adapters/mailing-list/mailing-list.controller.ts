import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type * as z from 'zod';
import {
  MailingListAnswer,
  MailingListToken,
  SubscribeBody,
} from '../../application/mailing-list/contract.js';
import { MailingList } from '../../application/mailing-list/mailing-list.js';
import { AccessFor } from '../platform/http/access.js';
import { ProblemException } from '../platform/http/problems.js';
import { RateLimited } from '../platform/http/rate-limits.js';

/** News by e-mail. Links in mails lead to the client, which calls these: a scanner that fetches them joins nobody. */
@ApiTags('Mailing list')
@Controller('api/mailing-list')
@AccessFor('public')
export class MailingListController {
  constructor(private readonly list: MailingList) {}

  @Post()
  @HttpCode(202)
  @RateLimited('mailing-list')
  async ask(@Body({ schema: SubscribeBody }) { email }: z.infer<typeof SubscribeBody>): Promise<void> {
    await this.list.ask(email);
  }

  @Post('join')
  @HttpCode(200)
  @ApiResponse({ status: 200, standardSchema: MailingListAnswer })
  async join(
    @Body({ schema: MailingListToken }) { token }: z.infer<typeof MailingListToken>,
  ): Promise<MailingListAnswer> {
    return answered(await this.list.join(token));
  }

  @Post('leave')
  @HttpCode(200)
  @ApiResponse({ status: 200, standardSchema: MailingListAnswer })
  async leave(
    @Body({ schema: MailingListToken }) { token }: z.infer<typeof MailingListToken>,
  ): Promise<MailingListAnswer> {
    return answered(await this.list.leave(token));
  }
}

function answered(email: string | undefined): MailingListAnswer {
  if (email === undefined) throw new ProblemException('TokenInvalid');
  return { email };
}
