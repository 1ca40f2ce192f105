import { repeatAfterSignIn } from '../api/http.js';
import { onSignInClosed, openSignIn } from './sign-in-request.js';
import { currentSession, loadSession, onSessionEvent } from './session.js';

let asking: Promise<boolean> | null = null;

/** Resolves when somebody has signed in, or has closed the dialog without. */
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
  openSignIn('sign-in', 'Your session has ended. Sign in, and what you were doing goes on.');
  const signedIn = await whetherSignedIn();
  // What was begun stays as it is until here: only now the page learns that nobody is signed in.
  if (!signedIn) await loadSession('signed-out');
  return signedIn && currentSession().user?.id === user.id;
}

/**
 * Lets actions survive the end of a session: whoever is in the middle of one signs in again over the page, and the
 * action is repeated. Somebody else's sign-in repeats nothing.
 */
export function keepActionsOverSignIn(): void {
  repeatAfterSignIn(() => (asking ??= ask().finally(() => (asking = null))));
}
