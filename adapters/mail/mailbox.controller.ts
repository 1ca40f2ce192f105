import { Controller, Get, Header, Query, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import * as z from 'zod';
import { Mailbox } from '../../application/mail/mailbox.js';
import { AccessFor } from '../platform/http/access.js';
import { escaped } from '../platform/pages/page-html.js';
import type { HttpResponse } from '../platform/http/request.js';

const MailboxQuery = z.object({ format: z.enum(['html', 'json']).default('html') });
const SHOWN_MAILS = 200;

/** What scripts may ask about this node. */
export class DevFacts {
  constructor(
    /** Where the payment provider, or what stands in for it, is spoken to; null for the provider's own. */
    readonly stripeApiBase: string | null,
  ) {}
}

/** What development and trying out need; never mounted in production. */
@ApiExcludeController()
@Controller('dev')
@AccessFor('public')
export class DevController {
  constructor(
    private readonly mailbox: Mailbox,
    private readonly facts: DevFacts,
  ) {}

  @Get('info')
  info(): { stripeApiBase: string | null } {
    return { stripeApiBase: this.facts.stripeApiBase };
  }

  /** The mails "sent": a page for people, `?format=json` for scripts. */
  @Get('mailbox')
  @Header('Cache-Control', 'no-store')
  async mails(
    @Query({ schema: MailboxQuery }) { format }: z.infer<typeof MailboxQuery>,
    @Res({ passthrough: true }) response: HttpResponse,
  ) {
    const mails = await this.mailbox.list(SHOWN_MAILS);
    if (format === 'html') {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      return page(mails);
    }
    return mails.map((mail) => ({ ...mail, sentAt: mail.sentAt.toISOString() }));
  }
}

type SentMail = Awaited<ReturnType<Mailbox['list']>>[number];

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
  .meta { opacity: .7; font-size: .9rem; }
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
