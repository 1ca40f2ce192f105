import { useInfiniteQuery } from '@tanstack/react-query';
import { Rows4 } from 'lucide-react';
import { Fragment, Suspense, useEffect } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { GENRES } from '../../../../application/catalogue/values.js';
import { samplesQuery } from '../../api/catalogue.js';
import { findByFile, refuseOwnSound, useOwnSound } from '../../by-sound/own-sound.js';
import { FilterBar } from '../../filters/filter-bar.js';
import { useFilters } from '../../filters/filters.js';
import { searchRequest, sortOf, SORTS } from '../../filters/search-request.js';
import { paths, searchHeading } from '../../paths.js';
import { projectText, useProject } from '../../project/project.js';
import { setCompactRows, useCompactRows } from '../../samples/row-height.js';
import { SampleResults } from '../../samples/sample-results.js';
import { fetchPart, lazyWithPreload } from '../../shell/lazy-with-preload.js';
import { PageTitle } from '../../shell/page-frame.js';
import { SearchBox } from '../../shell/search-box.js';
import { Button, IconButton } from '../../ui/button.js';
import { countOf } from '../../ui/format.js';
import { SelectControl } from '../../ui/forms/field.js';
import { EmptyState } from '../../ui/states.js';

const NearestResults = lazyWithPreload(() => import('../../by-sound/nearest-results.js'));

/** Says that no track has every word of the search, and names the words that the search left out. */
const Dropped = ({ words }: { words: readonly string[] }) => (
  <>
    . No track has every word: these are the nearest, without{' '}
    {words.map((word, index) => (
      <Fragment key={word}>
        {index > 0 && ', '}
        <del>{word}</del>
      </Fragment>
    ))}
  </>
);

const SORT_LABELS = {
  relevance: 'Relevance',
  fits: 'Fits my project',
  new: 'New',
  popular: 'Popular',
  tempo: 'Tempo',
  length: 'Length',
} as const;

/** Selects the sort order. Offers "Relevance" only with a search text, and "Fits my project" only with a project. */
function SortControl() {
  const [parameters, setParameters] = useSearchParams();
  const project = useProject();
  const { sort, usual } = sortOf(parameters, project);
  const offered = { relevance: Boolean(parameters.get('q')?.trim()), fits: project !== null };
  return (
    <label className="flex items-center gap-2.5 text-muted">
      <span className="max-md:sr-only">Sort by</span>
      <SelectControl
        value={sort}
        className="min-h-10 w-42 py-0"
        onChange={({ target }) => {
          const next = new URLSearchParams(parameters);
          if (target.value === usual) next.delete('sort');
          else next.set('sort', target.value);
          setParameters(next, { preventScrollReset: true });
        }}
      >
        {SORTS.filter((each) => offered[each as keyof typeof offered] ?? true).map((each) => (
          <option key={each} value={each}>
            {SORT_LABELS[each]}
          </option>
        ))}
      </SelectControl>
    </label>
  );
}

function CompactButton() {
  const isCompact = useCompactRows();
  return (
    <IconButton
      label="Compact rows"
      outlined
      className="size-10! [&_svg]:fill-none!"
      aria-pressed={isCompact}
      onClick={() => setCompactRows(!isCompact)}
    >
      <Rows4 size={18} />
    </IconButton>
  );
}

/** Links to the sounds of each genre, for a visitor whose search found nothing. */
const GenreChips = () => (
  <ul aria-label="Genres" className="flex max-w-140 list-none flex-wrap justify-center gap-2 p-0">
    {GENRES.map((genre) => (
      <li key={genre}>
        <Link to={`${paths.search()}?${new URLSearchParams({ genre })}`} className="chip no-underline">
          {genre}
        </Link>
      </li>
    ))}
  </ul>
);

/** Searches for sounds that resemble an audio file that another app shared with the installed Offcut app. */
function useSharedSound(): void {
  const [parameters, setParameters] = useSearchParams();
  useEffect(() => {
    if (!parameters.has('shared')) return;
    const next = new URLSearchParams(parameters);
    next.delete('shared');
    setParameters(next, { replace: true });
    void fetchPart(() => import('../../offline/shared-sound.js')).then(async (part) => {
      const shared = await part?.takeSharedSound();
      if (shared?.refused === null) await findByFile(shared.file, shared.name);
      else if (shared) refuseOwnSound(shared.name, shared.refused);
    });
  }, [parameters, setParameters]);
}

export default function SearchScreen() {
  useSharedSound();
  const [parameters] = useSearchParams();
  const { active, clear, ...bar } = useFilters();
  const project = useProject();
  const request = searchRequest(parameters, bar.filters, project);
  const query = useInfiniteQuery(samplesQuery(request));
  const sound = useOwnSound();
  const { total, interpretation, facets } = query.data?.pages[0] ?? {};
  const dropped = interpretation?.dropped ?? [];
  const heading = sound ? `Sounds like ${sound.name}` : searchHeading(parameters);
  const empty = (
    <EmptyState
      title="No Results Found"
      {...(active > 0
        ? { action: <Button onClick={clear}>Clear the filters</Button> }
        : { action: <GenreChips /> })}
    >
      Try searching for a different track name, artist, or pack
    </EmptyState>
  );
  return (
    <>
      <PageTitle>{heading}</PageTitle>
      <div className="gutter pt-4 md:hidden">
        <SearchBox />
      </div>
      <div className="gutter flex flex-wrap items-baseline gap-x-4 gap-y-1 pt-4 pb-1.5">
        <h1 className="display min-w-0 text-5xl wrap-anywhere">{heading}</h1>
        <p role="status" className={sound ? undefined : 'min-h-5 text-muted max-md:flex-1 max-md:basis-36'}>
          {!sound && total !== undefined && `${countOf(total, 'track')} found`}
          {!sound && dropped.length > 0 && <Dropped words={dropped} />}
          {!sound && project && sortOf(parameters, project).sort === 'fits' && (
            <>. Heard at {projectText(project)}, closest first</>
          )}
        </p>
        {!sound && (
          <span className="ml-auto flex items-center gap-3 self-center max-md:hidden">
            <SortControl />
            <CompactButton />
          </span>
        )}
      </div>
      <FilterBar
        {...{ ...bar, active, clear, request, total, facets }}
        clearLabel="Clear all filters"
        sort={!sound && <SortControl />}
      />
      <div className="gutter pt-5 pb-16">
        {sound ? (
          <Suspense>
            <NearestResults sound={sound} request={request} />
          </Suspense>
        ) : (
          <SampleResults
            {...{ query, request, empty }}
            place="list"
            label={heading}
            failure="The search could not be run"
            skeletonRows={10}
          />
        )}
      </div>
    </>
  );
}
