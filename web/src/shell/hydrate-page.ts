import { type ReactNode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import type { RouteObject } from 'react-router-dom';
import { takeFirstAnswers } from './first-answers.js';
import { pageAt } from './page-at.js';

/**
 * Makes the page that the server drew the browser's own, in small steps that nobody feels. The screen's file is there
 * first: what is taken over must never be replaced by its loading state.
 */
export async function hydratePage(
  root: HTMLElement,
  app: ReactNode,
  routes: RouteObject[],
  session: Promise<void>,
): Promise<void> {
  takeFirstAnswers(session);
  // Where the file does not come, `keepPartsComing` sees to it.
  await pageAt(routes, window.location)
    ?.load()
    .catch(() => undefined);
  startTransition(() => void hydrateRoot(root, app));
}
