import { type ReactNode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import type { RouteObject } from 'react-router-dom';
import { takeFirstAnswers } from './first-answers.js';
import { pageAt } from './page-at.js';

/**
 * Hydrates the server-rendered page in small steps that the visitor does not notice. Loads the screen's file first,
 * because a loading state must never replace rendered content.
 */
export async function hydratePage(
  root: HTMLElement,
  app: ReactNode,
  routes: RouteObject[],
  session: Promise<void>,
): Promise<void> {
  takeFirstAnswers(session);
  // `keepPartsComing` handles a file that cannot be loaded.
  await pageAt(routes, window.location)
    ?.load()
    .catch(() => undefined);
  startTransition(() => void hydrateRoot(root, app));
}
