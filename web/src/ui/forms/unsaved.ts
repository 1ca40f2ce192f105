import { useEffect, useId } from 'react';
import { useBlocker } from 'react-router-dom';
import { askConfirm } from '../overlays/alerts.js';

/** Forms on screen that hold changes which are not saved. */
const unsaved = new Set<string>();

/** Asks whether changes may be lost. */
export const askDiscard = (): Promise<boolean> =>
  askConfirm({
    title: 'Discard changes?',
    message: 'Your changes here are not saved.',
    confirmLabel: 'Discard',
    destructive: true,
  });

/** Nothing on screen is worth asking about any more: it was saved, or what it belongs to is gone. */
export function forgetUnsaved(): void {
  unsaved.clear();
}

/** Tells that a form holds changes which leaving would lose. */
export function useUnsaved(isDirty: boolean): void {
  const id = useId();
  useEffect(() => {
    if (!isDirty) return;
    unsaved.add(id);
    return () => void unsaved.delete(id);
  }, [id, isDirty]);
}

const tabOf = ({ search }: { search: string }) => new URLSearchParams(search).get('tab');

/** Asks before a page with unsaved changes is left, by a link, by back or by closing. Once a screen. */
export function useLeaveQuestion(): void {
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to, historyAction }) =>
      unsaved.size > 0 &&
      // Replacing the address only follows a new name of the page.
      ((from.pathname !== to.pathname && historyAction !== 'REPLACE') || tabOf(from) !== tabOf(to)),
  );
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    void askDiscard().then((sure) => (sure ? blocker.proceed() : blocker.reset()));
  }, [blocker]);
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => unsaved.size > 0 && event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, []);
}
