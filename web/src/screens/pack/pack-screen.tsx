import './pack.css';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { Link, Navigate, useParams, useSearchParams } from 'react-router-dom';
import type { PackDetail } from '../../../../application/catalogue/contract.js';
import { packQuery } from '../../api/catalogue.js';
import { ApiProblem, messageOf } from '../../api/transport/http.js';
import { paths } from '../../paths.js';
import { SampleListSkeleton } from '../../samples/sample-list.js';
import { PageTitle } from '../../shell/page-frame.js';
import { ButtonLink } from '../../ui/button.js';
import { titleBy } from '../../ui/format.js';
import { EmptyState, QueryFailure, Skeleton } from '../../ui/states.js';
import { PACK_HEAD, PackHead } from './pack-head.js';
import { PackSamples } from './pack-samples.js';

function BackLink({ fromCollections }: { fromCollections: boolean }) {
  return (
    <Link
      to={fromCollections ? paths.collections : paths.sounds}
      className="touchable relative z-2 mx-(--gutter) mt-3.25 inline-flex h-7 items-center gap-2.5 text-muted no-underline hover:text-text max-md:absolute max-md:top-3 max-md:left-3 max-md:m-0 max-md:size-11 max-md:justify-center max-md:bg-page max-md:text-text"
    >
      <ArrowLeft size={16} />
      <span className="max-md:sr-only">{fromCollections ? 'Collections' : 'Sounds'}</span>
    </Link>
  );
}

function PackTakenDown({ detail }: { detail: string }) {
  return (
    <div className="gutter py-10">
      <PageTitle>Taken down</PageTitle>
      <EmptyState title="Taken down" action={<ButtonLink to={paths.sounds}>Browse Sounds</ButtonLink>}>
        {detail}
      </EmptyState>
      <p className="pt-8 text-center text-sm text-muted">
        <Link to="/complaint" className="underlined">
          Complain about something else
        </Link>
        {', or read '}
        <Link to="/complaint/transparency" className="underlined">
          what comes of complaints
        </Link>
      </p>
    </div>
  );
}

function PackNotFound() {
  return (
    <div className="gutter py-10">
      <PageTitle>Pack not found</PageTitle>
      <EmptyState title="Pack not found" action={<ButtonLink to={paths.sounds}>Browse Sounds</ButtonLink>}>
        It may have been renamed, or taken out of the catalogue.
      </EmptyState>
    </div>
  );
}

function PackLoading() {
  return (
    <>
      <div className={PACK_HEAD}>
        <Skeleton className="pack-art md:hidden" />
        <Skeleton className="skeleton-cover aspect-square w-62 flex-none max-md:hidden" />
        <div className="flex-1 pt-2 max-md:pt-5">
          <Skeleton className="h-16 w-3/5 max-md:h-12 max-md:w-4/5" />
          <Skeleton className="mt-5 h-5 w-2/5" />
          <Skeleton className="mt-12 h-11 w-80 max-w-full" />
        </div>
      </div>
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

/** A pack with its samples. A former address redirects to the current one. */
export default function PackScreen() {
  const { slug = '', creator = '' } = useParams();
  const [parameters] = useSearchParams();
  const fromCollections = parameters.get('back') === 'collections';
  const known = slug !== '' && creator !== '';
  const answer = useQuery({ ...packQuery(creator, slug), enabled: known });
  const { data, error } = answer;
  if (error instanceof ApiProblem && error.code === 'TakenDown')
    return <PackTakenDown detail={messageOf(error)} />;
  if (!known || (error instanceof ApiProblem && [400, 404, 410].includes(error.status)))
    return <PackNotFound />;
  if (data && (data.slug !== slug || data.creator.handle !== creator)) {
    const address = { creator: data.creator.handle, slug: data.slug };
    return <Navigate replace to={paths.pack(address, fromCollections ? 'collections' : undefined)} />;
  }
  return (
    <div className="relative pb-16">
      <BackLink fromCollections={fromCollections} />
      {error && !data && (
        <div className="gutter pt-6 max-md:pt-17">
          <QueryFailure of={answer} title="The pack could not be loaded" />
        </div>
      )}
      {!data && !error && <PackLoading />}
      {data && <Pack pack={data} />}
    </div>
  );
}
