import { Module } from '@nestjs/common';
import { CarryOutComplaints } from '../../application/complaints/carry-out-complaints.js';
import { ComplaintMails } from '../../application/complaints/complaint-mails.js';
import { ComplaintSweep } from '../../application/complaints/complaint-sweep.js';
import { ComplaintTokens } from '../../application/complaints/complaint-tokens.js';
import { ComplaintContacts } from '../../application/complaints/contacts.js';
import { FileComplaintHandler } from '../../application/complaints/file-complaint.js';
import { COMPLAINT_HANDLERS, DecidedComplaints } from '../../application/complaints/handlers.js';
import { ComplaintQueries } from '../../application/complaints/queries.js';
import { MailModule } from '../mail/mail.module.js';
import { AdminComplaintsController } from './admin-complaints.controller.js';
import { PostgresComplaintContacts } from './complaint-contacts.js';
import { PostgresComplaintQueries } from './complaint-queries.js';
import { ComplaintsController } from './complaints.controller.js';

@Module({
  imports: [MailModule],
  controllers: [AdminComplaintsController, ComplaintsController],
  providers: [
    ...COMPLAINT_HANDLERS,
    CarryOutComplaints,
    ComplaintMails,
    ComplaintSweep,
    ComplaintTokens,
    DecidedComplaints,
    FileComplaintHandler,
    { provide: ComplaintContacts, useClass: PostgresComplaintContacts },
    { provide: ComplaintQueries, useClass: PostgresComplaintQueries },
  ],
  exports: [CarryOutComplaints, ComplaintMails, ComplaintSweep],
})
export class ComplaintsModule {}
