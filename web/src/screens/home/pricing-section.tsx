import { Suspense } from 'react';
import { lazyWithPreload } from '../../shell/lazy-with-preload.js';

const PlanCards = lazyWithPreload(() => import('../../plans/plan-cards.js'));

/** The three plans; "Get Started" scrolls here. */
export function PricingSection() {
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
