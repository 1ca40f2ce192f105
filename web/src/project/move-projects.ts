import { api } from '../api/api.js';
import { invalidate } from '../api/query-client.js';
import { kept } from '../kept.js';
import { fetchAhead } from '../shell/lazy-with-preload.js';
import { GUEST_WORKBENCHES } from './project.js';
import { explainUnsaved, guestProjects, keepForGuest } from './projects.js';

let moving = false;

/** Moves projects and workbenches of the guest into the account. Those that could not be moved stay in the browser. */
export async function moveIntoAccount(): Promise<void> {
  if (moving) return;
  if (kept(GUEST_WORKBENCHES))
    void fetchAhead(() => import('../workbench/saving.js')).then((file) => file?.moveIntoAccount());
  moving = true;
  try {
    for (const project of guestProjects().toReversed()) {
      await api('POST /api/projects', { body: project });
      keepForGuest(guestProjects().filter(({ id }) => id !== project.id));
    }
  } catch (error) {
    explainUnsaved(error);
  } finally {
    moving = false;
    void invalidate('GET /api/projects');
  }
}
