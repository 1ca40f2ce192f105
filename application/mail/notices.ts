/** How a user receives notices of a kind: mailed at once, in a daily digest, or in the inbox only. */
export const MAIL_CHOICES = ['mail', 'digest', 'off'] as const;
export type MailChoice = (typeof MAIL_CHOICES)[number];

/**
 * The kinds of notices for which users choose a mail at once, a digest or no mail. Other mails are always sent: mails
 * about the account, and mails that a contract or the Digital Services Act (Articles 16, 17 and 20) requires
 * (receipts, holds, takedowns, suspensions and answers to complaints).
 */
export const CHOSEN_KINDS = [
  'sales',
  'payouts',
  'followers',
  'releases',
  'files',
  'applications',
  'cases',
] as const;
export type ChosenKind = (typeof CHOSEN_KINDS)[number];
export const NOTICE_KINDS = ['account', ...CHOSEN_KINDS] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

export const DEFAULT_CHOICES: Record<ChosenKind, MailChoice> = {
  sales: 'digest',
  payouts: 'mail',
  followers: 'digest',
  releases: 'digest',
  files: 'mail',
  applications: 'mail',
  cases: 'mail',
};

/** Something that a user should know. */
export interface NewNotice {
  userId: string;
  /** The key of the notice. A later notice with the same key replaces it, and counts as unread. */
  fact: string;
  kind: NoticeKind;
  subject: string;
  /** The linked page of the web client, as a path or URL. A URL of another site is stored as null. */
  path: string | null;
  at: Date;
  /** Mailed at once, also to users who chose a digest. */
  isUrgent?: boolean;
}

/** A sale to add to the notice of its day. */
export interface NoticedSale {
  creatorId: string;
  position: number;
  shareMicroUsd: number;
  at: Date;
}

/** A stored notice. The `subject` of a notice about sales states their number and amount. */
export interface Notice {
  position: number;
  kind: NoticeKind;
  subject: string;
  path: string | null;
  at: Date;
  isRead: boolean;
}

export interface DueMail {
  userId: string;
  email: string;
  facts: string[];
  /** Position of the newest due notice. */
  newest: number;
}

export abstract class Notices {
  /**
   * Skips a notice if the user already has one with the same `fact`, subject and
   * path. @param isMailed true if another mail has the same content
   */
  abstract add(notices: readonly NewNotice[], isMailed?: boolean): Promise<void>;
  /** Adds a notice for each follower of a creator, except the creator. */
  abstract addToFollowers(creatorId: string, notice: Omit<NewNotice, 'userId'>): Promise<void>;
  /** Counts each sale once. @param path the page of the sales */
  abstract addSales(sales: readonly NoticedSale[], path: string): Promise<void>;
  /** Adds a notice that the hold of a day's sales has ended, for each creator with a notice about these sales. */
  abstract addReleased(day: Date, now: Date, path: string): Promise<void>;
  /** Lists a user's notices, newest first. */
  abstract list(
    userId: string,
    page: { limit: number; cursor?: string },
  ): Promise<{ items: Notice[]; nextCursor: string | null }>;
  /** Returns the position of the user's newest notice, 0 if there is none, and how many are unread. */
  abstract state(userId: string): Promise<{ newest: number; unread: number }>;
  /** Marks notices up to a position as read. */
  abstract markRead(userId: string, position: number): Promise<void>;
  abstract choices(userId: string): Promise<Record<ChosenKind, MailChoice>>;
  abstract choose(userId: string, choices: Partial<Record<ChosenKind, MailChoice>>): Promise<void>;
  /**
   * Lists the users with a confirmed address who have notices whose mail is due. Each entry has the `fact`s of at
   * most 100 of these notices.
   */
  abstract due(now: Date, limit: number): Promise<DueMail[]>;
  /** Skips notices that changed since they were listed as due. */
  abstract markMailed(due: DueMail): Promise<void>;
  /** Lists the user's notices that have one of these `facts`, oldest first. */
  abstract named(userId: string, facts: readonly string[]): Promise<Notice[]>;
}
