import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { ApplicationHistory } from '../../../../application/administration/contract.js';
import type { Application } from '../../api/admin.js';
import { query } from '../../api/api.js';
import { Previews } from '../../staff/previews.js';
import { Badge } from '../../ui/badge.js';
import { countOf, formatDay, formatDuration, formatTime } from '../../ui/format.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { LoadingText, QueryFailure } from '../../ui/states.js';

const WORDS = {
  none: 'withdrew it',
  applied: 'wrote',
  asked: 'asked',
  approved: 'approved it',
  declined: 'declined it',
  suspended: 'suspended them',
} as const;

type Sound = ApplicationHistory['sounds'][number];

function SoundOf({ sound }: { sound: Sound }) {
  const { id, name, durationMs, previewUrl, isCompared, alike } = sound;
  return (
    <li className="border-t border-line py-3">
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <span className="font-semibold wrap-anywhere">{name}</span>
        <span className="text-muted">{formatDuration(durationMs)}</span>
        {alike.length > 0 && <Badge tone="warn">{countOf(alike.length, 'match', 'matches')}</Badge>}
        {alike.length === 0 && (
          <Badge tone="neutral">{isCompared ? 'Nothing alike in the catalogue' : 'Not compared yet'}</Badge>
        )}
      </p>
      <Previews
        key={id}
        of={[
          { title: name, url: previewUrl },
          // Only recordings on sale have a path. Staff cannot play the others.
          ...alike
            .filter(({ path }) => path !== null)
            .map(({ title, creatorName, previewUrl: url }) => ({ title: `${title} by ${creatorName}`, url })),
        ]}
      />
      <ul className="mt-2 list-none p-0">
        {alike.map(({ sampleId, title, creatorName, packTitle, path, score, isTakenDown }) => (
          <li key={sampleId} className="mt-1 wrap-anywhere">
            <span className="font-semibold text-warn">{score} %</span> {title} by {creatorName}, in{' '}
            {path ? (
              <Link to={path} className="underline">
                {packTitle}
              </Link>
            ) : (
              packTitle
            )}
            {isTakenDown && <span className="text-danger"> (taken down)</span>}
          </li>
        ))}
      </ul>
    </li>
  );
}

/**
 * Shows an applicant's sounds with similar samples of the catalogue, beside the messages of the applicant and of
 * staff.
 */
export default function ApplicationDialog(props: {
  person: Application;
  actions: ReactNode;
  onClose: () => void;
}) {
  const { person, actions, onClose } = props;
  const answer = useQuery(
    query('GET /api/admin/creator-applications/:userId/history', { params: { userId: person.id } }),
  );
  const { sounds = [], items = [] } = answer.data ?? {};
  return (
    <Dialog
      open
      title={`Application of ${person.displayName}`}
      width={sounds.length > 0 ? 940 : 560}
      actions={actions}
      onClose={onClose}
    >
      {answer.isPending && <LoadingText>Loading the application...</LoadingText>}
      <QueryFailure of={answer} title="The application could not be loaded" />
      <div className={sounds.length > 0 ? 'grid gap-x-8 gap-y-4 md:grid-cols-2' : undefined}>
        {sounds.length > 0 && (
          <section aria-label="Sounds">
            <ul className="m-0 list-none p-0">
              {sounds.map((sound) => (
                <SoundOf key={sound.id} sound={sound} />
              ))}
            </ul>
          </section>
        )}
        <ol className="m-0 list-none p-0">
          {items.map(({ at, by, status, text, links }) => (
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
      </div>
    </Dialog>
  );
}
