import { useMutation } from '@tanstack/react-query';
import { useEffect, useId } from 'react';
import type { OwnPack } from '../../../../application/publishing/contract.js';
import { packsChanged } from '../../api/changes.js';
import { sendOnce } from '../../api/transport/idempotency-key.js';
import { Button } from '../../ui/button.js';
import { toast } from '../../ui/overlays/toast.js';
import { GRID, hasKeptDrafts } from './grid/kept-drafts.js';
import { saidBy, setDefaultCost } from './pack-actions.js';
import { reloadPack } from './write-pack.js';

interface UnsavedWork {
  /** The name of the unsaved work in messages, such as "Grid". */
  what: string;
  /** Resolves to the reason why something could not be saved, or undefined if all was saved. */
  save: () => Promise<string | undefined>;
}

const unsaved = new Map<string, UnsavedWork>();

/** Called by a side panel with true while closing it would lose changes. */
export type OnDirty = (isDirty: boolean) => void;

/** Registers unsaved changes with the button "Save & Update" and with the side panel that contains them. */
export function useUnsavedWork(isDirty: boolean, work: UnsavedWork, onDirty?: OnDirty): void {
  const id = useId();
  useEffect(() => onDirty?.(isDirty), [isDirty, onDirty]);
  useEffect(() => {
    if (!isDirty) return;
    unsaved.set(id, work);
    return () => void unsaved.delete(id);
  });
}

/** Saves a form as `UnsavedWork` asks. @param store resolves to nothing if the pack changed elsewhere */
export async function saveForm<Values>(
  form: { handleSubmit: (send: (values: Values) => Promise<void>) => () => Promise<void> },
  store: (values: Values) => Promise<unknown>,
): Promise<string | undefined> {
  let left: string | undefined = 'a field needs correcting.';
  await form.handleSubmit(async (values) => {
    left = (await store(values)) ? undefined : 'changed elsewhere.';
  })();
  return left;
}

/** Saves all unsaved work, or reloads the pack if there is none. Reports what could not be saved. */
async function saveAndUpdate(pack: OwnPack, creditCost: number): Promise<void> {
  const works = [...unsaved.values()];
  if (hasKeptDrafts(pack.id) && !works.some(({ what }) => what === GRID)) {
    const save = async () => (await import('./grid/save-grid.js')).saveKeptDrafts(pack);
    works.push({ what: GRID, save });
  }
  if (creditCost !== pack.defaultCreditCost) {
    const save = async () =>
      (await setDefaultCost(pack, creditCost, false)) ? undefined : 'changed elsewhere.';
    works.push({ what: 'Default cost', save });
  }
  if (works.length === 0)
    works.push({
      what: 'Pack',
      save: async () => void (await reloadPack(pack.slug, { throwOnError: true })),
    });
  const left: string[] = [];
  let failed = false;
  for (const { what, save } of works) {
    try {
      const reason = await save();
      if (reason) left.push(`${what}: ${reason}`);
    } catch (error) {
      failed = true;
      left.push(`${what}: ${saidBy(error) ?? 'not saved.'}`);
    }
  }
  packsChanged();
  if (left.length === 0) toast({ title: 'Changes saved and updated across the site!' });
  else {
    toast({
      title: failed ? 'Error saving changes. Please try again.' : 'Not everything was saved',
      description: left.join(' '),
      tone: 'danger',
    });
  }
}

export interface Saving {
  save: () => void;
  isSaving: boolean;
}

/**
 * Returns a function that saves the changes of the open sample, the unsaved cells of the grid and the default price.
 * The function does nothing while a save is in progress.
 */
export function useSaving(pack: OwnPack | undefined, defaultCost: number): Saving {
  const { mutate, isPending } = useMutation({
    mutationFn: async () => pack && sendOnce(`save ${pack.id}`, () => saveAndUpdate(pack, defaultCost)),
  });
  return { save: () => isPending || mutate(), isSaving: isPending };
}

/** The button that saves everything. It is beside the title, or above the open grid. */
export function SaveButton({ save, isSaving }: Saving) {
  return (
    <Button busy={isSaving} onClick={save}>
      Save &amp; Update
    </Button>
  );
}
