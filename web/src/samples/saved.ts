import { useCallback, useState } from 'react';
import type { Sample } from '../../../application/catalogue/contract.js';
import type { SavedItem } from '../../../application/library/contract.js';
import { onAppEvent, sendAppEvent } from '../api/events.js';
import { api } from '../api/api.js';
import { ApiProblem } from '../api/http.js';
import { newestWord } from '../api/newest-word.js';
import { openSignIn } from '../session/sign-in-request.js';
import { currentSession, onUserChange } from '../session/session.js';
import { askConfirm } from '../ui/overlays/alerts.js';
import { formatDuration } from '../ui/format.js';
import { toast } from '../ui/overlays/toast.js';

/** Lists remove at once; the pack page and the pack editor ask first and have texts of their own. */
export type SavePlace = 'list' | 'pack' | 'editor';

const changed = newestWord('saved');
onAppEvent('saved-changed', ({ itemId, saved }) => changed.set([itemId], saved));
onUserChange(() => changed.clear());

/** Whether the visitor has saved a sample or a pack, by the newest word of it. */
export function useSaved(thing: { id: string; saved?: boolean | undefined }): boolean {
  const since = changed.use(thing.id);
  return since ?? thing.saved ?? false;
}

/** The sample as the library keeps it. */
export function savedItemOf(sample: Sample): SavedItem {
  return {
    id: sample.id,
    type: 'sample',
    title: sample.title,
    name: sample.title,
    artist: sample.creator.displayName,
    creator: sample.creator.handle,
    pack: sample.pack.title,
    genre: sample.genre,
    duration: formatDuration(sample.durationMs),
    bpm: sample.bpm,
    mood: sample.mood,
    instruments: sample.instruments,
    ...(sample.artworkUrl && { artwork: sample.artworkUrl }),
    ...(sample.previewUrl && { url: sample.previewUrl }),
    ...(sample.key && { keySignature: sample.key }),
  };
}

/** What is saved, in the words of the place. */
const thingIn = (place: SavePlace): 'sample' | 'track' => (place === 'editor' ? 'sample' : 'track');
const named = (place: SavePlace): string => (place === 'editor' ? 'Sample' : 'Track');

function tellSaved(sample: Sample, place: SavePlace): void {
  const undo = { label: 'Undo', onPress: () => void change(sample, false, place) };
  toast(
    place === 'list'
      ? { title: 'Saved!', description: 'Track added to your library', action: undo }
      : { title: 'Saved', description: `${named(place)} saved to your library`, action: undo },
  );
}

function tellRemoved(sample: Sample, place: SavePlace): void {
  const undo = { label: 'Undo', onPress: () => void change(sample, true, place) };
  const description = `${named(place)} removed from your library`;
  toast({ title: 'Removed', description, tone: 'info', action: undo });
}

function tellFailed(saved: boolean, place: SavePlace): void {
  if (place === 'editor') {
    return toast({ title: saved ? 'Failed to save sample' : 'Failed to remove sample', tone: 'danger' });
  }
  const saving = place === 'pack' ? 'Failed to save track' : 'Failed to save track. Please try again.';
  toast({ title: 'Error', description: saved ? saving : 'Failed to remove track', tone: 'danger' });
}

function askToSignIn(place: SavePlace): void {
  toast({
    title: 'Sign in required',
    description: `Please sign in to save ${thingIn(place)}s.`,
    tone: 'info',
    action: { label: 'Sign in', onPress: () => openSignIn() },
  });
}

/** Shows the new state at once and takes it back when the server refuses. */
async function change(sample: Sample, saved: boolean, place: SavePlace): Promise<void> {
  sendAppEvent('saved-changed', { itemId: sample.id, saved });
  try {
    const params = { itemId: sample.id };
    if (saved) await api('PUT /api/library/saved/:itemId', { params, body: savedItemOf(sample) });
    else await api('DELETE /api/library/saved/:itemId', { params });
    // Said again now that the server knows, so that lists that reload get the new state.
    sendAppEvent('saved-changed', { itemId: sample.id, saved });
    if (saved) tellSaved(sample, place);
    else tellRemoved(sample, place);
  } catch (error) {
    sendAppEvent('saved-changed', { itemId: sample.id, saved: !saved });
    // The session ended without this page noticing.
    if (error instanceof ApiProblem && error.status === 401) askToSignIn(place);
    else tellFailed(saved, place);
  }
}

/** Saves an unsaved sample and removes a saved one; `busy` while the server is asked. */
export function useSaveToggle(
  sample: Sample,
  place: SavePlace,
): { saved: boolean; busy: boolean; toggle: () => void } {
  const saved = useSaved(sample);
  const [busy, setBusy] = useState(false);
  const toggle = useCallback(async () => {
    if (busy) return;
    if (currentSession().status !== 'signed-in') return askToSignIn(place);
    if (saved && place !== 'list') {
      const thing = thingIn(place);
      const sure = await askConfirm({
        title: `Remove ${thing}?`,
        message: `Remove this ${thing} from your library?`,
        description: `Remove this ${thing} from your saved library?`,
        confirmLabel: 'Remove',
        destructive: true,
      });
      if (!sure) return;
    }
    setBusy(true);
    await change(sample, !saved, place);
    setBusy(false);
  }, [busy, saved, sample, place]);
  return { saved, busy, toggle: () => void toggle() };
}
