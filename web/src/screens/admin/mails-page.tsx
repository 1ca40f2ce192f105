import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { query } from '../../api/api.js';
import { MAIL_LOG_DAYS, RECIPIENT_MAX_LENGTH } from '../../../../application/administration/values.js';
import { mailsQuery } from '../../api/admin.js';
import { kinds } from '../../staff/list/column.js';
import { listPage } from '../../staff/list/list-page.js';
import { usePages } from '../../staff/list/paged-list.js';
import { Badge } from '../../ui/badge.js';
import { countOf, formatTime } from '../../ui/format.js';

const LATELY = `in the last ${MAIL_LOG_DAYS} days`;
const TONES = { sent: 'ok', failed: 'danger', sending: 'warn' } as const;

/** The link appears only if mails are kept instead of sent. */
function MailboxLink() {
  const { data: hasMailbox } = useQuery(query('GET /dev/info'));
  return (
    hasMailbox && (
      <a
        href="/dev/mailbox"
        target="_blank"
        rel="noreferrer"
        className="flex min-h-11 items-center gap-2 text-muted hover:text-text"
      >
        Mailbox <ExternalLink size={15} />
      </a>
    )
  );
}

/** Mails of the last `MAIL_LOG_DAYS` and their status. Their text is not stored. */
export const MailsPage = listPage({
  filters: {
    to: {
      label: 'Recipient',
      hideLabel: true,
      placeholder: 'Recipient',
      maxLength: RECIPIENT_MAX_LENGTH,
    },
  },
  aside: <MailboxLink />,
  useRows: ({ to }) => usePages(mailsQuery(to)),
  list: (_, { to }) => ({
    cards: true,
    title: 'Mail log',
    file: 'mails',
    empty: to ? `No mail to “${to}” ${LATELY}` : `No mail ${LATELY}`,
    more: 'More mails',
    keyOf: ({ id }) => id,
    columns: [
      { label: 'Recipient', value: ({ to: recipient }) => recipient, kind: kinds.strong },
      { label: 'Subject', value: ({ subject }) => subject },
      { label: 'Asked for', value: ({ askedAt }) => askedAt, kind: kinds.localTime },
      {
        label: 'Attempts',
        value: ({ attempts }) => attempts,
        cell: ({ attempts, lastError }) => (
          <>
            <span className="block">{countOf(attempts, 'attempt')}</span>
            {lastError && <span className="block text-sm text-danger">{lastError}</span>}
          </>
        ),
      },
      {
        label: 'Status',
        value: ({ status }) => status,
        cell: ({ status, settledAt }) => (
          <>
            <Badge tone={TONES[status]}>{status}</Badge>
            {settledAt && <span className="mt-1 block text-sm text-faint">{formatTime(settledAt)}</span>}
          </>
        ),
      },
    ],
  }),
});
