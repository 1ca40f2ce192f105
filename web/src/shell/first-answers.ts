import type { QueryKey } from '@tanstack/react-query';
import { queryClient } from '../api/query-client.js';
import { currentSession, sessionKnown } from '../session/session.js';

let hydrate: () => void;
const hydrated = new Promise<void>((resolve) => (hydrate = resolve));

/** Announces that React has hydrated the screen. Until then, `start.js` holds back presses of buttons. */
export function announceHydration(): void {
  hydrate();
  document.dispatchEvent(new Event('hydrated'));
}

/** Uses the answers in the server's page. They contain nothing personal, so they are refetched for a signed-in user. */
export function takeFirstAnswers(session: Promise<void>): void {
  const text = document.getElementById('first-answers')?.textContent;
  const answers = JSON.parse(text || '[]') as [QueryKey, unknown][];
  for (const [key, answer] of answers) queryClient.setQueryData(key, answer);
  void Promise.all([session.then(sessionKnown), hydrated]).then(() => {
    if (!currentSession().user) return;
    for (const [queryKey] of answers) void queryClient.invalidateQueries({ queryKey, exact: true });
  });
}
