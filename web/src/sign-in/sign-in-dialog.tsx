import { type SignInMode, closeSignIn } from '../session/sign-in-request.js';
import { Dialog } from '../ui/dialog.js';

/** The dialog to sign in or to create an account. */
export default function SignInDialog({ mode }: { mode: SignInMode }) {
  return <Dialog open onClose={closeSignIn} title={mode === 'sign-in' ? 'Welcome Back' : 'Create Account'} />;
}
