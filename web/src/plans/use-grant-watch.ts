import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { query } from '../api/api.js';
import { planChanged } from '../api/changes.js';

export const POLL_MS = 1_500;
export const SLOW_AFTER_MS = 45_000;
const SLOW_POLL_MS = 10_000;

export type GrantState =
  | { state: 'waiting'; slow: boolean }
  | { state: 'arrived'; credits: number; balance: number }
  | { state: 'off' };

/** Polls until the credits of a payment arrive. @param known ids of the earlier lots; null: any lot is new */
export function useGrantWatch(
  known: readonly string[] | null,
  { enabled }: { enabled: boolean },
): GrantState {
  const [slow, setSlow] = useState(false);
  const [arrival, setArrival] = useState<{ known: typeof known; credits: number; balance: number } | null>(
    null,
  );
  // Credits of an earlier payment do not count for a later one.
  const found = arrival?.known === known ? arrival : null;
  const watching = enabled && found === null;
  const { data } = useQuery({
    ...query('GET /api/credits'),
    enabled,
    staleTime: 0,
    refetchInterval: watching ? (slow ? SLOW_POLL_MS : POLL_MS) : false,
  });
  useEffect(() => {
    if (!watching) return;
    const timer = setTimeout(() => setSlow(true), SLOW_AFTER_MS);
    return () => clearTimeout(timer);
  }, [watching]);
  const fresh = data?.lots.filter(
    ({ id, source }) =>
      (source === 'monthly_grant' || source === 'top_up') && (known === null || !known.includes(id)),
  );
  const newest = fresh?.at(-1);
  if (watching && data && newest)
    setArrival({ known, credits: newest.creditsGranted, balance: data.balance });
  useEffect(() => {
    // Refreshes this tab and the tab that opened the payment page.
    if (found) planChanged();
  }, [found]);
  if (!enabled) return { state: 'off' };
  return found
    ? { state: 'arrived', credits: found.credits, balance: found.balance }
    : { state: 'waiting', slow };
}
