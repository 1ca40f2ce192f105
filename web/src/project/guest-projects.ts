import { kept } from '../kept.js';
import { GUEST_PROJECTS, GUEST_WORKBENCHES } from './project.js';
import { currentSession, onSessionEvent } from '../session/session.js';
import { fetchAhead } from '../shell/lazy-with-preload.js';

const fetchMoves = {
  [GUEST_PROJECTS]: () => import('./move-projects.js'),
  [GUEST_WORKBENCHES]: () => import('../workbench/saving.js'),
};

/** Moves projects and workbenches of a guest into the account after each sign-in, until the returned function is called. */
export const keepProjectsMoved = (): (() => void) =>
  onSessionEvent(() => {
    if (currentSession().status !== 'signed-in') return;
    for (const [key, fetch] of Object.entries(fetchMoves))
      if (kept(key)) void fetchAhead(fetch).then((file) => file?.moveIntoAccount());
  });
