import { randomUUID } from 'node:crypto';
import { Controller } from '@nestjs/common';
import type { WallClock } from '../../application/shared/clock.js';
import { Mailer, type Mail } from '../../application/mail/mailer.js';
import type { Database } from '../platform/database/database.js';
import { PostgresMailLog } from './postgres-mails.js';
import { readMailbox, readNode } from '../../application/mail/endpoints.js';
import { Route, type Call } from '../platform/http/route.js';
import { escaped } from '../../domain/shared/markup.js';

/** Keeps mails in a table instead of sending them, for the mailbox page. */
export class MailboxMailer implements Mailer {
  private readonly log: PostgresMailLog;

  constructor(
    private readonly database: Database,
    private readonly clock: WallClock,
  ) {
    this.log = new PostgresMailLog(database);
  }

  async deliver({ to, subject, text, links, headers }: Mail): Promise<void> {
    const now = this.clock.now();
    await this.database.db
      .insertInto('mailbox')
      .values({ recipient: to, subject, text, links, headers: headers ?? null, sent_at: now })
      .execute();
    await this.log.record({
      id: randomUUID(),
      to,
      subject,
      status: 'sent',
      attempts: 1,
      lastError: null,
      askedAt: now,
      settledAt: now,
    });
  }

  list(limit: number): Promise<Array<Mail & { sentAt: Date }>> {
    return this.database.db
      .selectFrom('mailbox')
      .select(['recipient as to', 'subject', 'text', 'links', 'headers', 'sent_at as sentAt'])
      .orderBy('mail_id', 'desc')
      .limit(limit)
      .execute();
  }
}

const SHOWN_MAILS = 200;

export class DevFacts {
  constructor(
    /** The address of the payment simulator. Null if this node uses the real provider. */
    readonly stripeApiBase: string | null,
  ) {}
}

/** Routes for development and trials; never mounted in production. */
@Controller()
export class DevController {
  constructor(
    private readonly mailbox: MailboxMailer,
    private readonly facts: DevFacts,
  ) {}

  @Route(readNode)
  info() {
    return { stripeApiBase: this.facts.stripeApiBase };
  }

  @Route(readMailbox)
  async mails({ query, response }: Call<typeof readMailbox>): Promise<void> {
    const mails = await this.mailbox.list(SHOWN_MAILS);
    const [type, shown] =
      query.format === 'html' ? ['text/html', page(mails)] : ['application/json', JSON.stringify(mails)];
    response.setHeader('Content-Type', `${type}; charset=utf-8`);
    response.setHeader('Cache-Control', 'no-store');
    response.end(shown);
  }
}

type SentMail = Awaited<ReturnType<MailboxMailer['list']>>[number];

function page(mails: SentMail[]): string {
  const shown = mails.map(article).join('\n') || '<p>No mail yet.</p>';
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Mailbox</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
  article { border: 1px solid #8884; border-radius: 8px; padding: 1rem; margin: 1rem 0; }
  h2 { font-size: 1.1rem; margin: 0; } pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }
  a { overflow-wrap: anywhere; } .meta { opacity: .7; font-size: .9rem; }
</style>
<h1>Mailbox</h1>
<p>No mail server is configured, so mails stay here.</p>
${shown}
</html>`;
}

function article(mail: SentMail): string {
  const links = mail.links.map((link) => `<p><a href="${escaped(link)}">${escaped(link)}</a></p>`).join('');
  return `<article><h2>${escaped(mail.subject)}</h2>
<p class="meta">to ${escaped(mail.to)}, <time>${mail.sentAt.toISOString()}</time></p>
<pre>${escaped(mail.text)}</pre>${links}</article>`;
}
