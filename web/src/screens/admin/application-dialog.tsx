import { useQuery } from '@tanstack/react-query';
import type { Application } from '../../api/admin.js';
import { query } from '../../api/api.js';
import { formatDay, formatTime } from '../../ui/format.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { LoadingText, QueryFailure } from '../../ui/states.js';

const WORDS = {
  none: '',
  applied: 'wrote',
  asked: 'asked',
  approved: 'approved it',
  declined: 'declined it',
  suspended: 'suspended them',
} as const;

/** What an applicant wrote, and what was asked and decided. */
export default function ApplicationDialog({ person, onClose }: { person: Application; onClose: () => void }) {
  const answer = useQuery(
    query('GET /api/admin/creator-applications/:userId/history', { params: { userId: person.id } }),
  );
  return (
    <Dialog open title={`Application of ${person.displayName}`} width={560} onClose={onClose}>
      {answer.isPending && <LoadingText>Loading the application...</LoadingText>}
      <QueryFailure of={answer} title="The application could not be loaded" />
      <ol className="m-0 list-none p-0">
        {answer.data?.items.map(({ at, by, status, text, links }) => (
          <li key={at} className="border-t border-line py-3">
            <p className="text-sm text-muted">
              <span className="font-semibold text-text">{by}</span> {WORDS[status]} ·{' '}
              <time dateTime={at}>
                {formatDay(at)}, {formatTime(at)}
              </time>
            </p>
            {text && <p className="mt-1.5 whitespace-pre-wrap wrap-anywhere">{text}</p>}
            {!text && status === 'applied' && <p className="mt-1.5 text-faint">Without a text.</p>}
            {links.map((link) => (
              <a
                key={link}
                href={link}
                target="_blank"
                rel="noopener noreferrer nofollow"
                className="underlined mt-1.5 block wrap-anywhere"
              >
                {link}
              </a>
            ))}
          </li>
        ))}
      </ol>
    </Dialog>
  );
}
