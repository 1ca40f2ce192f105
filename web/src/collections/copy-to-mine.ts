import { api } from '../api/api.js';
import { paths } from '../paths.js';
import { askToSignIn } from '../session/after-sign-in.js';
import { isSignedIn } from '../session/session.js';
import { notifyOf, toast } from '../ui/overlays/toast.js';
import { collectionsChanged } from './collections-changed.js';

/** Copies a shared collection and opens the copy. Asks guests to sign in first. */
export async function copyToMine(token: string, go: (path: string) => void): Promise<void> {
  if (!(await isSignedIn()))
    return askToSignIn('Please sign in to copy this collection.', { kind: 'copy-collection', token });
  await api('POST /api/collections/shared/:token/copy', { params: { token } }).then(({ id }) => {
    collectionsChanged();
    go(paths.ownCollection(id));
    toast({ title: 'Copied', description: 'The collection is in your library now.' });
  }, notifyOf('The collection was not copied'));
}
