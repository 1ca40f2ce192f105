import { useEffect, useId } from 'react';

export interface UnsavedWork {
  /** The name that the creator sees. */
  what: string;
  /** Resolves to the reason why something could not be saved, or undefined if all was saved. */
  save: () => Promise<string | undefined>;
}

const unsaved = new Map<string, UnsavedWork>();

export const unsavedWork = (): UnsavedWork[] => [...unsaved.values()];

/** Registers unsaved changes with the button that saves everything. */
export function useUnsavedWork(isDirty: boolean, work: UnsavedWork): void {
  const id = useId();
  useEffect(() => {
    if (!isDirty) return;
    unsaved.set(id, work);
    return () => void unsaved.delete(id);
  });
}
