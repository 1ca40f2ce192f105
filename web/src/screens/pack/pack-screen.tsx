import { useQuery } from '@tanstack/react-query';
import { SlidersHorizontal } from 'lucide-react';
import { Suspense, useMemo, useState } from 'react';
import { Link, Navigate, useParams, useSearchParams } from 'react-router-dom';
import type { PackDetail, Sample } from '../../../../application/catalogue/contract.js';
import { packQuery } from '../../api/catalogue.js';
import { ApiProblem, messageOf } from '../../api/transport/http.js';
import { useOwnedAmong } from '../../downloads/owned.js';
import { paths } from '../../paths.js';
import { BackLink, BROWSE, Gone, PageHeadSkeleton } from '../../packs/page-head.js';
import { SampleList, SampleListSkeleton } from '../../samples/sample-list.js';
import { lazyWithPreload } from '../../shell/lazy-with-preload.js';
import { PageTitle } from '../../shell/page-frame.js';
import { Button } from '../../ui/button.js';
import { SelectControl } from '../../ui/forms/field.js';
import { titleBy } from '../../ui/format.js';
import { EmptyState, QueryFailure } from '../../ui/states.js';
import { PackHead } from './pack-head.js';

const UpcomingPack = lazyWithPreload(() => import('../../packs/upcoming-pack.js'));

const ORDERS = {
  pack: { label: 'Pack order', compare: null },
  title: { label: 'Title', compare: (a: Sample, b: Sample) => a.title.localeCompare(b.title, 'en') },
  tempo: { label: 'Tempo', compare: (a: Sample, b: Sample) => a.bpm - b.bpm },
  key: { label: 'Key', compare: (a: Sample, b: Sample) => (a.key ?? '~').localeCompare(b.key ?? '~', 'en') },
  length: { label: 'Length', compare: (a: Sample, b: Sample) => a.durationMs - b.durationMs },
} as const;
type Order = keyof typeof ORDERS;

function matches(sample: Sample, text: string): boolean {
  const words = [sample.title, sample.key ?? '', String(sample.bpm), ...sample.instruments].join(' ');
  return words.toLowerCase().includes(text.trim().toLowerCase());
}

function PackSamples({ pack }: { pack: PackDetail }) {
  const [order, setOrder] = useState<Order>('pack');
  const [narrowing, setNarrowing] = useState(false);
  const [text, setText] = useState('');
  const shown = useMemo(() => {
    const found =
      narrowing && text.trim() ? pack.samples.filter((sample) => matches(sample, text)) : pack.samples;
    const { compare } = ORDERS[order];
    return compare ? [...found].sort(compare) : found;
  }, [pack.samples, narrowing, text, order]);
  const owned = useOwnedAmong(pack.samples).length;
  if (pack.samples.length === 0) {
    return (
      <div className="gutter pt-8">
        <EmptyState title="No samples found" link={BROWSE}>
          This pack is still empty.
        </EmptyState>
      </div>
    );
  }
  return (
    <section aria-label="Samples" className="gutter">
      <div className="flex flex-wrap items-center gap-3 py-4">
        <h2 className="display text-3xl">Samples</h2>
        <p className="ml-1.5 text-muted max-md:hidden">
          {pack.samples.length.toLocaleString('en')}
          {owned > 0 && `, of which you own ${owned.toLocaleString('en')}`}
        </p>
        <span className="flex-1" />
        {narrowing && (
          <input
            type="search"
            aria-label="Filter samples"
            placeholder="Title, key, tempo, instrument"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- The field appears when the button beside it is pressed.
            autoFocus
            value={text}
            onChange={(event) => setText(event.target.value)}
            className="field min-h-8.5! max-w-64 py-0 text-base!"
          />
        )}
        <Button
          tone="quiet"
          size="small"
          aria-pressed={narrowing}
          className="bg-transparent! max-md:hidden"
          icon={<SlidersHorizontal size={16} />}
          onClick={() => setNarrowing((now) => !now)}
        >
          Filter
        </Button>
        <SelectControl
          aria-label="Order"
          value={order}
          onChange={(event) => setOrder(event.target.value as Order)}
          className="min-h-8.5! border-line! bg-transparent! py-0 text-sm! font-[550]"
          options={Object.entries(ORDERS).map(([value, { label }]) => [value, label])}
        />
      </div>
      {shown.length > 0 ? (
        <SampleList samples={shown} place="pack" label={`Samples of ${pack.title}`} headings />
      ) : (
        <EmptyState
          title="No samples found"
          action={<Button onClick={() => setText('')}>Show all samples</Button>}
        >
          Nothing in this pack matches “{text.trim()}”.
        </EmptyState>
      )}
    </section>
  );
}

const COMPLAIN = (
  <p className="pt-8 text-center text-sm text-muted">
    <Link to="/complaint" className="underlined">
      Complain about something else
    </Link>
    {', or read '}
    <Link to="/complaint/transparency" className="underlined">
      what comes of complaints
    </Link>
  </p>
);

function PackLoading() {
  return (
    <>
      <PageHeadSkeleton />
      <div className="gutter pt-6">
        <SampleListSkeleton rows={8} loadingText="Loading pack…" />
      </div>
    </>
  );
}

function Pack({ pack }: { pack: PackDetail }) {
  return (
    <>
      <PageTitle>{titleBy(pack.title, pack.creator)}</PageTitle>
      <meta name="description" content={pack.description} />
      <PackHead pack={pack} />
      <PackSamples pack={pack} />
      <p className="gutter pt-8 text-sm text-muted">
        Is something wrong with it?{' '}
        <Link to={`/complaint?about=pack:${pack.id}`} className="underlined">
          Complain about this pack
        </Link>
      </p>
    </>
  );
}

/** The page of a pack with its samples. A former address redirects to the current one. */
export default function PackScreen() {
  const { slug = '', creator = '' } = useParams();
  const [parameters] = useSearchParams();
  const fromCollections = parameters.get('back') === 'collections';
  const known = slug !== '' && creator !== '';
  const answer = useQuery({ ...packQuery(creator, slug), enabled: known });
  const { data, error } = answer;
  if (error instanceof ApiProblem && error.code === 'TakenDown')
    return (
      <Gone title="Taken down" more={COMPLAIN}>
        {messageOf(error)}
      </Gone>
    );
  if (!known || (error instanceof ApiProblem && [400, 404, 410].includes(error.status)))
    return <Gone title="Pack not found">It may have been renamed, or taken out of the catalogue.</Gone>;
  if (data && (data.slug !== slug || data.creator.handle !== creator)) {
    const address = { creator: data.creator.handle, slug: data.slug };
    return <Navigate replace to={paths.pack(address, fromCollections ? 'collections' : undefined)} />;
  }
  return (
    <div className="relative pb-16">
      <BackLink to={fromCollections ? paths.collections : paths.sounds}>
        {fromCollections ? 'Collections' : 'Sounds'}
      </BackLink>
      <QueryFailure of={answer} title="The pack could not be loaded" className="gutter pt-6 max-md:pt-17" />
      {!data && !error && <PackLoading />}
      {data && data.releaseAt === undefined && <Pack pack={data} />}
      <Suspense>{data?.releaseAt !== undefined && <UpcomingPack pack={data} />}</Suspense>
    </div>
  );
}
