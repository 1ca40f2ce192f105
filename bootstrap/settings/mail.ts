import * as z from 'zod';
import { int, timeout, type Values } from './fields.js';

export const MAIL = {
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .meta({
      description: 'The mail server. With one, e-mail addresses must be confirmed.',
      computedDefault: 'mails are shown at `/dev/mailbox`',
    }),
  SMTP_CONNECT_TIMEOUT_MS: timeout(5_000).describe(
    'How long opening a connection may take, in milliseconds.',
  ),
  SMTP_GREETING_TIMEOUT_MS: timeout(5_000).describe(
    'How long the server may take to greet, in milliseconds.',
  ),
  SMTP_SILENCE_TIMEOUT_MS: timeout(15_000).describe('How long the server may be silent, in milliseconds.'),
  MAIL_FROM: z
    .string()
    .min(3)
    .default('Offcut <no-reply@offcut.example>')
    .describe('The sender of all mails.'),
  SENT_MAILS_DAYS: int(1, 3_650)
    .default(35)
    .describe(
      'How many days the storage keeps notes of sent mails, without addresses and texts. Keep them as long as backups.',
    ),
};

export const mailConfig = (value: Values<typeof MAIL>) => ({
  /** Undefined: mails are shown on the mailbox page. */
  smtpUrl: value.SMTP_URL,
  smtpLimits: {
    connectMs: value.SMTP_CONNECT_TIMEOUT_MS,
    greetingMs: value.SMTP_GREETING_TIMEOUT_MS,
    silenceMs: value.SMTP_SILENCE_TIMEOUT_MS,
  },
  mailFrom: value.MAIL_FROM,
  sentMailsDays: value.SENT_MAILS_DAYS,
});
