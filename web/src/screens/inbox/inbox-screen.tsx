import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'react-router-dom';
import type { Notice } from '../../../../application/notices/contract.js';
import { api } from '../../api/api.js';
import { invalidate } from '../../api/query-client.js';
import { inboxQuery } from '../../inbox/inbox.js';
import { paths } from '../../paths.js';
import { PageTitle } from '../../shell/page-frame.js';
import { Button } from '../../ui/button.js';
import { formatAgo } from '../../ui/format.js';
import { EmptyState, LoadingText, QueryFailure, Skeleton } from '../../ui/states.js';

function Entry({ notice }: { notice: Notice }) {
  const { text, href, at, isRead } = notice;
  return (
    <li className="flex min-h-14 items-center gap-3 border-b border-line py-2">
      <span aria-hidden="true" className={`size-2 flex-none ${isRead ? '' : 'bg-accent'}`} />
      <p className={`min-w-0 flex-1 wrap-anywhere ${isRead ? 'text-muted' : 'font-semibold'}`}>
        {!isRead && <span className="sr-only">Unread: </span>}
        {href ? (
          <Link to={href} className="no-underline hover:underline">
            {text}
          </Link>
        ) : (
          text
        )}
      </p>
      <time dateTime={at} className="flex-none text-sm text-muted">
        {formatAgo(at)}
      </time>
    </li>
  );
}

/**
 * Marks all notices up to the newest as read on the server. This list shows them as new until it is fetched
 * again.
 */
function useMarkRead(newest: Notice | undefined): void {
  const position = newest?.isRead === false ? newest.position : undefined;
  useEffect(() => {
    if (position === undefined) return;
    void api('POST /api/inbox/read', { body: { position } }).then(
      () => invalidate('GET /api/inbox/state'),
      () => undefined,
    );
  }, [position]);
}

export default function InboxScreen() {
  const inbox = useInfiniteQuery(inboxQuery);
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = inbox;
  const notices = data?.pages.flatMap(({ items }) => items);
  useMarkRead(notices?.[0]);
  return (
    <div className="gutter mx-auto max-w-190 py-10">
      <PageTitle />
      <div className="mb-5 flex flex-wrap items-baseline justify-between gap-3">
        <h1 className="display text-6xl">Inbox</h1>
        <Link to={paths.settings} className="underlined">
          Choose which mails you get
        </Link>
      </div>
      {!data && <QueryFailure of={inbox} title="The inbox could not be loaded" />}
      {!data && !error && (
        <>
          <LoadingText>Loading your inbox...</LoadingText>
          {Array.from({ length: 6 }, (_, index) => (
            <div key={index} aria-hidden="true" className="flex h-14 items-center border-b border-line">
              <Skeleton className="h-4 w-2/3" />
            </div>
          ))}
        </>
      )}
      {notices?.length === 0 && (
        <EmptyState title="Nothing yet" link={{ to: paths.discover, label: 'Discover' }}>
          Sales, payouts, new followers, and decisions about your sounds and your account appear here.
        </EmptyState>
      )}
      {notices && notices.length > 0 && (
        <ul className="m-0 list-none border-t border-line p-0">
          {notices.map((notice) => (
            <Entry key={notice.position} notice={notice} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <div className="py-6 text-center">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </div>
  );
}
