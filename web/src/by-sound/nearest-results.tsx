import './by-sound.css';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { type Balance, SEARCH_LIMIT, SOUND_VERSION } from '../../../application/catalogue/values.js';
import { query } from '../api/api.js';
import type { SamplesRequest } from '../api/catalogue.js';
import { lazyWithPreload } from '../shell/lazy-with-preload.js';
import { useMedia } from '../ui/hooks/use-media.js';
import { EmptyState, LoadingText, QueryFailure, Skeleton } from '../ui/states.js';
import { BalanceChoice } from './balance.js';
import { NearestRow } from './nearest-row.js';
import type { OwnSound } from './own-sound.js';
import { OwnSoundStrip } from './own-sound-strip.js';

type ReadySound = Extract<OwnSound, { status: 'ready' }>;
const SoundMap = lazyWithPreload(() => import('./sound-map.js'));

const yesNo = (value: boolean | string | undefined): boolean | undefined =>
  value === undefined ? undefined : String(value) === 'true';

/** Converts the text and the filters of a list request into those of a search by sound. */
function filtersIn({ sort: _, project: __, collection: ___, ...request }: SamplesRequest) {
  const { mood, genre, instrument, origin, hasMidi, hasStems, owned } = request;
  return {
    ...request,
    mood,
    genre,
    instrument,
    origin,
    hasMidi: yesNo(hasMidi),
    hasStems: yesNo(hasStems),
    owned: yesNo(owned),
  };
}

function NearestSkeleton() {
  return (
    <>
      <LoadingText>Searching by your sound...</LoadingText>
      {Array.from({ length: 10 }, (_, at) => (
        <div key={at} aria-hidden="true" className="flex h-14 items-center gap-3 border-b border-line">
          <Skeleton className="ml-14 size-10" />
          <Skeleton className="h-4 w-1/2" />
        </div>
      ))}
    </>
  );
}

function Nearest({ sound, request }: { sound: ReadySound; request: SamplesRequest }) {
  const [balance, setBalance] = useState<Balance>('timbre');
  const isWide = useMedia('(width >= 1280px)');
  const answer = useQuery(
    query('POST /api/samples/by-sound', {
      body: {
        version: SOUND_VERSION,
        descriptors: [...sound.descriptors],
        balance,
        limit: SEARCH_LIMIT,
        ...filtersIn(request),
      },
    }),
  );
  const { data, error } = answer;
  const items = data?.items ?? [];
  return (
    <section aria-label="Nearest by ear" className="pt-6">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3 pb-3">
        <h2 className="display text-3xl">Nearest by ear</h2>
        <p className="text-muted">
          {request.q ? `Ranked by sound, filtered by “${request.q}”` : 'Ranked by sound'}
        </p>
        <div className="md:ml-auto">
          <BalanceChoice value={balance} onChange={setBalance} />
        </div>
      </div>
      {!data && !error && <NearestSkeleton />}
      <QueryFailure of={answer} title="The search by your sound could not be run" />
      {data && items.length === 0 && (
        <EmptyState title="No Results Found">Try fewer filters, or another word.</EmptyState>
      )}
      {items.length > 0 && (
        <div className="grid gap-x-6 xl:grid-cols-[minmax(0,1fr)_380px]">
          <div className="nearest-list">
            <div className="nearest-row nearest-head" aria-hidden="true">
              <span className="nearest-bars flex w-[59px] justify-between px-0.5">
                {[...'BPDNW'].map((letter) => (
                  <span key={letter}>{letter}</span>
                ))}
              </span>
              <span className="nearest-reasons">How it differs</span>
              <span className="nearest-match">Match</span>
              <span className="nearest-cost">Cost</span>
            </div>
            <ul className="list-none p-0" aria-label="Nearest sounds">
              {items.map((item) => (
                <NearestRow key={item.id} sample={item} queue={items} own={sound.facts} />
              ))}
            </ul>
          </div>
          {isWide && (
            <Suspense>
              <SoundMap items={items} own={sound.facts} name={sound.name} />
            </Suspense>
          )}
        </div>
      )}
    </section>
  );
}

/** The results of a search by the visitor's own sound. The page's text and filters limit them. */
export default function NearestResults({ sound, request }: { sound: OwnSound; request: SamplesRequest }) {
  return (
    <>
      <OwnSoundStrip sound={sound} />
      {sound.status === 'ready' && <Nearest sound={sound} request={request} />}
    </>
  );
}
