import type { QueryKey } from '@tanstack/react-query';
import { queryClient } from '../api/query-client.js';
import { currentSession, sessionKnown } from '../session/session.js';

let hydrate: () => void;
const hydrated = new Promise<void>((resolve) => (hydrate = resolve));

/** Tells that the screen that the server drew is the browser's now; `start.js` waits for it with held presses. */
export function announceHydration(): void {
  hydrate();
  document.dispatchEvent(new Event('hydrated'));
}

/**
 * Takes over the answers that the server put into the page, so that nothing is asked twice. They are everybody's: whoever
 * turns out to be signed in is asked for anew, once nothing on screen waits to be taken over.
 * @param session resolves when it is known who is signed in
 */
export function takeFirstAnswers(session: Promise<void>): void {
  const text = document.getElementById('first-answers')?.textContent;
  const answers = JSON.parse(text || '[]') as [QueryKey, unknown][];
  for (const [key, answer] of answers) queryClient.setQueryData(key, answer);
  void Promise.all([session.then(sessionKnown), hydrated]).then(() => {
    if (!currentSession().user) return;
    for (const [queryKey] of answers) void queryClient.invalidateQueries({ queryKey, exact: true });
  });
}
