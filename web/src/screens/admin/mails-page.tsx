import { useQuery } from '@tanstack/react-query';
import { ExternalLink, Search } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { MAIL_LOG_DAYS, RECIPIENT_MAX_LENGTH } from '../../../../application/administration/values.js';
import { type LoggedMail, mailboxQuery, mailsQuery } from '../../api/admin.js';
import { usePages } from '../../staff/paged-list.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Input } from '../../ui/forms/field.js';
import { countOf, formatDay, formatTime } from '../../ui/format.js';
import { Cell, List } from './list.js';

const LATELY = `in the last ${MAIL_LOG_DAYS} days`;
const TONES = { sent: 'ok', failed: 'danger', sending: 'warn' } as const;

function Row({ mail }: { mail: LoggedMail }) {
  const { to, subject, status, attempts, lastError, askedAt, settledAt } = mail;
  return (
    <tr>
      <th scope="row" className="font-semibold">
        {to}
      </th>
      <Cell label="Subject">{subject}</Cell>
      <Cell label="Asked for">
        {formatDay(askedAt)}, {formatTime(askedAt)}
      </Cell>
      <Cell label="Attempts">
        <span className="block">{countOf(attempts, 'attempt')}</span>
        {lastError && <span className="block text-sm text-danger">{lastError}</span>}
      </Cell>
      <td>
        <Badge tone={TONES[status]}>{status}</Badge>
        {settledAt && <span className="mt-1 block text-sm text-faint">{formatTime(settledAt)}</span>}
      </td>
    </tr>
  );
}

/** The link appears only if mails are kept instead of sent. */
function MailboxLink() {
  const { data: hasMailbox } = useQuery(mailboxQuery);
  return (
    hasMailbox && (
      <a
        href="/dev/mailbox"
        target="_blank"
        rel="noreferrer"
        className="flex min-h-11 items-center gap-2 text-muted hover:text-text"
      >
        Mailbox <ExternalLink size={15} strokeWidth={1.75} aria-hidden="true" />
      </a>
    )
  );
}

/** Mails of the last `MAIL_LOG_DAYS` and their status. Their text is not stored. */
export function MailsPage() {
  const [to, setTo] = useState('');
  const query = usePages(mailsQuery(to));
  const search = (submitted: FormEvent<HTMLFormElement>) => {
    submitted.preventDefault();
    setTo(String(new FormData(submitted.currentTarget).get('to')).trim());
  };
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <form role="search" className="flex items-end gap-3" onSubmit={search}>
          <Input
            name="to"
            label="Recipient"
            hideLabel
            placeholder="Recipient"
            maxLength={RECIPIENT_MAX_LENGTH}
            autoComplete="off"
            spellCheck={false}
          />
          <Button
            type="submit"
            className="min-h-11!"
            icon={<Search size={16} strokeWidth={1.75} aria-hidden="true" />}
          >
            Find
          </Button>
        </form>
        <MailboxLink />
      </div>
      <List
        query={query}
        more="More mails"
        label="Mail log"
        empty={to ? `No mail to “${to}” ${LATELY}` : `No mail ${LATELY}`}
        columns={['Recipient', 'Subject', 'Asked for', 'Attempts', 'Status']}
        row={(mail) => <Row key={mail.id} mail={mail} />}
      />
    </>
  );
}
