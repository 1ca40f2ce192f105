import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { GENRES, INSTRUMENTS, MOODS } from '../../../../application/catalogue/values.js';
import type { Following } from '../../../../application/library/contract.js';
import { feedQuery } from '../../api/account.js';
import { follow, useFollowing } from '../../following/follow.js';
import { PackCard, PackCardSkeleton } from '../../packs/pack-card.js';
import { paths } from '../../paths.js';
import { PageTitle } from '../../shell/page-frame.js';
import { Avatar } from '../../ui/avatar.js';
import { Chip } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Section } from '../../ui/section.js';
import { EmptyState, LoadingText, QueryFailure } from '../../ui/states.js';

const HEADING = 'display mb-4 text-4xl';
const TAG_GROUPS = { Genres: GENRES, Moods: MOODS, Instruments: INSTRUMENTS } as const;

function NewPacks({ following }: { following: Following | undefined }) {
  const feed = useInfiniteQuery(feedQuery);
  const { data, error, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = feed;
  const entries = data?.pages.flatMap(({ items }) => items);
  const followsNone = following?.creators.length === 0 && following.tags.length === 0;
  return (
    <Section title="New packs" heading={HEADING}>
      {!data && <QueryFailure of={feed} title="New packs could not be loaded" />}
      {!data && !error && (
        <div className="pack-grid">
          <LoadingText>Loading new packs...</LoadingText>
          {Array.from({ length: 6 }, (_, index) => (
            <PackCardSkeleton key={index} />
          ))}
        </div>
      )}
      {entries?.length === 0 && (
        <EmptyState
          title={followsNone ? 'You do not follow anyone yet' : 'Nothing new yet'}
          link={{ to: paths.discover, label: 'Discover' }}
        >
          {followsNone
            ? 'Follow a creator on their page, or a genre, mood or instrument below. Their new packs appear here.'
            : 'The next packs of the creators and sounds that you follow appear here.'}
        </EmptyState>
      )}
      {entries && entries.length > 0 && (
        <div className="pack-grid">
          {entries.map(({ pack, reasons }) => (
            <div key={pack.id}>
              <PackCard pack={pack} />
              <p className="mt-1 truncate text-sm text-muted" title={reasons.join(', ')}>
                You follow {reasons.join(', ')}
              </p>
            </div>
          ))}
        </div>
      )}
      {hasNextPage && (
        <div className="flex flex-wrap items-center justify-center gap-4 py-6">
          {isFetchNextPageError && !isFetchingNextPage && <p role="alert">More could not be loaded.</p>}
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {isFetchNextPageError ? 'Try again' : 'Show more'}
          </Button>
        </div>
      )}
    </Section>
  );
}

function Creators({ creators }: Pick<Following, 'creators'>) {
  if (creators.length === 0) return null;
  return (
    <Section title="Creators" heading={HEADING} className="pt-10">
      <ul className="m-0 grid list-none gap-x-6 p-0 md:grid-cols-2 xl:grid-cols-3">
        {creators.map((creator) => (
          <li key={creator.id} className="flex min-h-16 items-center gap-3 border-b border-line py-2">
            <Avatar name={creator.displayName} url={creator.avatarUrl} />
            <Link
              to={paths.creator(creator.handle)}
              className="min-w-0 flex-1 truncate no-underline hover:underline"
            >
              {creator.displayName}
            </Link>
            <Button
              size="small"
              aria-label={`Unfollow ${creator.displayName}`}
              onClick={() => void follow({ subject: creator, follows: false })}
            >
              Unfollow
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Tags({ tags }: Pick<Following, 'tags'>) {
  return Object.entries(TAG_GROUPS).map(([title, group]) => (
    <Section key={title} title={title} heading={HEADING} className="pt-10">
      <div className="flex flex-wrap gap-2">
        {group.map((tag) => {
          const follows = tags.includes(tag);
          return (
            <Chip
              key={tag}
              pressed={follows}
              onClick={() => void follow({ subject: tag, follows: !follows })}
            >
              {tag}
            </Chip>
          );
        })}
      </div>
    </Section>
  ));
}

export default function FollowingScreen() {
  const { data: following } = useFollowing();
  return (
    <div className="gutter pt-9 pb-28">
      <PageTitle />
      <h1 className="display mb-6 text-7xl md:text-8xl">Following</h1>
      <NewPacks following={following} />
      {following && (
        <>
          <Creators creators={following.creators} />
          <Tags tags={following.tags} />
        </>
      )}
    </div>
  );
}
