import { FOLDER_DATABASE } from '../offline/personal-caches.js';

/** The folder that a person chose in this browser to keep downloads in. */
export interface KeptFolder {
  ownerId: string;
  handle: FileSystemDirectoryHandle;
  /** Names this browser in the lock file of the folder. */
  browser: string;
}

const STORE = 'folder';
const KEY = 'chosen';

/** Runs a request to IndexedDB, the only storage of a browser that can keep the handle of a folder. */
async function inStore<Result>(
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const opening = indexedDB.open(FOLDER_DATABASE, 1);
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(STORE));
  const database = await answerOf(opening);
  try {
    return await answerOf(ask(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

function answerOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((done, fail) => {
    request.addEventListener('success', () => done(request.result));
    request.addEventListener('error', () => fail(request.error as DOMException));
  });
}

export const readFolder = (): Promise<KeptFolder | undefined> =>
  inStore<KeptFolder | undefined>('readonly', (store) => store.get(KEY));

export async function keepFolder(folder: KeptFolder): Promise<void> {
  await inStore('readwrite', (store) => store.put(folder, KEY));
}
