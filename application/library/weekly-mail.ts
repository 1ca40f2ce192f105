import { Injectable } from '@nestjs/common';
import { reject, type Outcome } from '../../domain/shared/decision.js';
import { AccountSettings } from '../accounts/account-settings.js';
import { AccountStore } from '../accounts/account-store.js';
import type { Sample } from '../catalogue/contract.js';
import { letter, mailName, type Mail } from '../mail/mailer.js';
import { orderIdOf, Outbox, type OrderedMail } from '../mail/outbox.js';
import { SentMails } from '../mail/sent-mails.js';
import { seal, stoppedAt, unseal } from '../mail/sealed-text.js';
import { paths, serverPaths } from '../pages/paths.js';
import { Clock } from '../shared/clock.js';
import { Secrets } from '../shared/keys/signing-keys.js';
import type { FeedPage, SavedProject } from './contract.js';

export interface News {
  /** New packs that match what the listener follows, newest first. */
  packs: FeedPage['items'];
  /** The listener's newest project. */
  project: SavedProject | undefined;
  /** New samples that fit the project without transposition and with little stretching. */
  samples: Sample[];
}

export abstract class WeeklyMailStore {
  abstract isWanted(userId: string): Promise<boolean>;
  /** The first mail covers sounds from `now` on, the first one after a pause at most those since `weekAgo`. */
  abstract choose(userId: string, isWanted: boolean, times: { now: Date; weekAgo: Date }): Promise<void>;
  /** Returns listeners with a confirmed address whose last mail covered sounds up to `before` or earlier. */
  abstract due(before: Date, limit: number): Promise<{ userId: string; email: string; since: Date }[]>;
  abstract cover(userId: string, until: Date): Promise<void>;
  abstract newsOf(userId: string, span: { since: Date; until: Date }): Promise<News>;
}

const SECRET = 'weekly-mail';
const WEEK_MS = 7 * 86_400_000;
const AT_ONCE = 500;
const weekBefore = (time: Date): Date => new Date(time.getTime() - WEEK_MS);

/** A mail about new sounds, for listeners who asked for it. Each gets at most one a week, and none without news. */
@Injectable()
export class WeeklyMails {
  constructor(
    private readonly store: WeeklyMailStore,
    private readonly accounts: AccountStore,
    private readonly outbox: Outbox,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
    private readonly settings: AccountSettings,
    sent: SentMails,
  ) {
    outbox.writtenBy(
      ['weekly'],
      (order) => this.write(order),
      (order) => sent.noteSummary(order),
    );
  }

  isWanted(userId: string): Promise<boolean> {
    return this.store.isWanted(userId);
  }

  choose(userId: string, isWanted: boolean): Promise<void> {
    const now = this.clock.now();
    return this.store.choose(userId, isWanted, { now, weekAgo: weekBefore(now) });
  }

  /** Turns the mail off with the token of any of its mails. Repeating it changes nothing. */
  async stop(token: string): Promise<Outcome<object, { code: 'TokenInvalid' }>> {
    const userId = await unseal(this.secrets, SECRET, token);
    if (userId === undefined) return reject({ code: 'TokenInvalid' });
    if (await this.store.isWanted(userId)) await this.choose(userId, false);
    return { accepted: true };
  }

  /** Adds all due mails to the outbox. */
  async run(): Promise<void> {
    const until = this.clock.now();
    const before = weekBefore(until);
    let due;
    do {
      due = await this.store.due(before, AT_ONCE);
      for (const { userId, email, since } of due) {
        const about = { since: since.toISOString(), until: until.toISOString() };
        await this.outbox.order({
          orderId: orderIdOf(`${userId} ${about.since}`),
          letter: 'weekly',
          email,
          userId,
          about,
        });
        await this.store.cover(userId, until);
      }
    } while (due.length === AT_ONCE);
  }

  private async write({ userId, about }: OrderedMail): Promise<Mail | undefined> {
    const account = await this.accounts.findById(userId ?? '');
    if (!account || !(await this.store.isWanted(account.userId))) return undefined;
    const { since = '', until = '' } = about;
    const news = await this.store.newsOf(account.userId, { since: new Date(since), until: new Date(until) });
    if (news.packs.length + news.samples.length === 0) return undefined;
    const token = await seal(this.secrets, SECRET, account.userId);
    const { publicUrl } = this.settings;
    const written = letter(account, {
      subject: subjectOf(news),
      lines: [
        ...linesOf(news, publicUrl),
        'You get this mail once a week at most, because you turned it on in your settings. To stop it:',
        publicUrl + serverPaths.mailingList({ weekly: token }),
      ],
    });
    const address = `${publicUrl}/api/notifications/unsubscribe?${new URLSearchParams({ token })}`;
    return { ...written, headers: stoppedAt(address) };
  }
}

const placeOf = ({ tempo, key }: SavedProject): string => `${tempo} BPM${key ? `, ${key}` : ''}`;

const subjectOf = ({ project, samples }: News): string =>
  project && samples.length > 0
    ? `New this week in ${placeOf(project)}`
    : 'New this week from those you follow';

function linesOf({ packs, project, samples }: News, publicUrl: string): string[] {
  const fits = project && samples.length > 0;
  return [
    ...(packs.length > 0 ? ['From the creators and tags you follow:'] : []),
    ...packs.flatMap(({ pack, reasons }) => [
      `${by(pack.title, pack)}, ${pack.sampleCount} ${pack.sampleCount === 1 ? 'sample' : 'samples'} (${mailName(reasons.join(', '))})`,
      publicUrl + paths.pack({ creator: pack.creator.handle, slug: pack.slug }),
    ]),
    ...(fits
      ? [`In the tempo and key of your project ${mailName(project.name)} (${placeOf(project)}):`]
      : []),
    ...samples.flatMap((sample) => [
      `${by(sample.title, sample)}, ${[`${sample.bpm} BPM`, ...(sample.key ? [sample.key] : [])].join(', ')}`,
      publicUrl + paths.sample(sample.id),
    ]),
  ];
}

const by = (title: string, { creator }: { creator: { displayName: string } }): string =>
  `${mailName(title)} by ${mailName(creator.displayName)}`;
