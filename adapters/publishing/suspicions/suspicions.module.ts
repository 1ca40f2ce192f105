import { DecidedCopies } from '../../../application/publishing/suspicions/decided-copies.js';
import { Module } from '@nestjs/common';
import { CarryOutCopies } from '../../../application/publishing/suspicions/carry-out-copies.js';
import { CopyMails } from '../../../application/publishing/suspicions/copy-mails.js';
import {
  AnswerSuspicionHandler,
  ShowLicenceHandler,
  ClaimRecordingHandler,
  DecideOnCopyHandler,
} from '../../../application/publishing/suspicions/decide-on-copy.js';
import { DecideOnStrikeHandler } from '../../../application/publishing/suspicions/decide-on-strike.js';
import {
  SuspectCopyHandler,
  SwapSidesHandler,
} from '../../../application/publishing/suspicions/suspect-copy.js';
import { CopyQueries, RecordingQueries } from '../../../application/publishing/suspicions/queries.js';
import { MailModule } from '../../mail/mail.module.js';
import { CopiesController } from './copies.controller.js';
import { PostgresCopyQueries } from './postgres-copy-queries.js';
import { PostgresRecordingQueries } from './postgres-recordings.js';

@Module({
  imports: [MailModule],
  controllers: [CopiesController],
  providers: [
    AnswerSuspicionHandler,
    CarryOutCopies,
    ClaimRecordingHandler,
    CopyMails,
    DecidedCopies,
    DecideOnCopyHandler,
    DecideOnStrikeHandler,
    ShowLicenceHandler,
    SuspectCopyHandler,
    SwapSidesHandler,
    { provide: CopyQueries, useClass: PostgresCopyQueries },
    { provide: RecordingQueries, useClass: PostgresRecordingQueries },
  ],
})
export class SuspicionsModule {}
