import { useEffect } from 'react';

/** Writes a failed load to the console; the page shows what it has. */
export function useLogged(what: string, error: unknown): void {
  useEffect(() => {
    if (error) console.error(`${what} could not be loaded.`, error);
  }, [what, error]);
}
