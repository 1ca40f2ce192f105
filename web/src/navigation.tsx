import { type ReactNode, startTransition, useLayoutEffect, useState } from 'react';
import {
  type Location,
  type NavigationType,
  type Navigator,
  type Path,
  Router,
  type UNSAFE_createBrowserHistory as createBrowserHistory,
  parsePath,
} from 'react-router-dom';
import { held } from './held.js';
import { placeKey } from './ui/overlays/back.js';

type History = Omit<ReturnType<typeof createBrowserHistory>, 'createURL'>;

interface Shown {
  location: Location;
  action: NavigationType;
}

/** Decides whether a navigation would lose unsaved changes, and asks the visitor to agree to it. */
interface Guard {
  holds: (from: Path, to: Path, action: NavigationType) => boolean;
  ask: () => Promise<boolean>;
}

let guard: Guard | undefined;
/** The visitor has agreed to lose changes, so the next navigation does not ask again. */
let isAgreed = false;

export function guardLeaving(next: Guard): () => void {
  guard = next;
  isAgreed = false;
  return () => void (guard === next && (guard = undefined));
}

/** Scroll positions of the pages that the visitor left, by `placeKey`. */
export const scrollTops: Record<string, number> = {};
/** Keys of locations that keep the scroll position of the previous location. */
export const unscrolled = new Set<string>();

export type Navigation = ReturnType<typeof navigationOver>;

/**
 * Moves between pages. Lets the guard ask before the visitor loses unsaved changes, and stores scroll positions. React
 * Router's equivalent would add 17 kB.
 */
export function navigationOver(history: History) {
  const shown = held<Shown>({ location: history.location, action: history.action });
  let isAsking = false;
  let undone: (() => void) | undefined;

  const mustAsk = (to: Path, action: NavigationType) => {
    if (!guard?.holds(shown.get().location, to, action)) return false;
    const asks = !isAgreed;
    isAgreed = false;
    return asks;
  };
  async function ask(proceed: () => void): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    isAgreed = (await guard?.ask()) ?? true;
    isAsking = false;
    if (isAgreed) proceed();
  }
  const moving =
    (move: 'push' | 'replace', action: NavigationType): Navigator['push'] =>
    (to, state, options) => {
      const path = { pathname: '/', search: '', hash: '', ...(typeof to === 'string' ? parsePath(to) : to) };
      const proceed = () => {
        isAgreed = false;
        history[move](to, state);
        if (options?.preventScrollReset) unscrolled.add(shown.get().location.key);
      };
      if (mustAsk(path, action)) void ask(proceed);
      else proceed();
    };

  history.listen(({ action, location, delta }) => {
    if (undone) {
      const again = undone;
      undone = undefined;
      return void ask(again);
    }
    if (action === 'POP' && delta && mustAsk(location, action as NavigationType)) {
      undone = () => history.go(delta);
      return history.go(-delta);
    }
    scrollTops[placeKey(shown.get().location)] = window.scrollY;
    shown.set({ location, action });
  });

  return {
    createHref: history.createHref,
    encodeLocation: history.encodeLocation,
    go: history.go,
    push: moving('push', 'PUSH' as NavigationType),
    replace: moving('replace', 'REPLACE' as NavigationType),
    shown: shown.get,
    listen: shown.subscribe,
  };
}

/** Gives React Router each new location. The current page stays on screen while the next one loads. */
export function NavigationRouter({ navigation, children }: { navigation: Navigation; children: ReactNode }) {
  const [{ location, action }, show] = useState(navigation.shown);
  useLayoutEffect(() => {
    return navigation.listen(() => startTransition(() => show(navigation.shown())));
  }, [navigation]);
  return (
    <Router location={location} navigationType={action} navigator={navigation}>
      {children}
    </Router>
  );
}
