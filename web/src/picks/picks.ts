import { useSyncExternalStore } from 'react';
import type { Sample } from '../../../application/catalogue/contract.js';
import { ARCHIVE_LIMIT } from '../../../application/purchases/values.js';
import { held } from '../held.js';
import { keep, kept } from '../kept.js';
import { onSessionEvent } from '../session/session.js';
import { toast } from '../ui/overlays/toast.js';

/** A sample that the visitor picked, in order to download, collect or try several samples at once. */
export interface Picked {
  id: string;
  title: string;
  /** Null if the sample left the catalogue. Buyers keep such a sample. */
  sample: Sample | null;
  /** Known only in the library. */
  sizeBytes?: number;
}

type Picks = ReadonlyMap<string, Picked>;

export const pickOf = (sample: Sample): Picked => ({ id: sample.id, title: sample.title, sample });

/** A sample without audio cannot be downloaded. */
export const canPick = ({ sample }: Picked): boolean => sample === null || sample.previewUrl !== null;

const MEMORY = 'picks';
// Each tab has its own picks, which survive a reload.
const inTab = () => window.sessionStorage;

const picks = held<Picks>(new Map());
/** On phones, lists show their checkboxes only while the visitor is picking. */
const picking = held(false);
/** The sample that was picked or dropped last. A range begins there. */
let anchorId: string | null = null;

export const pickedNow = picks.get;
export const usePicks = picks.use;

function set(next: Picks): void {
  picks.set(next);
  keep(MEMORY, next.size > 0 ? [...next.values()] : null, inTab);
}

export function restorePicks(): void {
  const before = kept(MEMORY, inTab);
  if (Array.isArray(before) && picks.get().size === 0)
    picks.set(new Map((before as Picked[]).map((one) => [one.id, one])));
}

/** Whether the visitor is picking: a sample is picked, or the visitor pressed “Select”. */
export const usePicking = (): boolean => {
  const begun = picking.use();
  return usePicks().size > 0 || begun;
};

export const beginPicking = (): void => picking.set(true);

export const useIsPicked = (id: string): boolean =>
  useSyncExternalStore(
    picks.subscribe,
    () => picks.get().has(id),
    () => false,
  );

/** Picks or drops samples. Changes nothing if more than `ARCHIVE_LIMIT` samples would be picked. */
export function pick(things: readonly Picked[], on: boolean): void {
  const next = new Map(picks.get());
  for (const thing of things) {
    if (!on) next.delete(thing.id);
    else if (canPick(thing)) next.set(thing.id, thing);
  }
  if (next.size > ARCHIVE_LIMIT) {
    const description = `At most ${ARCHIVE_LIMIT.toLocaleString('en')} samples fit into one download.`;
    return toast({ title: 'Too many', description, tone: 'info' });
  }
  set(next);
}

/**
 * Picks a sample of a list, or drops it if it is picked.
 * @param range also picks or drops the samples from the one that was pressed before up to this one
 */
export function pressPick(list: readonly Picked[], id: string, { range }: { range: boolean }): void {
  const to = list.findIndex((one) => one.id === id);
  const from = range ? list.findIndex((one) => one.id === anchorId) : -1;
  const on = !picks.get().has(id);
  const [first, last] = from < 0 ? [to, to] : [Math.min(from, to), Math.max(from, to)];
  anchorId = id;
  pick(list.slice(first, last + 1), on);
}

/** Drops all picks. The toast can restore them. */
export function clearPicks(): void {
  const before = picks.get();
  forgetPicks();
  if (before.size === 0) return;
  toast({
    title: 'Nothing is picked any more',
    tone: 'info',
    action: { label: 'Undo', onPress: () => set(before) },
  });
}

export function forgetPicks(): void {
  picking.set(false);
  anchorId = null;
  set(new Map());
}

// The next person who uses this browser must not see these picks.
onSessionEvent((event) => {
  if (event === 'signed-out') forgetPicks();
});
