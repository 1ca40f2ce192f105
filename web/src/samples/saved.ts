import { mutationOptions, useMutation } from '@tanstack/react-query';
import type { Sample } from '../../../application/catalogue/contract.js';
import type { SavedItem } from '../../../application/library/contract.js';
import { api } from '../api/api.js';
import { ApiProblem } from '../api/transport/http.js';
import { say, useWord, wordOn } from '../api/newest-word.js';
import { queryClient } from '../api/query-client.js';
import { askToSignIn, type SavePlace } from '../session/after-sign-in.js';
import { isSignedIn } from '../session/session.js';
import { fetchPart } from '../shell/lazy-with-preload.js';
import { askConfirm } from '../ui/overlays/alerts.js';
import { formatDuration } from '../ui/format.js';
import { toast } from '../ui/overlays/toast.js';

export const useSaved = ({ id, saved }: { id: string; saved?: boolean | undefined }): boolean =>
  useWord('saved', id) ?? saved ?? false;

export interface Saveable {
  id: string;
  item: SavedItem;
  tell: { done: (saved: boolean) => void; failed: (saved: boolean, error: Error) => void };
}

/** What the visitor pressed for a sample or pack: `saved` is true to save it, false to remove it. */
interface Wish {
  thing: Saveable;
  saved: boolean;
}

/**
 * The samples and packs with requests in progress, by id: the visitor's newest wish, and whether the server has the
 * thing saved.
 */
const underWay = new Map<string, { newest: Wish; kept: boolean }>();

function settle(wish: Wish, error?: Error): void {
  const { id, tell } = wish.thing;
  const state = underWay.get(id);
  if (state?.newest !== wish) return;
  underWay.delete(id);
  // Shows what the server has stored. The lists are refetched only now, because earlier answers would lack the change.
  say('saved', [id], state.kept, ['GET /api/library/saved']);
  if (error) tell.failed(wish.saved, error);
  else tell.done(wish.saved);
}

/** `scope` sends the requests for one sample or pack one after another. */
const saving = (id: string) =>
  mutationOptions({
    scope: { id: `saved ${id}` },
    onMutate: (wish: Wish) => {
      const kept = underWay.get(id)?.kept ?? wordOn('saved', id) ?? !wish.saved;
      underWay.set(id, { newest: wish, kept });
      say('saved', [id], wish.saved, []);
    },
    mutationFn: async (wish: Wish) => {
      // Skips the request: the visitor has changed their mind, and a newer request follows.
      if (underWay.get(id)?.newest !== wish) return;
      const params = { itemId: id };
      if (wish.saved) await api('PUT /api/library/saved/:itemId', { params, body: wish.thing.item });
      else await api('DELETE /api/library/saved/:itemId', { params });
      const state = underWay.get(id);
      if (state) state.kept = wish.saved;
    },
    onSuccess: (_, wish) => settle(wish),
    onError: (error, wish) => settle(wish, error),
  });

/** Saves or removes a sample or pack: shown at once, undone if the request fails. The visitor's latest press counts. */
export const save = (wish: Wish): Promise<void> =>
  queryClient
    .getMutationCache()
    .build(queryClient, saving(wish.thing.id))
    .execute(wish)
    .catch(() => undefined);

/** A button of a toast. It calls `save` without a hook, because the toast may outlive the page that showed it. */
export const savingAction = (label: string, thing: Saveable, saved: boolean) => ({
  label,
  onPress: () => void save({ thing, saved }),
});

export function useSaving(id: string) {
  const { mutate, isPending, variables } = useMutation({ mutationFn: save });
  return { busy: isPending && variables.thing.id === id, save: mutate };
}

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

const thingIn = (place: SavePlace): 'sample' | 'track' => (place === 'editor' ? 'sample' : 'track');
const named = (place: SavePlace): string => (place === 'editor' ? 'Sample' : 'Track');

function notifyDone(sample: Sample, saved: boolean, place: SavePlace): void {
  const action = savingAction('Undo', saveableSample(sample, place), !saved);
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

/** Keeps what a guest wants to save until the next sign-in. */
export const keepForAccount = (item: SavedItem): void =>
  void fetchPart(() => import('../legacy/browser-library.js')).then((library) =>
    library?.keepForAccount(item),
  );

function signInToSave(sample: Sample, place: SavePlace): void {
  keepForAccount(savedItemOf(sample));
  askToSignIn(`Please sign in to save ${thingIn(place)}s.`, { kind: 'save', sample, place });
}

export const saveableSample = (sample: Sample, place: SavePlace): Saveable => ({
  id: sample.id,
  item: savedItemOf(sample),
  tell: {
    done: (saved) => notifyDone(sample, saved, place),
    failed: (saved, error) => {
      // The session has ended, and the page did not know that yet.
      if (error instanceof ApiProblem && error.status === 401) signInToSave(sample, place);
      else notifyFailed(saved, place);
    },
  },
});

export function useSaveToggle(sample: Sample, place: SavePlace) {
  const saved = useSaved(sample);
  const { busy, save } = useSaving(sample.id);
  const toggle = async () => {
    if (!(await isSignedIn())) return signInToSave(sample, place);
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
    save({ thing: saveableSample(sample, place), saved: !saved });
  };
  return { saved, busy, toggle: () => void toggle() };
}
