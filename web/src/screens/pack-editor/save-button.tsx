import { useMutation } from '@tanstack/react-query';
import type { OwnPack } from '../../../../application/publishing/contract.js';
import { Button } from '../../ui/button.js';
import { saveAndUpdate } from './pack-actions.js';

export interface Saving {
  save: () => void;
  isSaving: boolean;
}

/** Saves everything on the screen. Does nothing while a save is in progress. */
export function useSaving(pack: OwnPack | undefined, defaultCost: number): Saving {
  const { mutate, isPending } = useMutation({
    mutationFn: async () => pack && saveAndUpdate(pack, defaultCost),
  });
  return { save: () => isPending || mutate(), isSaving: isPending };
}

/** The one button that saves. It is beside the title, or above the open grid, where it stays visible. */
export function SaveButton({ save, isSaving }: Saving) {
  return (
    <Button busy={isSaving} onClick={save}>
      Save &amp; Update
    </Button>
  );
}
