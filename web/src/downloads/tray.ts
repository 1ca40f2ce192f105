import { held } from '../held.js';
import { onSessionEvent } from '../session/session.js';

/** `saved`: complete. `failed`: the file did not arrive. `handed`: the browser fetches it; the outcome is unknown. */
export type Delivery = 'saved' | 'handed' | 'failed';

/** `ready`: an archive that the browser has not taken yet. */
export type TrayState = 'preparing' | 'ready' | 'downloading' | Delivery;

export interface TrayEntry {
  id: number;
  title: string;
  state: TrayState;
  /** What was paid, and what is not included. */
  note?: string;
  /** Known only for single files. */
  progress?: { bytes: number; of: number } | undefined;
  /** The server does not say how far the archive is. */
  isUnsure?: boolean;
  /** Hidden from the strip at the bottom of the page. */
  isSeen: boolean;
  /** Hands a ready archive to the browser again. */
  save?: () => void;
  /** Downloads it again for free. */
  again: () => void;
}

const tray = held<readonly TrayEntry[]>([]);
let lastId = 0;

/** The downloads of this visit, newest first. */
export const useTray = tray.use;

/** Whether a download goes on without the visitor. */
export const isUnderWay = ({ state }: Pick<TrayEntry, 'state'>): boolean =>
  state === 'preparing' || state === 'downloading';

export type Track = (change: Partial<Omit<TrayEntry, 'id'>>) => void;

/** Adds a download to the tray. @returns changes the entry */
export function track(entry: Omit<TrayEntry, 'id' | 'isSeen'>): Track {
  const id = (lastId += 1);
  // The entry leaves the tray when it is repeated, because the repeated download has an entry of its own.
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

/** Removes the downloads that arrived or that the browser has taken over. */
export const dropFinished = (): void => drop(({ state }) => state === 'saved' || state === 'handed');

const forgetTray = (): void => drop(() => true);

// The next user must not see these downloads.
onSessionEvent((event) => {
  if (event === 'signed-out') forgetTray();
});
