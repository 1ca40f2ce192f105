import { held } from '../held.js';
import { onSessionEvent } from '../session/session.js';

/** `saved`: complete. `failed`: the file did not arrive. `handed`: the browser fetches it; the outcome is unknown. */
export type Delivery = 'saved' | 'handed' | 'failed';

/** `ready`: the browser has not begun to download an archive. */
export type TrayState = 'preparing' | 'ready' | 'downloading' | Delivery;

export interface TrayEntry {
  id: number;
  title: string;
  state: TrayState;
  /** A text about the spent credits, and about files that are not included. */
  note?: string;
  /** The received bytes, and the size of the file. Unknown for archives, which the browser fetches by itself. */
  progress?: { bytes: number; of: number } | undefined;
  /** Whether the last poll for the state of an archive got no answer. */
  isUnsure?: boolean;
  /** Hidden from the strip at the bottom of the page. */
  isSeen: boolean;
  /** Makes the browser download a ready archive again. */
  save?: () => void;
  /** Repeats the download for free. */
  again: () => void;
}

const tray = held<readonly TrayEntry[]>([]);
let lastId = 0;

/** The downloads of this visit, newest first. */
export const useTray = tray.use;

/** Whether a download is in progress and needs nothing from the visitor. */
export const isUnderWay = ({ state }: Pick<TrayEntry, 'state'>): boolean =>
  state === 'preparing' || state === 'downloading';

export type Track = (change: Partial<Omit<TrayEntry, 'id'>>) => void;

/** Adds a download to the tray. @returns a function that changes its entry */
export function track(entry: Omit<TrayEntry, 'id' | 'isSeen'>): Track {
  const id = (lastId += 1);
  // Removes the entry when its download is repeated, because the repeated download has an entry of its own.
  const again = () => {
    drop((one) => one.id === id);
    entry.again();
  };
  tray.set([{ ...entry, again, id, isSeen: false }, ...tray.get()]);
  return (change) => {
    const isNew =
      change.state !== undefined && change.state !== tray.get().find((one) => one.id === id)?.state;
    const seen = isNew ? { isSeen: false } : {};
    tray.set(tray.get().map((one) => (one.id === id ? { ...one, ...seen, ...change } : one)));
  };
}

export function markSeen(id: number): void {
  tray.set(tray.get().map((one) => (one.id === id ? { ...one, isSeen: true } : one)));
}

function drop(gone: (entry: TrayEntry) => boolean): void {
  tray.set(tray.get().filter((one) => !gone(one)));
}

/** Removes the downloads that arrived, and those that the browser fetches by itself. */
export const dropFinished = (): void => drop(({ state }) => state === 'saved' || state === 'handed');

const forgetTray = (): void => drop(() => true);

// Empties the tray at sign-out, because the next user of this browser must not see these downloads.
onSessionEvent((event) => {
  if (event === 'signed-out') forgetTray();
});
