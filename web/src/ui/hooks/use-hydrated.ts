import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** False on the server and during hydration, when a component must render nothing that only the browser knows. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
