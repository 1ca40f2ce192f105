import './home.css';
import { useQuery } from '@tanstack/react-query';
import { useEffect, Suspense } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { query } from '../../api/api.js';
import { PackCard, PackCardSkeleton } from '../../packs/pack-card.js';
import { paths } from '../../paths.js';
import { PageTitle } from '../../shell/page-frame.js';
import { Credited } from './credited.js';
import { Faq } from './faq.js';
import { FluidBackground } from './fluid/fluid-background.js';
import { Footer } from './footer.js';
import { Hero } from './hero.js';
import { lazyWithPreload } from '../../shell/lazy-with-preload.js';
import type { HomePage } from '../../../../application/catalogue/contract.js';
import { useStrip } from '../../packs/pack-row.js';
import { Avatar } from '../../ui/avatar.js';
import { countOf } from '../../ui/format.js';

function TopCreators({ creators }: { creators: HomePage['topCreators'] | undefined }) {
  const { strip, arrows } = useStrip();
  return (
    <section aria-labelledby="top-creators" className="pt-10">
      <div className="home-gutter mb-5 flex items-center gap-3">
        <h2 id="top-creators" className="display text-3xl">
          Top Creators
        </h2>
        <p className="text-sm text-muted">by downloads</p>
        <span className="flex-1" />
        <span className="flex gap-3 max-md:hidden">{arrows('Top Creators')}</span>
      </div>
      <div ref={strip} className="home-gutter no-scrollbar flex gap-3 overflow-x-auto py-1">
        {(creators ?? Array.from({ length: 5 }, () => null)).map((creator, index) =>
          creator ? (
            <Link
              key={creator.id}
              to={paths.creator(creator.handle)}
              className="panel flex h-21.5 w-65.5 flex-none items-center gap-4 px-4 no-underline hover:bg-hover"
            >
              <span className="display text-2xl text-faint">{index + 1}</span>
              <Avatar name={creator.displayName} url={creator.avatarUrl} size={54} />
              <span className="min-w-0">
                <span className="block truncate text-md font-semibold">{creator.displayName}</span>
                <span className="block truncate text-sm text-muted">
                  {countOf(creator.downloads, 'download')}
                </span>
              </span>
            </Link>
          ) : (
            <span key={index} className="panel h-21.5 w-65.5 flex-none" aria-hidden="true" />
          ),
        )}
      </div>
    </section>
  );
}

const PlanCards = lazyWithPreload(() => import('../../plans/plan-cards.js'));

/** The three plans; "Get Started" scrolls here. */
function PricingSection() {
  return (
    <section
      id="pricing"
      aria-labelledby="pricing-title"
      className="home-gutter pt-14 pb-12 md:pt-20 md:pb-18"
    >
      <div className="mb-7 flex flex-wrap items-end justify-between gap-4">
        <h2 id="pricing-title" className="display text-5xl md:text-8xl">
          One credit, one sample. <br />
          Keep what you don’t use.
        </h2>
        <p className="max-w-[46ch] text-muted">
          Credits arrive with each paid month, roll over monthly and never expire. Re-downloads are free.
        </p>
      </div>
      <Suspense fallback={<div className="min-h-112.5" />}>
        <PlanCards />
      </Suspense>
    </section>
  );
}

/** Scrolls to the target of a link such as /#pricing once the page is ready. */
function useHashScroll(): void {
  const { hash } = useLocation();
  useEffect(() => {
    if (hash) document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [hash]);
}

export default function HomeScreen() {
  const { data } = useQuery(query('GET /api/home'));
  useHashScroll();
  return (
    <>
      <PageTitle />
      <FluidBackground />
      <Hero packs={data?.featuredPacks ?? []} facts={data?.hero} />
      {data?.topCreators.length !== 0 && <TopCreators creators={data?.topCreators} />}
      {data?.featuredPacks.length !== 0 && (
        <section aria-labelledby="featured" className="home-gutter pt-12 pb-3">
          <div className="mb-8 flex items-end justify-between gap-4">
            <h2 id="featured" className="display text-5xl md:text-8xl">
              Featured Sound Packs
            </h2>
            <Link to={paths.sounds} className="underlined flex-none py-2 text-sm pointer-coarse:py-3">
              See all sounds
            </Link>
          </div>
          <div className="grid grid-cols-2 gap-x-3.5 gap-y-5 md:gap-6 lg:grid-cols-4">
            {data
              ? data.featuredPacks.map((pack) => (
                  <PackCard key={pack.id} pack={pack} sizes="(max-width: 767px) 46vw, 22vw" wide />
                ))
              : [1, 2, 3, 4].map((index) => <PackCardSkeleton key={index} />)}
          </div>
        </section>
      )}
      <Credited shown={data?.featuredPacks ?? []} />
      <PricingSection />
      <Faq />
      <Footer />
    </>
  );
}
