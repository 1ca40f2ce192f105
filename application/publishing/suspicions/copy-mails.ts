import { paths } from '../../pages/paths.js';
import { staffPaths } from '../../pages/staff-paths.js';
import { Injectable } from '@nestjs/common';
import {
  openStrikes,
  strikeDecider,
  STRIKES_TO_SUSPENSION,
  type StrikeRecorded,
} from '../../../domain/publishing/strikes.js';
import type { CopyEvent } from '../../../domain/publishing/suspicion.js';
import { byType } from '../../../domain/shared/by-type.js';
import { AccountSettings } from '../../accounts/account-settings.js';
import { StaffQueries } from '../../accounts/staff/staff-queries.js';
import { FactMails, type FactLetter } from '../../mail/fact-mails.js';
import { Clock } from '../../shared/clock.js';
import type { Recorded, Reactor } from '../../shared/event-store.js';
import { Remarks, textOf } from '../../shared/remarks.js';
import { Streams } from '../../shared/streams.js';
import type { OwnCopy } from './contract.js';
import { CopyQueries } from './queries.js';

type MailedEvent =
  | Extract<CopyEvent, { type: 'CopySuspected' | 'LicenceShown' | 'CopyDecided' | 'SidesSwapped' }>
  | StrikeRecorded;

type Words = Omit<FactLetter, 'lines'> & { said: string[] };

const DAY_MS = 86_400_000;
const REMINDED_AFTER_MS = 14 * DAY_MS;

/** Mails both creators about suspicions and decisions, and administrators about statements, strikes and long waits. */
@Injectable()
export class CopyMails implements Reactor<MailedEvent> {
  readonly name = 'copy-mails';
  readonly streamsAtOnce = 4;
  private readonly on = byType<Recorded<MailedEvent>, [], Promise<void>>({
    CopySuspected: async (event) => {
      if (!event.data.isHeld) return;
      const { copyId, creatorId, like } = event.data;
      await this.tell(event, creatorId, copyId, ({ sample }) => ({
        subject: `“${sample.title}” waits for a decision`,
        said: [
          `“${sample.title}” sounds like a sound that another creator published earlier. It is off sale until we have listened to both.`,
          'If you made it, or have a licence that lets you sell it, say so in your pack:',
        ],
      }));
      return this.tell(event, like.creatorId, copyId, ({ sample }) => ({
        kind: 'cases',
        subject: `Something sounds like “${sample.title}”`,
        said: [
          `Another creator uploaded a sound that may be a copy of “${sample.title}”. Theirs is off sale until we have listened to both.`,
          'If you know more, say so here:',
        ],
      }));
    },
    LicenceShown: async (event) => {
      const waiting = await this.copies.find(event.data.copyId, this.clock.now());
      if (waiting?.status !== 'open') return;
      const { title } = waiting.newcomer;
      return this.tellAdministrators(event, [event.data.by], {
        subject: `A creator says that “${title}” is theirs to sell`,
        said: ['It is among the suspected copies:'],
      });
    },
    CopyDecided: (event) => this.decided(event),
    SidesSwapped: async (event) => {
      const swapped = await this.copies.find(event.data.copyId, this.clock.now());
      // A suspicion that was only listed was never mailed to the creator, so its end is not mailed either.
      if (swapped?.tier !== 'held') return;
      return this.tell(event, event.data.creatorId, event.data.copyId, ({ sample: { title } }) => ({
        kind: 'cases',
        subject: `“${title}” may be sold`,
        said: ['We listened to both sounds and found that yours is the earlier one.'],
      }));
    },
    StrikeRecorded: async (event) => {
      const { userId, because } = event.data;
      const strikes = await this.streams.load(strikeDecider, userId);
      const count = openStrikes(strikes, this.clock.now());
      if (count < STRIKES_TO_SUSPENSION) return;
      return this.tellAdministrators(event, [userId], {
        subject: `A creator has ${count} strikes`,
        said: [
          `${count} sounds of one creator were taken down within a year because they belonged to another creator. Decide whether to suspend them. This was the last:`,
        ],
        path:
          because.kind === 'complaint'
            ? staffPaths.adminComplaints(because.id)
            : staffPaths.adminCopies(because.id),
      });
    },
  });
  readonly types = this.on.types;

  constructor(
    private readonly mails: FactMails,
    private readonly staff: StaffQueries,
    private readonly copies: CopyQueries,
    private readonly streams: Streams,
    private readonly remarks: Remarks,
    private readonly accounts: AccountSettings,
    private readonly clock: Clock,
  ) {}

  handle(event: Recorded<MailedEvent>): Promise<void> {
    return this.on.of(event);
  }

  async remind(): Promise<void> {
    const now = this.clock.now();
    const count = await this.copies.waitingSince(new Date(now.getTime() - REMINDED_AFTER_MS));
    if (count === 0) return;
    const letter = {
      subject: count === 1 ? 'A suspected copy waits' : `${count} suspected copies wait`,
      lines: [
        'They have waited for two weeks or longer. Their creators cannot sell them meanwhile:',
        this.page(staffPaths.adminCopies()),
      ],
    };
    const day = now.toISOString().slice(0, 10);
    for (const userId of await this.administrators([]))
      await this.mails.send(
        `copies waiting ${day} ${userId}`,
        { userId, about: { recordedAt: new Date() } },
        () => letter,
      );
  }

  private async decided(event: Recorded<Extract<MailedEvent, { type: 'CopyDecided' }>>): Promise<void> {
    const { copyId, creatorId, decision } = event.data;
    const copy = await this.copies.find(copyId, this.clock.now());
    if (!copy) return;
    const reason = await textOf(this.remarks, { reason: '', ...event.data });
    const given = reason === '' ? [] : ['The reason given:', reason];
    await this.tell(event, creatorId, copyId, ({ sample: { title } }) => {
      if (decision === 'allowed')
        return {
          kind: 'cases',
          subject: `“${title}” may be sold`,
          said: ['We listened to it. It is not a copy.', ...given],
        };
      const done =
        decision === 'refused'
          ? `“${title}” is not sold on Offcut. Licences that were bought remain valid.`
          : `“${title}” was taken down for good. Its buyers get their credits back.`;
      return { subject: `“${title}” was ${decision}`, said: [done, ...given] };
    });
    // A suspicion that was only listed was never mailed to the original's creator, so its end is not mailed either.
    if (decision === 'allowed' && copy.tier === 'listed') return;
    await this.tell(event, copy.original.creatorId, copyId, ({ sample: { title } }) => ({
      kind: 'cases',
      subject: `We decided about a sound that resembles “${title}”`,
      said: [
        decision === 'allowed'
          ? `The sound that is like “${title}” may be sold: it is not a copy, or its creator has a licence.`
          : `The sound that is like “${title}” is no longer sold.`,
      ],
    }));
  }

  /** Sends a mail to a creator, unless the suspicion is missing from their own list. */
  private async tell(
    event: Recorded<MailedEvent>,
    userId: string,
    copyId: string,
    say: (copy: OwnCopy) => Words,
  ): Promise<void> {
    await this.mails.send(factOf(event, userId), { userId, about: event }, async () => {
      const copy = (await this.copies.own(userId)).items.find(({ id }) => id === copyId);
      if (!copy) return undefined;
      const { said, ...words } = say(copy);
      return { ...words, lines: [...said, this.page(paths.dashboard)] };
    });
  }

  private async tellAdministrators(
    event: Recorded<MailedEvent>,
    without: readonly string[],
    { subject, said, path = staffPaths.adminCopies() }: Words & { path?: string },
  ): Promise<void> {
    for (const userId of await this.administrators(without))
      await this.mails.send(factOf(event, userId), { userId, about: event }, () => ({
        subject,
        lines: [...said, this.page(path)],
      }));
  }

  private async administrators(without: readonly string[]): Promise<string[]> {
    const members = await this.staff.members();
    return members.flatMap(({ role, userId }) =>
      role === 'admin' && !without.includes(userId) ? userId : [],
    );
  }

  private page(path: string): string {
    return `${this.accounts.publicUrl}${path}`;
  }
}

/** Identifies a mail. Repeated statements of a creator share one id, so that administrators get one mail. */
const factOf = ({ type, stream, version }: Recorded<MailedEvent>, userId: string): string =>
  `copy ${stream} ${type === 'LicenceShown' ? 'statement' : version} ${userId}`;
