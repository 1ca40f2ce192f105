import { Module } from '@nestjs/common';
import {
  CarryOutComplaints,
  BarComplainantHandler,
  DecideOnComplaintHandler,
} from '../../application/complaints/decide-on-complaint.js';
import { ComplaintMails, ComplaintSweep } from '../../application/complaints/complaint-mails.js';
import { ComplaintTokens, ComplaintContacts } from '../../application/complaints/complainants.js';
import { FileComplaintHandler } from '../../application/complaints/file-complaint.js';
import { ComplaintQueries } from '../../application/complaints/queries.js';
import { MailModule } from '../mail/mail.module.js';
import { AdminComplaintsController, ComplaintsController } from './complaints.controller.js';
import { PostgresComplaintContacts } from './postgres-complaints.js';
import { PostgresComplaintQueries } from './postgres-complaint-queries.js';

@Module({
  imports: [MailModule],
  controllers: [AdminComplaintsController, ComplaintsController],
  providers: [
    BarComplainantHandler,
    CarryOutComplaints,
    ComplaintMails,
    ComplaintSweep,
    ComplaintTokens,
    DecideOnComplaintHandler,
    FileComplaintHandler,
    { provide: ComplaintContacts, useClass: PostgresComplaintContacts },
    { provide: ComplaintQueries, useClass: PostgresComplaintQueries },
  ],
})
export class ComplaintsModule {}
