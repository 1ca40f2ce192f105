import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'react-router-dom';
import { Button } from '../ui/button.js';
import { signInWithGoogle } from './google-flow.js';
import { GoogleMark } from './google-mark.js';

/** Signs in or up at Google, and returns. @param returnTo this page by default */
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
