import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/**
 * Whether the page is the browser's own. False while it is drawn by the server and taken over from it: until then a
 * component draws nothing that only the browser knows.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
