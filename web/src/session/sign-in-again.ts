import { repeatAfterSignIn } from '../api/transport/http.js';
import { onSignInClosed, openSignIn } from './sign-in-request.js';
import { currentSession, loadSession, onSessionEvent } from './session.js';

let asking: Promise<boolean> | null = null;

/** Resolves to true when the visitor has signed in, and to false when the visitor has closed the dialog. */
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
  // Until this line, the page still shows the user as signed in, so that the unfinished action can be repeated.
  if (!signedIn) await loadSession('signed-out');
  return signedIn && currentSession().user?.id === user.id;
}

/**
 * If the session ends during an action, asks the visitor in a dialog to sign in again, and then repeats the action. If
 * another person signs in, the action is not repeated.
 */
export function keepActionsOverSignIn(): void {
  repeatAfterSignIn(() => (asking ??= ask().finally(() => (asking = null))));
}
