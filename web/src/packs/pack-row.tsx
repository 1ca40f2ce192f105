import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type ReactNode, useId, useRef, type RefObject, useEffect, useLayoutEffect } from 'react';
import { Link, useLocation } from 'react-router-dom';
import type { PackCard as Pack } from '../../../application/catalogue/contract.js';
import { IconButton } from '../ui/button.js';
import { PackCard, PackCardSkeleton } from './pack-card.js';

const KEPT_LIMIT = 100;
const kept = new Map<string, number>();

const scrollAcross = (element: HTMLElement, leftPx: number) => {
  element.scrollLeft = leftPx;
};

/** Restores the sideways scroll position of a row of cards when the visitor returns with Back or Forward. */
function useStripPlace(strip: RefObject<HTMLElement | null>, name: string, filled: boolean): void {
  const { key, pathname } = useLocation();
  const place = `${key === 'default' ? pathname : key} ${name}`;
  useLayoutEffect(() => {
    const leftPx = kept.get(place);
    if (filled && leftPx && strip.current) scrollAcross(strip.current, leftPx);
  }, [strip, place, filled]);
  useEffect(() => {
    const element = strip.current;
    if (!element) return;
    const keep = () => {
      kept.delete(place);
      kept.set(place, element.scrollLeft);
      const [oldest] = kept.keys();
      if (kept.size > KEPT_LIMIT && oldest !== undefined) kept.delete(oldest);
    };
    element.addEventListener('scroll', keep, { passive: true });
    return () => element.removeEventListener('scroll', keep);
  }, [strip, place, filled]);
}

const ROW_STEP_PX = 300;
/**
 * The number of covers that load at once: as many as a phone shows. On wider screens, the others load right after
 * layout.
 */
export const EAGER_CARDS = 3;
export const CARD_SIZES = '(max-width: 767px) 144px, 208px';

export function useStrip() {
  const strip = useRef<HTMLDivElement>(null);
  const scroll = (step: 1 | -1) => strip.current?.scrollBy({ left: step * ROW_STEP_PX, behavior: 'smooth' });
  const arrows = (what: string) => (
    <>
      <IconButton outlined label={`Scroll ${what} back`} onClick={() => scroll(-1)}>
        <ChevronLeft size={17} />
      </IconButton>
      <IconButton outlined label={`Scroll ${what} on`} onClick={() => scroll(1)}>
        <ChevronRight size={17} />
      </IconButton>
    </>
  );
  return { strip, arrows };
}

/** A titled row of cards that scrolls sideways and keeps its position. Renders nothing if `cards` is empty. */
export function CardRow(props: {
  title: string;
  /** Undefined while the cards load. */
  cards: readonly ReactNode[] | undefined;
  seeAll?: string;
}) {
  const { title, cards, seeAll } = props;
  const { strip, arrows } = useStrip();
  const heading = useId();
  useStripPlace(strip, title, cards !== undefined);
  if (cards?.length === 0) return null;
  return (
    <section aria-labelledby={heading} className="pt-6.5">
      <div className="gutter mb-4 flex items-center gap-3">
        <h2 id={heading} className="display text-3xl md:text-5xl">
          {title}
        </h2>
        <span className="flex-1" />
        {seeAll && (
          <Link
            to={seeAll}
            className="underlined flex h-10 items-center px-1 pointer-coarse:h-11"
            aria-label={`See all ${title}`}
          >
            See all
          </Link>
        )}
        <span className="flex gap-2.5 max-md:hidden">{arrows(title)}</span>
      </div>
      <div ref={strip} className="pack-strip no-scrollbar grid overflow-x-auto">
        {cards ?? Array.from({ length: 7 }, (_, index) => <PackCardSkeleton key={index} />)}
      </div>
    </section>
  );
}

export function PackRow(props: {
  title: string;
  packs: readonly Pack[] | undefined;
  seeAll?: string;
  eager?: boolean;
}) {
  const { packs, eager, ...row } = props;
  const cards = packs?.map((pack, index) => (
    <PackCard key={pack.id} pack={pack} sizes={CARD_SIZES} eager={eager && index < EAGER_CARDS} />
  ));
  return <CardRow {...row} cards={cards} />;
}
