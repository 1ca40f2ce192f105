import { useCallback, useEffect, useRef, useState } from 'react';
import type { Sample } from '../../../../application/catalogue/contract.js';
import { fetchSwipe } from '../../api/catalogue.js';

export const SLIDE_MS = 450;
export const RELOAD_BELOW = 10;
export const PICK_TRIES = 10;

/** A random sample other than the current one, within ten tries. @param random 0 up to 1 */
export function pickNext(
  pool: readonly Sample[],
  currentId: string | undefined,
  random = Math.random,
): Sample | null {
  let picked: Sample | null = null;
  for (let attempt = 0; attempt < PICK_TRIES; attempt += 1) {
    picked = pool[Math.floor(random() * pool.length)] ?? null;
    if (picked?.id !== currentId) break;
  }
  return picked;
}

export type SlideDirection = 'left' | 'right';

/** The samples still to be judged, the one on top, and how it leaves. */
export function useDeck(genres: readonly string[]) {
  const [pool, setPool] = useState<readonly Sample[]>([]);
  const [current, setCurrent] = useState<Sample | null>(null);
  const [sliding, setSliding] = useState<SlideDirection | null>(null);
  const [status, setStatus] = useState<'loading' | 'ready' | 'failed'>('loading');
  const seen = useRef<string[]>([]);
  const slide = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const wanted = genres.join('|');
  const [dealtFor, setDealtFor] = useState(wanted);
  if (dealtFor !== wanted) {
    setDealtFor(wanted);
    setPool([]);
    setCurrent(null);
    setStatus('loading');
  }
  // A visitor who leaves during a slide must not hear the next card on another page.
  useEffect(() => () => clearTimeout(slide.current), []);

  const load = useCallback(
    (signal: AbortSignal) => {
      const asked = wanted === '' ? [undefined] : wanted.split('|');
      const ask = async (exclude: readonly string[]) => {
        const pages = await Promise.all(asked.map((genre) => fetchSwipe(genre, exclude, signal)));
        return pages.flatMap(({ items }) => items);
      };
      const deal = async () => {
        const found = await ask(seen.current);
        if (signal.aborted || found.length > 0 || seen.current.length === 0) return found;
        // Everything was shown once: the bin starts over.
        seen.current = [];
        return ask([]);
      };
      deal().then(
        (found) => {
          // The visitor may have chosen other genres in between.
          if (signal.aborted) return;
          setPool((now) => [...new Map([...now, ...found].map((sample) => [sample.id, sample])).values()]);
          setCurrent((now) => now ?? pickNext(found, undefined));
          setStatus('ready');
        },
        () => signal.aborted || setStatus('failed'),
      );
    },
    [wanted],
  );

  /** Ends what was asked for the genres chosen before. */
  const asking = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    asking.current = controller;
    seen.current = [];
    load(controller.signal);
    return () => controller.abort();
  }, [load]);

  const reload = useCallback(() => {
    setStatus('loading');
    load(asking.current.signal);
  }, [load]);

  /** Slides the top card out; only then the next one lies on top. */
  const leave = useCallback(
    (direction: SlideDirection, then?: (next: Sample | null) => void) => {
      if (sliding || !current) return;
      setSliding(direction);
      slide.current = setTimeout(() => {
        seen.current.push(current.id);
        const rest = pool.filter(({ id }) => id !== current.id);
        const next = pickNext(rest.length > 0 ? rest : pool, current.id);
        setPool(rest);
        setCurrent(next);
        setSliding(null);
        if (rest.length < RELOAD_BELOW) load(asking.current.signal);
        then?.(next);
      }, SLIDE_MS);
    },
    [sliding, current, pool, load],
  );
  return { current, count: pool.length, sliding, status, leave, reload };
}
