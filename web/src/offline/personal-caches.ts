/** The names of the caches with data of a listener. The worker keeps the application shell in another cache. */
export const PERSONAL_CACHES = {
  library: 'offcut-library',
  previews: 'offcut-previews',
  shared: 'offcut-shared',
};

/** The database with the handle of the folder to which this browser saves a listener's downloads. */
export const FOLDER_DATABASE = 'offcut-folder';

/** Removes a person's library, previews and shared sound from this browser. */
export async function forgetPerson(): Promise<void> {
  // Browsers offer no caches to pages without TLS.
  if (typeof caches === 'undefined') return;
  await Promise.all(Object.values(PERSONAL_CACHES).map((name) => caches.delete(name)));
}

/** Removes only the handle of the folder. The downloads in the folder stay. */
export function forgetFolder(): void {
  if (typeof indexedDB !== 'undefined') indexedDB.deleteDatabase(FOLDER_DATABASE);
}
