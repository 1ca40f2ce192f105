import './home.css';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { query } from '../../api/api.js';
import { PackCard, PackCardSkeleton } from '../../packs/pack-card.js';
import { paths } from '../../paths.js';
import { PageTitle } from '../../shell/page-frame.js';
import { Credited } from './credited.js';
import { Faq, HOME_QUESTIONS } from './faq.js';
import { FluidBackground } from './fluid/fluid-background.js';
import { Footer } from './footer.js';
import { Hero } from './hero.js';
import { PricingSection } from './pricing-section.js';
import { TopCreators } from './top-creators.js';

/** Scrolls to the target of a link such as /#pricing once the page is ready. */
function useHashScroll(): void {
  const { hash } = useLocation();
  useEffect(() => {
    if (hash) document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [hash]);
}

/** The product, its users, and its price. */
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
      <Credited />
      <PricingSection />
      <Faq items={HOME_QUESTIONS} />
      <Footer />
    </>
  );
}
