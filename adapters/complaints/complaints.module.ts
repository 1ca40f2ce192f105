import { Module } from '@nestjs/common';
import { CarryOutComplaints } from '../../application/complaints/carry-out-complaints.js';
import { ComplaintMails } from '../../application/complaints/complaint-mails.js';
import { ComplaintSweep } from '../../application/complaints/complaint-sweep.js';
import { ComplaintTokens } from '../../application/complaints/complaint-tokens.js';
import { ComplaintContacts } from '../../application/complaints/contacts.js';
import { FileComplaintHandler } from '../../application/complaints/file-complaint.js';
import {
  AnswerComplaintHandler,
  HoldComplainedAboutHandler,
} from '../../application/complaints/answer-complaint.js';
import {
  AnswerCounterNoticeHandler,
  FileCounterNoticeHandler,
} from '../../application/complaints/counter-notice.js';
import { BarComplainantHandler } from '../../application/complaints/bar-complainant.js';
import {
  ConfirmComplaintHandler,
  LapseComplaintHandler,
  WithdrawComplaintHandler,
} from '../../application/complaints/confirm-complaint.js';
import { DecidedComplaints } from '../../application/complaints/decided-complaints.js';
import { ComplaintQueries } from '../../application/complaints/queries.js';
import { MailModule } from '../mail/mail.module.js';
import { AdminComplaintsController } from './admin-complaints.controller.js';
import { PostgresComplaintContacts } from './postgres-complaint-contacts.js';
import { PostgresComplaintQueries } from './postgres-complaint-queries.js';
import { ComplaintsController } from './complaints.controller.js';

@Module({
  imports: [MailModule],
  controllers: [AdminComplaintsController, ComplaintsController],
  providers: [
    AnswerComplaintHandler,
    AnswerCounterNoticeHandler,
    BarComplainantHandler,
    CarryOutComplaints,
    ComplaintMails,
    ComplaintSweep,
    ComplaintTokens,
    ConfirmComplaintHandler,
    DecidedComplaints,
    FileComplaintHandler,
    FileCounterNoticeHandler,
    HoldComplainedAboutHandler,
    LapseComplaintHandler,
    WithdrawComplaintHandler,
    { provide: ComplaintContacts, useClass: PostgresComplaintContacts },
    { provide: ComplaintQueries, useClass: PostgresComplaintQueries },
  ],
  exports: [CarryOutComplaints, ComplaintMails, ComplaintSweep],
})
export class ComplaintsModule {}
