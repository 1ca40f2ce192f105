import { useEffect } from 'react';

/** Logs a failed load to the console; the page shows the data it has. */
export function useLogged(what: string, error: unknown): void {
  useEffect(() => {
    if (error) console.error(`${what} could not be loaded.`, error);
  }, [what, error]);
}
