import { useInfiniteQuery } from '@tanstack/react-query';
import { Download, Plus } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { OwnPackCard } from '../../../../application/publishing/contract.js';
import { ownPacksQuery } from '../../api/creator.js';
import { CreatorGate } from '../../creators/creator-gate.js';
import { DropZone } from '../../creators/drop-zone.js';
import { paths } from '../../paths.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { countOf } from '../../ui/format.js';
import { Section } from '../../ui/section.js';
import { Cover, coverOf } from '../../ui/sound/cover.js';
import { EmptyState, QueryFailure, Skeleton } from '../../ui/states.js';
import { Figures } from './figures.js';
import { PayoutCard } from './payout-card.js';

const STATUSES = {
  published: { tone: 'ok', text: 'PUBLISHED' },
  draft: { tone: 'neutral', text: 'DRAFT' },
  unpublished: { tone: 'neutral', text: 'UNPUBLISHED' },
  taken_down: { tone: 'danger', text: 'TAKEN DOWN' },
} as const;

function PackCard({ pack }: { pack: OwnPackCard }) {
  const { slug, title, status, downloads, sampleCount } = pack;
  return (
    <li>
      <Link
        to={paths.creatorPack(slug)}
        // The editor shows this data of the pack at once, while it loads the current data.
        state={{ packData: pack, fromDashboard: true }}
        className="cover-hover block no-underline"
      >
        <Cover {...coverOf(pack)} sizes="(max-width: 767px) 46vw, 190px" labelled />
        <p className="mt-3 truncate text-md font-semibold">{title}</p>
        <p className="mt-1.5 flex items-center justify-between gap-2">
          <Badge tone={STATUSES[status].tone}>
            <span className="tracking-[0.04em]">{STATUSES[status].text}</span>
          </Badge>
          {downloads > 0 && (
            <span className="flex items-center gap-1.5 text-muted" title={countOf(downloads, 'download')}>
              <Download size={15} />
              {downloads.toLocaleString('en')}
              <span className="sr-only"> downloads</span>
            </span>
          )}
        </p>
        <p className="mt-1.5 text-muted">{countOf(sampleCount, 'sample')}</p>
      </Link>
    </li>
  );
}

export function Overview(props: {
  onNewPack: () => void;
  /** Null if the visitor may not upload. */
  onFolder: ((files: File[]) => void) | null;
}) {
  const { onNewPack, onFolder } = props;
  const answer = useInfiniteQuery(ownPacksQuery);
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = answer;
  if (error && !data) return <QueryFailure of={answer} title="Your packs could not be loaded" />;
  if (!data)
    return (
      <>
        <Skeleton className="h-32.5" text="Loading your packs..." />
        <Skeleton className="mt-4 h-80" />
      </>
    );
  const packs = data.pages.flatMap(({ items }) => items);
  const title = (
    <>
      Your Packs{' '}
      <span className="ml-2 text-base font-normal text-faint">
        {packs.length}
        {hasNextPage && ' and more'}
      </span>
    </>
  );
  return (
    <div className="grid gap-4">
      <CreatorGate />
      <Figures />
      <div className="grid gap-4 xl:flex">
        <Section title={title} heading="mb-5 text-lg font-semibold" className="panel min-w-0 flex-1 p-5">
          <DropZone wants="folder" onFiles={onFolder}>
            {packs.length > 0 ? (
              <ul className="grid grid-cols-2 gap-x-4 gap-y-5 md:grid-cols-[repeat(auto-fill,minmax(150px,1fr))] md:gap-7">
                {packs.map((pack) => (
                  <PackCard key={pack.id} pack={pack} />
                ))}
              </ul>
            ) : (
              <EmptyState
                title="No published packs yet"
                action={
                  <Button icon={<Plus size={18} />} onClick={onNewPack}>
                    Create New Pack
                  </Button>
                }
              >
                Start with a name and a genre. Your pack stays private until you publish it.
              </EmptyState>
            )}
            {hasNextPage && (
              <Button className="mt-6" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                Show more
              </Button>
            )}
          </DropZone>
        </Section>
        <PayoutCard />
      </div>
    </div>
  );
}
