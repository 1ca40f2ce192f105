import type { HomePage, PackCard } from '../../../../application/catalogue/contract.js';
import { Link } from 'react-router-dom';
import { PackPlayButton } from '../../packs/pack-card.js';
import { packPath, paths } from '../../paths.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { Cover, coverOf } from '../../ui/sound/cover.js';

function scrollToPricing(): void {
  const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  document.getElementById('pricing')?.scrollIntoView({ behavior: still ? 'auto' : 'smooth' });
}

// On low-density screens, browsers choose the same picture files for these sizes as for the pack cards below, so each
// picture loads only once.
const SLEEVE = '(max-width: 767px) 210px, (min-resolution: 1.5dppx) 320px, min(36vw, 494px)';

interface HeroProps {
  packs: readonly PackCard[];
  /** The most frequent key and tempo of the first pack. */
  facts: HomePage['hero'] | undefined;
}

/**
 * The front cover, which links to its pack, and a button that plays the pack. Screen readers do not read the label on
 * the cover, so the link contains a hidden text for them.
 */
function FrontSleeve({ pack }: { pack: PackCard }) {
  return (
    <div className="hero-sleeve hero-sleeve-front cover-hover absolute aspect-square">
      <Link to={packPath(pack)} className="block">
        <Cover {...coverOf(pack)} sizes={SLEEVE} labelled eager />
        <span className="sr-only">{`${pack.title} by ${pack.creator.displayName}, open pack`}</span>
      </Link>
      <PackPlayButton pack={pack} className="right-4 bottom-4 size-13" />
    </div>
  );
}

/** Three pack covers. The key and the tempo of the front pack are on dimension lines, as in a technical drawing. */
function Sleeves({ packs, facts }: HeroProps) {
  const [front, second, third] = packs;
  const sleeve = (pack: PackCard | undefined, className: string) => (
    <span className={`hero-sleeve absolute aspect-square ${className}`} aria-hidden="true">
      {pack && <Cover {...coverOf(pack)} sizes={SLEEVE} eager />}
    </span>
  );
  const rule = (fact: string | number | null | undefined, className: string) =>
    front && fact ? (
      <span className={`hero-rule absolute grid h-3 place-content-center ${className}`} aria-hidden="true">
        <span className="relative bg-[#0d1815] px-2.25 py-1.25">{fact}</span>
      </span>
    ) : null;
  return (
    <div className="hero-sleeves">
      {sleeve(third, 'hero-sleeve-third max-md:hidden')}
      {sleeve(second, 'hero-sleeve-second')}
      {front && <FrontSleeve pack={front} />}
      <svg
        viewBox="0 0 12 12"
        className="hero-offcut pointer-events-none absolute rotate-8"
        aria-hidden="true"
      >
        <path d="M0 0h12v12z" fill="var(--accent)" />
        <path d="M5.6 2.4h4v4z" fill="var(--on-accent)" transform="translate(.9 1)" />
      </svg>
      {rule(facts?.key, 'hero-rule-key')}
      {rule(facts?.bpm && `${facts.bpm} BPM`, 'hero-rule-tempo')}
    </div>
  );
}

export function Hero(props: HeroProps) {
  return (
    <section className="hero relative overflow-hidden border-b border-line">
      <div className="hero-marble absolute inset-0" aria-hidden="true" />
      <Sleeves {...props} />
      <div className="home-gutter pointer-events-none relative flex max-w-220 flex-col items-start *:pointer-events-auto gap-5.5 pt-9 pb-8 max-md:px-4 md:gap-7.5 md:pt-32 md:pb-22.5">
        <h1 className="display text-[clamp(56px,7.8vw,113px)] leading-[0.9] whitespace-nowrap max-md:text-[clamp(44px,15.4vw,64px)]">
          Take the leftovers. <br />
          Make the record.
        </h1>
        <p className="max-w-[min(560px,42vw)] text-lg leading-[1.6] text-muted max-md:max-w-none max-md:leading-normal">
          Create, download, get paid. Sample packs cut from real sessions
          <span className="max-md:hidden">: preview all of it, spend a credit on what you keep</span>. Credits
          roll over monthly and never expire.
        </p>
        <div className="flex gap-3 max-md:w-full">
          <Button tone="primary" size="large" className="max-md:flex-1" onClick={scrollToPricing}>
            Get Started
          </Button>
          <ButtonLink to={paths.sounds} size="large">
            Explore Sounds
          </ButtonLink>
        </div>
      </div>
    </section>
  );
}
