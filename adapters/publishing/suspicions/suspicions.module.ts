import { DecidedCopies } from '../../../application/publishing/suspicions/decided-copies.js';
import { Module } from '@nestjs/common';
import { CarryOutCopies } from '../../../application/publishing/suspicions/carry-out-copies.js';
import { CopyMails } from '../../../application/publishing/suspicions/copy-mails.js';
import { CommandedSuspicions, COPY_HANDLERS } from '../../../application/publishing/suspicions/handlers.js';
import {
  CountedStrikes,
  STRIKE_HANDLERS,
} from '../../../application/publishing/suspicions/strike-handlers.js';
import { CopyQueries, RecordingQueries } from '../../../application/publishing/suspicions/queries.js';
import { Suspicions } from '../../../application/publishing/suspicions/suspicions.js';
import { MailModule } from '../../mail/mail.module.js';
import { CopiesController } from './copies.controller.js';
import { PostgresCopyQueries } from './copy-queries.js';
import { PostgresRecordingQueries } from './recordings.js';

@Module({
  imports: [MailModule],
  controllers: [CopiesController],
  providers: [
    ...COPY_HANDLERS,
    ...STRIKE_HANDLERS,
    CarryOutCopies,
    CopyMails,
    CountedStrikes,
    DecidedCopies,
    { provide: CopyQueries, useClass: PostgresCopyQueries },
    { provide: RecordingQueries, useClass: PostgresRecordingQueries },
    { provide: Suspicions, useClass: CommandedSuspicions },
  ],
  exports: [CarryOutCopies, CopyMails, Suspicions],
})
export class SuspicionsModule {}
