/** The names of the caches with a listener's data. The worker keeps the application shell in another one. */
export const PERSONAL_CACHES = {
  library: 'offcut-library',
  previews: 'offcut-previews',
  shared: 'offcut-shared',
};

/** Removes what this browser keeps of a person for visits without a connection. */
export async function forgetPerson(): Promise<void> {
  // Browsers offer no caches to pages without TLS.
  if (typeof caches === 'undefined') return;
  await Promise.all(Object.values(PERSONAL_CACHES).map((name) => caches.delete(name)));
}
