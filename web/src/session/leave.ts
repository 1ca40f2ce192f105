import { notifyOf } from '../ui/overlays/toast.js';
import { signOut } from './session.js';

export function leave(): void {
  signOut().catch(notifyOf('You are still signed in'));
}
