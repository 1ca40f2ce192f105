import { useState } from 'react';
import type { PackDetail } from '../../../application/catalogue/contract.js';
import { sendAppEvent } from '../api/events.js';
import { api } from '../api/api.js';
import { openSignIn } from '../session/sign-in-request.js';
import { useSession } from '../session/session.js';
import { toast } from '../ui/overlays/toast.js';
import { useSaved } from './saved.js';

/** Saves a whole pack to the library, or removes it. */
export function usePackSave(pack: PackDetail): { saved: boolean; busy: boolean; toggle: () => void } {
  const { status } = useSession();
  const [busy, setBusy] = useState(false);
  const saved = useSaved(pack);
  const toggle = async () => {
    if (status !== 'signed-in') {
      toast({
        title: 'Sign in required',
        description: 'Please sign in to save tracks.',
        tone: 'info',
        action: { label: 'Sign in', onPress: () => openSignIn() },
      });
      return;
    }
    const params = { itemId: pack.id };
    setBusy(true);
    sendAppEvent('saved-changed', { itemId: pack.id, saved: !saved });
    try {
      if (saved) await api('DELETE /api/library/saved/:itemId', { params });
      else {
        const body = {
          id: pack.id,
          type: 'pack' as const,
          title: pack.title,
          creator: pack.creator.displayName,
          genre: pack.genre,
          mood: pack.mood,
          ...(pack.artworkUrl && { artwork: pack.artworkUrl }),
        };
        await api('PUT /api/library/saved/:itemId', { params, body });
      }
      // Said again now that the server knows, so that lists that reload get the new state.
      sendAppEvent('saved-changed', { itemId: pack.id, saved: !saved });
      toast(
        saved
          ? { title: 'Removed', description: 'Pack removed from your library', tone: 'info' }
          : { title: 'Saved', description: 'Pack saved to your library' },
      );
    } catch {
      sendAppEvent('saved-changed', { itemId: pack.id, saved });
      toast({
        title: 'Error',
        description: saved ? 'Failed to remove pack' : 'Failed to save pack',
        tone: 'danger',
      });
    } finally {
      setBusy(false);
    }
  };
  return { saved, busy, toggle: () => void toggle() };
}
