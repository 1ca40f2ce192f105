import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Sample } from '../../../../application/catalogue/contract.js';
import { queryKeyOf } from '../../api/api.js';
import { fetchSwipe } from '../../api/catalogue.js';

export const SLIDE_MS = 450;
const RELOAD_BELOW = 10;
export const PICK_TRIES = 10;

/**
 * Picks a random sample. Tries ten times to find one other than the current sample.
 * @param random returns a number from 0 up to, but not including, 1
 */
export function pickNext(pool: readonly Sample[], currentId: string | undefined, random = Math.random) {
  let picked: Sample | null = null;
  for (let attempt = 0; attempt < PICK_TRIES; attempt += 1) {
    picked = pool[Math.floor(random() * pool.length)] ?? null;
    if (picked?.id !== currentId) break;
  }
  return picked;
}

export type SlideDirection = 'left' | 'right';

/** Fetches pages of samples, without those that the visitor has judged since the deck last started over. */
const dealsQuery = (genres: readonly string[], judged: readonly string[]) =>
  infiniteQueryOptions({
    queryKey: [...queryKeyOf('GET /api/swipe'), genres] as const,
    queryFn: async ({ signal, pageParam: { from, to } }) => {
      const ask = async (exclude: readonly string[]) => {
        const asked = genres.length > 0 ? genres : [undefined];
        const answers = await Promise.all(asked.map((genre) => fetchSwipe(genre, exclude, signal)));
        return answers.flatMap(({ items }) => items);
      };
      const exclude = judged.slice(from, to);
      const fresh = await ask(exclude);
      // The deck starts over if the visitor has judged all samples.
      const over = fresh.length === 0 && exclude.length > 0;
      const items = over ? await ask([]) : fresh;
      const top = pickNext(items, undefined);
      return { items: top ? [top, ...items] : [], from: over ? to : from, to };
    },
    initialPageParam: { from: 0, to: 0 },
    getNextPageParam: ({ from }) => ({ from, to: judged.length }),
    staleTime: 'static',
    gcTime: 0,
  });

/** Returns the top sample, and functions to slide it out and to load more. Each choice of genres has its own deck. */
export function useDeck(genres: readonly string[]) {
  const [judged, setJudged] = useState<readonly string[]>([]);
  const [picked, setPicked] = useState<Sample | null>(null);
  const [ahead, setAhead] = useState<Sample | null>(null);
  const [sliding, setSliding] = useState<SlideDirection | null>(null);
  const slide = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  // A visitor who leaves during a slide must not hear the next card on another page.
  useEffect(() => () => clearTimeout(slide.current), []);

  const { data, isFetching, isError, refetch, fetchNextPage } = useInfiniteQuery(dealsQuery(genres, judged));
  const dealt = (data?.pages ?? []).flatMap(({ items, to }) =>
    items.filter(({ id }) => judged.lastIndexOf(id) < to),
  );
  const pool = [...new Map(dealt.map((sample) => [sample.id, sample])).values()];
  const current = picked ?? pool[0] ?? null;
  const others = pool.filter(({ id }) => id !== current?.id);
  /** The sample of the card below the current card; null if there is no other card. */
  const next = others.find(({ id }) => id === ahead?.id) ?? others[0] ?? null;

  const dealMore = useEffectEvent(() => {
    if (judged.length > 0 && pool.length < RELOAD_BELOW) void fetchNextPage({ cancelRefetch: false });
  });
  useEffect(() => dealMore(), [judged]);

  /** Slides the top card out, then puts the next card on top, or the same card again if there is no other. */
  const leave = (direction: SlideDirection, then?: (next: Sample | null) => void) => {
    if (sliding || !current) return;
    setSliding(direction);
    slide.current = setTimeout(() => {
      const top = next ?? current;
      setJudged([...judged, current.id]);
      setPicked(top);
      setAhead(pickNext(others, top.id));
      setSliding(null);
      then?.(top);
    }, SLIDE_MS);
  };
  const status = current ? 'ready' : isFetching ? 'loading' : isError ? 'failed' : 'ready';
  const reload = () => void (data ? fetchNextPage() : refetch());
  return { current, next, sliding, status, leave, reload };
}
