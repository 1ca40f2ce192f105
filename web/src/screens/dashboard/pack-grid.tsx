import { Download } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { OwnPackCard } from '../../../../application/publishing/contract.js';
import { paths } from '../../paths.js';
import { Cover } from '../../ui/sound/cover.js';
import { countOf } from '../../ui/format.js';
import { Badge } from '../../ui/badge.js';

const TEXTS = {
  published: 'PUBLISHED',
  draft: 'DRAFT',
  unpublished: 'UNPUBLISHED',
  taken_down: 'TAKEN DOWN',
} as const;

function PackStatus({ status }: Pick<OwnPackCard, 'status'>) {
  const tone = status === 'published' ? 'ok' : status === 'taken_down' ? 'danger' : 'neutral';
  return (
    <Badge tone={tone}>
      <span className="tracking-[0.04em]">{TEXTS[status]}</span>
    </Badge>
  );
}

function PackCard({ pack }: { pack: OwnPackCard }) {
  const { slug, title, genre, artworkUrl, status, downloads, sampleCount } = pack;
  return (
    <li>
      <Link
        to={paths.creatorPack(slug)}
        // The editor shows it at once, and fetches it at the same time.
        state={{ packData: pack, fromDashboard: true }}
        className="cover-hover block no-underline"
      >
        <Cover
          title={title}
          genre={genre}
          artworkUrl={artworkUrl}
          sizes="(max-width: 767px) 46vw, 190px"
          labelled
        />
        <p className="mt-3 truncate text-md font-semibold">{title}</p>
        <p className="mt-1.5 flex items-center justify-between gap-2">
          <PackStatus status={status} />
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

export function PackGrid({ packs }: { packs: readonly OwnPackCard[] }) {
  return (
    <ul className="grid grid-cols-2 gap-x-4 gap-y-5 md:grid-cols-[repeat(auto-fill,minmax(150px,1fr))] md:gap-7">
      {packs.map((pack) => (
        <PackCard key={pack.id} pack={pack} />
      ))}
    </ul>
  );
}
