import { kept } from '../kept.js';
import { GUEST_PROJECTS, GUEST_WORKBENCHES } from './project.js';
import { currentSession, onSessionEvent } from '../session/session.js';
import { fetchAhead } from '../shell/lazy-with-preload.js';

/** Moves projects and workbenches of a guest into the account after each sign-in, until the returned function is called. */
export const keepProjectsMoved = (): (() => void) =>
  onSessionEvent(() => {
    if (currentSession().status !== 'signed-in' || !(kept(GUEST_PROJECTS) ?? kept(GUEST_WORKBENCHES))) return;
    void fetchAhead(() => import('./move-projects.js')).then((file) => file?.moveIntoAccount());
  });
