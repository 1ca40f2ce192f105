import { repeatAfterSignIn } from '../api/transport/http.js';
import { onSignInClosed, openSignIn } from './sign-in-request.js';
import { currentSession, loadSession, onSessionEvent } from './session.js';

let asking: Promise<boolean> | null = null;

/** Resolves when the visitor has signed in or closed the dialog. */
function whetherSignedIn(): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (signedIn: boolean) => {
      deafToSession();
      deafToDialog();
      resolve(signedIn);
    };
    const deafToSession = onSessionEvent((event) => event === 'signed-in' && settle(true));
    const deafToDialog = onSignInClosed(() => settle(false));
  });
}

async function ask(): Promise<boolean> {
  const { user } = currentSession();
  if (!user) return false;
  openSignIn('sign-in', 'Your session has ended. Sign in to continue.');
  const signedIn = await whetherSignedIn();
  // Until here, the page still shows the user, so that the unfinished action can be repeated.
  if (!signedIn) await loadSession('signed-out');
  return signedIn && currentSession().user?.id === user.id;
}

/**
 * When the session has ended during an action, asks the visitor in a dialog to sign in again, and repeats the
 * action, unless another person signs in.
 */
export function keepActionsOverSignIn(): void {
  repeatAfterSignIn(() => (asking ??= ask().finally(() => (asking = null))));
}
