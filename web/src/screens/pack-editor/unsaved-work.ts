import { useEffect, useId } from 'react';

/** A part of the editor with unsaved changes. */
export interface UnsavedWork {
  /** Its name, as the creator reads it. */
  what: string;
  /** Resolves to the reason why something could not be saved; undefined when everything was saved. */
  save: () => Promise<string | undefined>;
}

const unsaved = new Map<string, UnsavedWork>();

export const unsavedWork = (): UnsavedWork[] => [...unsaved.values()];

/** Registers unsaved changes for the button that saves everything. */
export function useUnsavedWork(isDirty: boolean, work: UnsavedWork): void {
  const id = useId();
  useEffect(() => {
    if (!isDirty) return;
    unsaved.set(id, work);
    return () => void unsaved.delete(id);
  });
}
