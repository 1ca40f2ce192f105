import { DiskFull } from '../../../packages/offcut-sync/src/disk.js';
import { Folder } from '../../../packages/offcut-sync/src/folder.js';
import { NeedsPerson, TryLater } from '../../../packages/offcut-sync/src/server.js';
import { Shop } from '../../../packages/offcut-sync/src/shop.js';
import { type SyncEvent, syncOnce } from '../../../packages/offcut-sync/src/sync.js';
import { apiAddress } from '../api/transport/backend.js';
import { held } from '../held.js';
import { forgetFolder } from '../offline/personal-caches.js';
import { currentSession, onSessionEvent } from '../session/session.js';
import { BrowserDisk } from './browser-disk.js';
import { keepFolder, type KeptFolder, readFolder } from './kept-folder.js';

type Done = Extract<SyncEvent, { event: 'done' }>;

export type FolderState =
  | { at: 'unknown' }
  | { at: 'none'; refused?: true }
  /**
   * The page has no permission to write at the moment. The browser asks the person for the permission again only after
   * a press.
   */
  | { at: 'asks'; name: string; refused?: true }
  | { at: 'elsewhere'; name: string }
  | { at: 'working'; name: string; done: number; files: number; file: string; note?: string }
  | { at: 'stopped'; name: string; reason: string }
  | { at: 'done'; name: string; result: Done; failure?: string };

/** The name of the browser lock by which only one tab at a time writes to the folder. */
const TABS_LOCK = 'offcut-folder';

const state = held<FolderState>({ at: 'unknown' });
export const useFolder = state.use;

let run: AbortController | undefined;
let ownerId: string | undefined;
/** Set if a new run is requested during a run, for example after a purchase. The run then repeats. */
let isOutdated = false;
/** Whether the browser's dialog is open. A second one would be refused. */
let isChoosing = false;

/** `lib.dom` lacks these methods, because only Chromium has them. */
type Permission = (mode: { mode: 'readwrite' }) => Promise<PermissionState>;
type Chosen = FileSystemDirectoryHandle & { queryPermission: Permission; requestPermission: Permission };
type Picker = (options: { id: string; mode: 'readwrite' }) => Promise<FileSystemDirectoryHandle>;

const WRITE = { mode: 'readwrite' } as const;

export async function chooseFolder(): Promise<void> {
  const { user } = currentSession();
  if (!user || isChoosing) return;
  isChoosing = true;
  const { showDirectoryPicker } = window as unknown as { showDirectoryPicker: Picker };
  try {
    const handle = await showDirectoryPicker.call(window, { id: 'offcut', ...WRITE });
    await keepFolder({ ownerId: user.id, handle, browser: `browser ${crypto.randomUUID()}` });
  } catch (error) {
    // The browser throws the same error whether the person closes the dialog or refuses the permission.
    if (!(error instanceof DOMException)) throw error;
    return state.set({ at: 'none', refused: true });
  } finally {
    isChoosing = false;
  }
  await syncFolder();
}

/** Asks for the permission to write again, then updates the folder. Browsers allow the question only after a press. */
export async function continueFolder(): Promise<void> {
  const kept = await ownFolder();
  if (kept && (await (kept.handle as Chosen).requestPermission(WRITE)) !== 'granted')
    return state.set({ at: 'asks', name: kept.handle.name, refused: true });
  await syncFolder();
}

/** Stops using the folder. All files stay in it. */
export function leaveFolder(): void {
  stop();
  forgetFolder();
}

/** Brings the folder up to date if the visitor has chosen one and the page may write to it. */
export async function syncFolder(): Promise<void> {
  const kept = await ownFolder();
  if (run) {
    isOutdated = true;
    return;
  }
  if (!kept) return state.set({ at: 'none' });
  const { name } = kept.handle;
  const mine = new AbortController();
  run = mine;
  ({ ownerId } = kept);
  try {
    if ((await (kept.handle as Chosen).queryPermission(WRITE)) !== 'granted')
      return state.set({ at: 'asks', name });
    const { held: locks = [] } = await navigator.locks.query();
    if (locks.some((lock) => lock.name === TABS_LOCK)) state.set({ at: 'elsewhere', name });
    await navigator.locks.request(TABS_LOCK, { signal: mine.signal }, () => bring(kept, mine.signal));
  } catch (error) {
    if (!mine.signal.aborted) state.set({ at: 'stopped', name, reason: reasonOf(error) });
  } finally {
    if (run === mine) run = undefined;
  }
}

async function ownFolder(): Promise<KeptFolder | undefined> {
  const kept = await readFolder().catch(() => undefined);
  return kept?.ownerId === currentSession().user?.id ? kept : undefined;
}

async function bring({ handle, browser }: KeptFolder, stopped: AbortSignal): Promise<void> {
  const { name } = handle;
  const working = { at: 'working', name, done: 0, files: 0, file: '' } as const;
  let shown: Extract<FolderState, { at: 'working' }> = working;
  const show = (more: Partial<typeof shown>) => {
    if (!stopped.aborted) state.set((shown = { ...shown, note: undefined, ...more }));
  };
  const shop = new Shop({
    url: new URL(apiAddress('/'), location.origin).href,
    token: null,
    stopped,
    onPause: (seconds, reason) => show({ note: `Waiting ${Math.ceil(seconds)} s: ${reason}.` }),
  });
  const disk = new BrowserDisk(handle, browser, stopped);
  let result: Done | undefined;
  let failure: string | undefined;
  show({});
  await disk.whileLocked(async () => {
    const folder = await Folder.open(disk);
    const report = (event: SyncEvent) => {
      if (event.event === 'progress') show(event);
      else if (event.event === 'failed') failure ??= `${event.file}: ${event.reason}`;
      else if (event.event === 'done') result = event;
    };
    do {
      isOutdated = false;
      failure = undefined;
      await syncOnce(shop, folder, report);
    } while (isOutdated && !stopped.aborted);
  });
  // Only now, because a person who reads this may close the tab, and a lock file left behind keeps out other programs.
  if (result && !stopped.aborted) state.set({ at: 'done', name, result, failure });
}

function reasonOf(error: unknown): string {
  if (error instanceof DiskFull) return 'The disk is full. Free some space, and try again.';
  if (error instanceof TryLater)
    return navigator.onLine ? error.message : 'You are offline. It continues once you are back.';
  if (error instanceof NeedsPerson) return error.message;
  return `The folder could not be brought up to date: ${(error as Error).message}`;
}

function stop(): void {
  run?.abort();
  run = undefined;
  ownerId = undefined;
  state.set({ at: 'none' });
}

onSessionEvent(() => {
  const { status, user } = currentSession();
  if (ownerId !== undefined && status !== 'loading' && user?.id !== ownerId) stop();
});
window.addEventListener('online', () => {
  if (state.get().at === 'stopped') void syncFolder();
});
