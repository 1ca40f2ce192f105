import type { PackDetail } from '../../../application/catalogue/contract.js';
import { type PackToSave, askToSignIn } from '../session/after-sign-in.js';
import { useSession } from '../session/session.js';
import { toast } from '../ui/overlays/toast.js';
import { keepForAccount, type Saveable, useSaved, useSaving } from './saved.js';

export const saveablePack = ({ id, title, creator, genre, mood, artworkUrl }: PackToSave): Saveable => ({
  id,
  item: {
    id,
    type: 'pack',
    title,
    creator: creator.displayName,
    genre,
    mood,
    ...(artworkUrl && { artwork: artworkUrl }),
  },
  tell: {
    done: (saved) =>
      saved
        ? toast({ title: 'Saved', description: 'Pack saved to your library' })
        : toast({ title: 'Removed', description: 'Pack removed from your library', tone: 'info' }),
    failed: (saved) =>
      toast({
        title: 'Error',
        description: saved ? 'Failed to save pack' : 'Failed to remove pack',
        tone: 'danger',
      }),
  },
});

export function usePackSave(pack: PackDetail): { saved: boolean; busy: boolean; toggle: () => void } {
  const { status } = useSession();
  const saved = useSaved(pack);
  const { busy, save } = useSaving(pack.id);
  const toggle = () => {
    if (status === 'signed-in') return save({ thing: saveablePack(pack), saved: !saved });
    keepForAccount(saveablePack(pack).item);
    const { id, title, creator, genre, mood, artworkUrl } = pack;
    const intent = { kind: 'save-pack', pack: { id, title, creator, genre, mood, artworkUrl } } as const;
    askToSignIn('Please sign in to save tracks.', intent);
  };
  return { saved, busy, toggle };
}
