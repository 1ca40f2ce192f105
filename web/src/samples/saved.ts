import { mutationOptions, useMutation } from '@tanstack/react-query';
import type { Sample } from '../../../application/catalogue/contract.js';
import type { SavedItem } from '../../../application/library/contract.js';
import { api } from '../api/api.js';
import { ApiProblem } from '../api/transport/http.js';
import { say, useWord } from '../api/newest-word.js';
import { queryClient } from '../api/query-client.js';
import { openSignIn } from '../session/sign-in-request.js';
import { isSignedIn } from '../session/session.js';
import { askConfirm } from '../ui/overlays/alerts.js';
import { formatDuration } from '../ui/format.js';
import { toast } from '../ui/overlays/toast.js';

/** Lists remove at once; the pack page and the pack editor ask first and have texts of their own. */
export type SavePlace = 'list' | 'pack' | 'editor';

/** Whether the visitor has saved a sample or a pack, by its newest state. */
export const useSaved = ({ id, saved }: { id: string; saved?: boolean | undefined }): boolean =>
  useWord('saved', id) ?? saved ?? false;

/** Saves a thing (true) or removes it: shown at once, and taken back when the server refuses. */
export const saving = (
  itemId: string,
  item: SavedItem,
  tell: { done: (saved: boolean) => void; failed: (saved: boolean, error: Error) => void },
) =>
  mutationOptions({
    mutationFn: (saved: boolean): Promise<unknown> => {
      const params = { itemId };
      return saved
        ? api('PUT /api/library/saved/:itemId', { params, body: item })
        : api('DELETE /api/library/saved/:itemId', { params });
    },
    onMutate: (saved) => say('saved', [itemId], saved, []),
    onSuccess: (_, saved) => {
      // Said again now that the server knows, so that lists that reload get the new state.
      say('saved', [itemId], saved, ['GET /api/library/saved']);
      tell.done(saved);
    },
    onError: (error, saved) => {
      say('saved', [itemId], !saved, ['GET /api/library/saved']);
      tell.failed(saved, error);
    },
  });

/** A button of a toast, which may outlive what showed it. */
export const savingAction = (label: string, options: ReturnType<typeof saving>, saved: boolean) => ({
  label,
  onPress: () =>
    void queryClient
      .getMutationCache()
      .build(queryClient, options)
      .execute(saved)
      .catch(() => undefined),
});

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

function notifyDone(sample: Sample, saved: boolean, place: SavePlace): void {
  const action = savingAction('Undo', savingSample(sample, place), !saved);
  if (!saved) {
    toast({
      title: 'Removed',
      description: `${named(place)} removed from your library`,
      tone: 'info',
      action,
    });
  } else if (place === 'list') {
    toast({ title: 'Saved!', description: 'Track added to your library', action });
  } else {
    toast({ title: 'Saved', description: `${named(place)} saved to your library`, action });
  }
}

function notifyFailed(saved: boolean, place: SavePlace): void {
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

const savingSample = (sample: Sample, place: SavePlace) =>
  saving(sample.id, savedItemOf(sample), {
    done: (saved) => notifyDone(sample, saved, place),
    failed: (saved, error) => {
      // The session ended without this page noticing.
      if (error instanceof ApiProblem && error.status === 401) askToSignIn(place);
      else notifyFailed(saved, place);
    },
  });

/** Saves an unsaved sample and removes a saved one; `busy` while the server works. */
export function useSaveToggle(
  sample: Sample,
  place: SavePlace,
): { saved: boolean; busy: boolean; toggle: () => void } {
  const saved = useSaved(sample);
  const { mutate, isPending: busy } = useMutation(savingSample(sample, place));
  const toggle = async () => {
    if (busy) return;
    if (!(await isSignedIn())) return askToSignIn(place);
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
    mutate(!saved);
  };
  return { saved, busy, toggle: () => void toggle() };
}
