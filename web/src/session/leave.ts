import { messageOf } from '../api/transport/http.js';
import { toast } from '../ui/overlays/toast.js';
import { signOut } from './session.js';

/** Signs out, and reports a failure. */
export function leave(): void {
  signOut().catch((error: unknown) =>
    toast({ title: 'You are still signed in', description: messageOf(error), tone: 'danger' }),
  );
}
