import { useEffect, useId } from 'react';
import { guardLeaving } from '../../navigation.js';
import { askConfirm } from '../overlays/alerts.js';

const unsaved = new Set<string>();

export const askDiscard = (): Promise<boolean> =>
  askConfirm({
    title: 'Discard changes?',
    message: 'Your changes here are not saved.',
    confirmLabel: 'Discard',
    destructive: true,
  });

/** Forgets all unsaved changes, because they were saved or their subject is gone. */
export function forgetUnsaved(): void {
  unsaved.clear();
}

export function useUnsaved(isDirty: boolean): void {
  const id = useId();
  useEffect(() => {
    if (!isDirty) return;
    unsaved.add(id);
    return () => void unsaved.delete(id);
  }, [id, isDirty]);
}

const tabOf = ({ search }: { search: string }) => new URLSearchParams(search).get('tab');

/** Asks before the visitor leaves a page with unsaved changes. Use it once per screen. */
export function useLeaveQuestion(): void {
  useEffect(
    () =>
      guardLeaving({
        holds: (from, to, action) =>
          unsaved.size > 0 &&
          // A rename replaces the address of the page, and loses no changes.
          ((from.pathname !== to.pathname && action !== 'REPLACE') || tabOf(from) !== tabOf(to)),
        ask: askDiscard,
      }),
    [],
  );
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => unsaved.size > 0 && event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, []);
}
