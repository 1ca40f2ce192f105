import { paths } from '../../pages/paths.js';
import { Injectable } from '@nestjs/common';
import { CREATOR_EVENT_TYPES, type CreatorEvent } from '../../../domain/publishing/creator-access.js';
import { FactMails, type FactLetter } from '../../mail/fact-mails.js';
import { AccountSettings } from '../../accounts/account-settings.js';
import type { Recorded, Reactor } from '../../shared/event-store.js';
import { Remarks, textOf } from '../../shared/remarks.js';
import { PublishingSettings } from '../publishing-settings.js';
import { SUSPENSION_NOTICE } from '../values.js';

@Injectable()
export class CreatorMails implements Reactor<CreatorEvent> {
  readonly name = 'creator-mails';
  readonly streamsAtOnce = 4;
  readonly types = CREATOR_EVENT_TYPES;

  constructor(
    private readonly mails: FactMails,
    private readonly accounts: AccountSettings,
    private readonly settings: PublishingSettings,
    private readonly remarks: Remarks,
  ) {}

  async handle(event: Recorded<CreatorEvent>): Promise<void> {
    const { data } = event;
    await this.mails.send(
      `creator ${data.userId} ${event.version}`,
      { userId: data.userId, about: event },
      async () => this.letter(event),
    );
  }

  private async letter({ type, data }: CreatorEvent): Promise<FactLetter | undefined> {
    const page = (path: string) => `${this.accounts.publicUrl}${path}`;
    switch (type) {
      case 'CreatorApplied':
        // With automatic approval, the mail about the approval follows at once and is enough.
        if (this.settings.autoApproveCreators) return undefined;
        return {
          kind: 'applications',
          subject: 'We have your application',
          lines: [
            'You applied to sell sounds on Offcut. We will mail you our answer.',
            'Until then you can make packs; files are uploaded and published once you are approved:',
            page(paths.dashboard),
          ],
        };
      case 'ApplicationWithdrawn':
        return undefined;
      case 'CreatorApproved':
        return {
          kind: 'applications',
          subject: 'You can publish on Offcut',
          lines: ['Your application is approved. Make a pack and publish it:', page(paths.dashboard)],
        };
      case 'ApplicantAsked':
        return {
          kind: 'applications',
          subject: 'A question about your application',
          lines: [await textOf(this.remarks, data), 'You can answer here:', page(paths.dashboard)],
        };
      case 'CreatorDeclined':
        return {
          kind: 'applications',
          subject: 'Your application was declined',
          lines: [
            'The reason given:',
            await textOf(this.remarks, data),
            'You can apply again here:',
            page(paths.dashboard),
          ],
        };
      case 'CreatorSuspended':
        return {
          subject: 'Your creator access is suspended',
          lines: [
            SUSPENSION_NOTICE,
            'The reason given:',
            await textOf(this.remarks, data),
            'Your sales and earnings are listed here:',
            page(paths.earnings),
          ],
        };
      case 'CreatorReinstated':
        return {
          subject: 'Your creator access is back',
          lines: ['You can upload, publish and withdraw again:', page(paths.dashboard)],
        };
    }
  }
}
