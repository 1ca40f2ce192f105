/** The names of the caches with a listener's data. The worker keeps the application shell in another one. */
export const PERSONAL_CACHES = {
  library: 'offcut-library',
  previews: 'offcut-previews',
  shared: 'offcut-shared',
};

/** The database with the handle of the folder to which this browser saves a listener's downloads. */
export const FOLDER_DATABASE = 'offcut-folder';

/** Removes what this browser keeps of a person for visits without a connection. */
export async function forgetPerson(): Promise<void> {
  // Browsers offer no caches to pages without TLS.
  if (typeof caches === 'undefined') return;
  await Promise.all(Object.values(PERSONAL_CACHES).map((name) => caches.delete(name)));
}

/** Removes only the handle of the folder; its files stay. */
export function forgetFolder(): void {
  if (typeof indexedDB !== 'undefined') indexedDB.deleteDatabase(FOLDER_DATABASE);
}
