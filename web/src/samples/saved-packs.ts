import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type * as z from 'zod';
import type { PackDetail } from '../../../application/catalogue/contract.js';
import type { SavedPage } from '../../../application/library/contract.js';
import { sendAppEvent } from '../api/events.js';
import { api } from '../api/http.js';
import { openSignIn } from '../session/sign-in-request.js';
import { useSession } from '../session/session.js';
import { toast } from '../ui/toast.js';

/** What the visitor has saved, newest first. */
const savedQuery = {
  queryKey: ['library', 'saved', 'ids'],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    api.get<z.infer<typeof SavedPage>>('/api/library/saved', { query: { limit: 100 }, signal }),
} as const;

/** Saves a whole pack to the library, or removes it. */
export function usePackSave(pack: PackDetail): { saved: boolean; busy: boolean; toggle: () => void } {
  const { status } = useSession();
  const { data } = useQuery({ ...savedQuery, enabled: status === 'signed-in' });
  const [since, setSince] = useState<boolean | null>(null);
  const [busy, setBusy] = useState(false);
  const saved = since ?? data?.items.some(({ id }) => id === pack.id) ?? false;
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
    const address = `/api/library/saved/${encodeURIComponent(pack.id)}`;
    setBusy(true);
    setSince(!saved);
    try {
      if (saved) await api.delete(address);
      else {
        await api.put(address, {
          id: pack.id,
          type: 'pack',
          title: pack.title,
          creator: pack.creator.displayName,
          genre: pack.genre,
          mood: pack.mood,
          ...(pack.artworkUrl && { artwork: pack.artworkUrl }),
        });
      }
      sendAppEvent('saved-changed', { itemId: pack.id, saved: !saved });
      toast(
        saved
          ? { title: 'Removed', description: 'Pack removed from your library', tone: 'info' }
          : { title: 'Saved', description: 'Pack saved to your library' },
      );
    } catch {
      setSince(saved);
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
