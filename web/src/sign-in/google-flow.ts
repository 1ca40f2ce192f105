import { backend } from '../api/transport/backend.js';
import { fetchWithin } from '../api/transport/time-limit.js';
import { toast } from '../ui/overlays/toast.js';

/**
 * Redirects to Google. Requests our server first, so that a refusal stays on this page.
 * @param returnTo a path of this site
 */
export async function signInWithGoogle(
  returnTo: string,
  leave = (address: string) => window.location.assign(address),
): Promise<void> {
  const address = `${backend()?.origin ?? ''}/api/auth/google/start?${new URLSearchParams({ returnTo })}`;
  const answer = await fetchWithin(address, { redirect: 'manual', credentials: 'same-origin' }).catch(
    () => null,
  );
  if (answer?.type === 'opaqueredirect') leave(address);
  else toast({ title: 'Error', description: 'Failed to initiate Google sign-in', tone: 'danger' });
}
