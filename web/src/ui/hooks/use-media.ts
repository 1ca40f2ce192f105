import { useCallback, useSyncExternalStore } from 'react';

export function useMedia(query: string): boolean {
  // Memoised, because a new function would subscribe again on every render.
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}
