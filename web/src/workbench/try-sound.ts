import type { Sample } from '../../../application/catalogue/contract.js';
import { paths } from '../../../application/pages/paths.js';
import { held } from '../held.js';
import { fetchPart } from '../shell/lazy-with-preload.js';

const drawer = held(false);

/** Whether the workbench lies over the page. */
export const useWorkbenchDrawer = drawer.use;
export const closeWorkbenchDrawer = (): void => drawer.set(false);

/** Whether a page is the workbench itself, which has its own player. */
export const isWorkbenchAt = (pathname: string): boolean => pathname.startsWith(paths.workbench);

/** Adds samples to the workbench, and shows it over the page. */
export async function tryInWorkbench(...samples: readonly Sample[]): Promise<void> {
  drawer.set(true);
  const file = await fetchPart(() => import('./saving.js'));
  for (const sample of samples) await file?.tryHere(sample);
}
