import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'react-router-dom';
import { Button } from '../ui/button.js';
import { backend } from '../api/transport/backend.js';
import { fetchWithin } from '../api/transport/time-limit.js';
import { toast } from '../ui/overlays/toast.js';

/** Redirects to Google. Asks our server first, so that a refusal is shown on this page. @param returnTo a path */
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

/** Google's mark in its own colours, as its guidelines require. */
export function GoogleMark() {
  return (
    <svg viewBox="0 0 48 48" width="18" height="18" aria-hidden="true">
      <path
        fill="#4285F4"
        d="M45 24.5c0-1.6-.1-2.8-.4-4H24v7.6h12.1a10.6 10.6 0 0 1-4.5 6.9v5.8h7.3C43.1 37 45 31.3 45 24.5z"
      />
      <path
        fill="#34A853"
        d="M24 46c6 0 11-2 14.7-5.3l-7.2-5.7c-2 1.4-4.5 2.2-7.5 2.2-5.8 0-10.7-3.9-12.5-9.2H4.1v5.8A22 22 0 0 0 24 46z"
      />
      <path fill="#FBBC05" d="M11.5 28a13.3 13.3 0 0 1 0-8.4v-5.8H4.1a22 22 0 0 0 0 20z" />
      <path
        fill="#EA4335"
        d="M24 10.5c3.3 0 6.2 1.1 8.5 3.3l6.3-6.3A21.3 21.3 0 0 0 24 2 22 22 0 0 0 4.1 13.8l7.4 5.8C13.3 14.4 18.2 10.5 24 10.5z"
      />
    </svg>
  );
}

export default function ContinueWithGoogle({ returnTo }: { returnTo?: string }) {
  const { pathname, search } = useLocation();
  const { mutate, isPending } = useMutation({
    mutationFn: () => signInWithGoogle(returnTo ?? pathname + search),
  });
  return (
    <Button className="w-full" busy={isPending} icon={<GoogleMark />} onClick={() => mutate()}>
      Continue with Google
    </Button>
  );
}
