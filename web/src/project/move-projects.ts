import { api } from '../api/api.js';
import { invalidate } from '../api/query-client.js';
import { explainUnsaved, guestProjects, keepForGuest } from './projects.js';

let moving = false;

/** Moves the projects of the guest into the account. Those that the account has no room for stay in the browser. */
export async function moveIntoAccount(): Promise<void> {
  if (moving) return;
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
