import { useMutation } from '@tanstack/react-query';
import type { OwnPack } from '../../../../application/publishing/contract.js';
import { useFilePicker } from '../../ui/forms/file-picker.js';

/** Lets the creator choose an image as the cover of a pack. Does nothing until the pack is loaded. */
export function useCoverPicker(pack: OwnPack | undefined) {
  const { mutate, isPending } = useMutation({
    mutationFn: async (file: File) => pack && (await import('./replace-cover.js')).replaceCover(pack, file),
  });
  const picker = useFilePicker({
    label: 'Cover image',
    accept: '.jpg,.jpeg,.png,.webp,image/jpeg,image/png,image/webp',
    onFiles: ([file]) => file && mutate(file),
  });
  return { ...picker, isPending };
}
