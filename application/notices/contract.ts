import * as z from 'zod';
import { CHOSEN_KINDS, MAIL_CHOICES, NOTICE_KINDS } from '../mail/notices.js';
import { IsoTime, namedObject, pageQuery } from '../shared/contract.js';

export type { ChosenKind, MailChoice } from '../mail/notices.js';

export const InboxQuery = z.object(pageQuery);

export const Notice = namedObject('Notice', {
  position: z.int().describe('Grows with every change of a notice'),
  kind: z.enum(NOTICE_KINDS),
  text: z.string(),
  href: z.string().nullable().describe('The address of the page about it, on this site'),
  at: IsoTime,
  isRead: z.boolean(),
});
export type Notice = z.infer<typeof Notice>;

export const Inbox = namedObject('Inbox', {
  items: z.array(Notice),
  nextCursor: z.string().nullable(),
});
export type Inbox = z.infer<typeof Inbox>;

export const InboxState = z.object({ newest: z.int().describe('0 if there is none'), unread: z.int() });

export const NoticeChoices = z.strictObject(
  Object.fromEntries(CHOSEN_KINDS.map((kind) => [kind, z.enum(MAIL_CHOICES)])) as Record<
    (typeof CHOSEN_KINDS)[number],
    z.ZodEnum<{ mail: 'mail'; digest: 'digest'; off: 'off' }>
  >,
);
/** A request may omit kinds, because a page loaded from an earlier version does not know the newer kinds. */
export const NewNoticeChoices = NoticeChoices.partial();
