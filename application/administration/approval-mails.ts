import { Injectable } from '@nestjs/common';
import type { StaffEvent, StaffRole } from '../../domain/accounts/staff.js';
import {
  APPROVAL_DAYS,
  decidedBy,
  type ApprovalEvent,
  type ApprovalWork,
} from '../../domain/approvals/approval.js';
import type {
  AcceptedCertificate,
  CertificateAccepted,
} from '../../domain/purchases/accepted-certificate.js';
import { purchaseDecider } from '../../domain/purchases/purchase.js';
import { inCurrency, inUsd } from '../../domain/shared/micro-usd.js';
import { AccountSettings } from '../accounts/account-settings.js';
import { StaffQueries } from '../accounts/staff/staff-queries.js';
import { FactMails } from '../mail/fact-mails.js';
import type { Letter } from '../mail/mailer.js';
import type { Recorded, Reactor } from '../shared/event-store.js';
import { Streams } from '../shared/streams.js';
import { paths } from '../pages/paths.js';
import { Certificates } from '../purchases/certificates.js';
import { dayOf } from '../subscriptions/payment-mails.js';
import { Remarks, textOf } from '../shared/remarks.js';
import { Approvals } from '../approvals/approvals.js';

type MailedEvent =
  | Exclude<ApprovalEvent, { type: 'ApprovalWithdrawn' | 'ApprovalCarriedOut' | 'ApprovalNotCarriedOut' }>
  | Extract<StaffEvent, { type: 'StaffRoleRevoked' }>
  | CertificateAccepted;

/**
 * Mails approvers about requests, requesters about declined or lapsed
 * ones, finance about adjustments, users about lost roles, and buyers
 * about purchases that were recorded again.
 */
@Injectable()
export class ApprovalMails implements Reactor<MailedEvent> {
  readonly name = 'approval-mails';
  readonly streamsAtOnce = 4;
  readonly types = [
    'ApprovalRequested',
    'ApprovalNotNeeded',
    'ApprovalGiven',
    'ApprovalDeclined',
    'ApprovalLapsed',
    'StaffRoleRevoked',
    'CertificateAccepted',
  ] as const;

  constructor(
    private readonly mails: FactMails,
    private readonly staff: StaffQueries,
    private readonly approvals: Approvals,
    private readonly accounts: AccountSettings,
    private readonly remarks: Remarks,
    private readonly certificates: Certificates,
    private readonly streams: Streams,
  ) {}

  async handle(event: Recorded<MailedEvent>): Promise<void> {
    switch (event.type) {
      case 'ApprovalRequested': {
        // Sends no mail about an adjustment that needed no approval, or that was decided in the meantime.
        if (event.data.work.kind === 'adjustment')
          if ((await this.approvals.load(event.data.approvalId)).status !== 'waiting') return;
        return this.notifyApprovers(event);
      }
      case 'ApprovalNotNeeded':
      case 'ApprovalGiven':
        return this.notifyFinance(event);
      case 'ApprovalDeclined':
        return this.notifyAsker(event, event.data.approvalId, [
          'It was declined. The reason given:',
          await textOf(this.remarks, event.data),
        ]);
      case 'ApprovalLapsed':
        return this.notifyAsker(event, event.data.approvalId, [
          `No one decided on it within ${APPROVAL_DAYS} days, so it lapsed.`,
        ]);
      case 'StaffRoleRevoked': {
        const { userId, role, reason, ...more } = event.data;
        const said =
          reason === undefined ? [] : ['The reason given:', await textOf(this.remarks, { reason, ...more })];
        const lines = [`You no longer hold the role ${role} on Offcut.`, ...said];
        return this.notify(event, userId, { subject: `The role ${role} was taken`, lines });
      }
      case 'CertificateAccepted': {
        const letter = await this.recordedAgain(event.data);
        return letter && this.notify(event, event.data.buyerId, letter);
      }
    }
  }

  private async notifyApprovers(event: Extract<Recorded<MailedEvent>, { type: 'ApprovalRequested' }>) {
    const { by, beneficiary, work } = event.data;
    const roles = decidedBy(work);
    const subject = `Waits for a second person: ${sentenceOf(work)}`;
    const said = ['The reason given:', await textOf(this.remarks, event.data)];
    for (const { role, userId } of await this.staff.members())
      if (roles.includes(role) && userId !== by && userId !== beneficiary)
        await this.notify(event, userId, this.letter(subject, said, role));
  }

  /** Mails everyone in finance about an adjustment with a value, because it costs money. */
  private async notifyFinance(
    event: Extract<Recorded<MailedEvent>, { type: 'ApprovalNotNeeded' | 'ApprovalGiven' }>,
  ): Promise<void> {
    const asked = await this.approvals.load(event.data.approvalId);
    if (asked.status === 'none' || asked.work.kind !== 'adjustment' || asked.work.valueMicroUsd === 0) return;
    const { credits, valueMicroUsd, makesGood = '' } = asked.work;
    const people = event.type === 'ApprovalGiven' ? 'two people' : 'one administrator';
    const subject = `Goodwill of ${inUsd(valueMicroUsd)}, given by ${people}`;
    const said = [
      `${credits} credits make good ${makesGood}. The reason given:`,
      await textOf(this.remarks, asked),
    ];
    for (const { role, userId } of await this.staff.members())
      if (role === 'finance') await this.notify(event, userId, this.letter(subject, said, role));
  }

  private async notifyAsker(event: Recorded<MailedEvent>, approvalId: string, lines: string[]) {
    const asked = await this.approvals.load(approvalId);
    if (asked.status === 'none' || asked.by.startsWith('system:')) return;
    await this.notify(event, asked.by, this.letter(`Your request: ${sentenceOf(asked.work)}`, lines));
  }

  private async recordedAgain(accepted: AcceptedCertificate): Promise<Letter | undefined> {
    const { approvalId, buyerId, certificateId, sampleId, issuedAt } = accepted;
    const certificate = await this.certificates.lookUp(certificateId);
    const history = await this.streams.history(purchaseDecider, { buyerId, sampleId });
    const bought = history.find(({ data }) => data.purchaseId === approvalId);
    if (!certificate || !bought) return undefined;
    const { title } = certificate.sample;
    const credits = bought.type === 'SamplePurchased' ? bought.data.priceCredits : 0;
    const paid =
      credits === 0
        ? 'It cost no credits.'
        : `It cost ${credits === 1 ? '1 credit' : `${credits} credits`}, its present price.`;
    return {
      subject: `Your purchase of “${title}” is recorded again`,
      lines: [
        `A failure of our shop lost your purchase of “${title}” of ${dayOf(new Date(issuedAt))}. We recorded it again, with the certificate that you sent us.`,
        `${paid} The sound is back in your library, with the same certificate, and you can download it again for free:`,
        `${this.accounts.publicUrl}${paths.libraryDownloads}`,
      ],
    };
  }

  private notify(event: Recorded<MailedEvent>, userId: string, letter: Letter): Promise<void> {
    const fact = `approval ${event.stream} ${event.version} ${userId}`;
    return this.mails.send(fact, { userId, about: event }, () => letter);
  }

  private letter(subject: string, said: string[], role: StaffRole = 'admin'): Letter {
    const page = `${this.accounts.publicUrl}/${role}/approvals`;
    return { subject, lines: [...said, page] };
  }
}

function sentenceOf(work: ApprovalWork): string {
  switch (work.kind) {
    case 'adjustment':
      return work.credits > 0 ? `Give ${work.credits} credits` : `Take ${-work.credits} credits`;
    case 'grant-role':
      return `Grant the role ${work.role}`;
    case 'revoke-role':
      return `Remove the role ${work.role} from a person`;
    case 'refund':
      return `Refund ${inUsd(work.amountMicroUsd)}`;
    case 'write-off':
      return `Write off ${inUsd(work.amountMicroUsd)}`;
    case 'adjusting-entry':
      return `Clear ${cleared(work)} from ${work.lines[0]?.account ?? 'suspense'}`;
    case 'limits':
      return 'Change what one person may do alone';
    case 'reopen-month':
      return `Reopen ${work.month}`;
    case 'begin-books':
      return `Begin the books with ${work.month}`;
    case 'record-restore':
      return `Record that the log was restored to event ${work.position}`;
    case 'record-purchase':
      return `Record a lost purchase again: certificate ${work.certificateId}`;
    case 'release-sale':
      return `Release ${inUsd(work.shareMicroUsd)} of a sale under review`;
  }
}

function cleared({ lines }: Extract<ApprovalWork, { kind: 'adjusting-entry' }>): string {
  const { delta = 0, commodity = 'usd' } = lines[0] ?? {};
  return inCurrency(Math.abs(delta), commodity);
}
