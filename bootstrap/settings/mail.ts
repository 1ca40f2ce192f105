import * as z from 'zod';
import type { MailLimits } from '../../adapters/vendors/smtp/smtp-mailer.js';
import { timeout, type Values } from './fields.js';

/** Who sends mails. */
export const MAIL = {
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  SMTP_CONNECT_TIMEOUT_MS: timeout(5_000),
  SMTP_GREETING_TIMEOUT_MS: timeout(5_000),
  SMTP_SILENCE_TIMEOUT_MS: timeout(15_000),
  MAIL_FROM: z.string().min(3).default('Offcut <no-reply@offcut.example>'),
};

export interface MailConfig {
  /** Absent: the mailbox page. */
  smtpUrl?: string;
  smtpLimits: MailLimits;
  /** Sender of every mail. */
  mailFrom: string;
}

export const mailConfig = (value: Values<typeof MAIL>): MailConfig => ({
  smtpUrl: value.SMTP_URL,
  smtpLimits: {
    connectMs: value.SMTP_CONNECT_TIMEOUT_MS,
    greetingMs: value.SMTP_GREETING_TIMEOUT_MS,
    silenceMs: value.SMTP_SILENCE_TIMEOUT_MS,
  },
  mailFrom: value.MAIL_FROM,
});
