import type { SignedIn } from '../../../application/accounts/contract.js';
import { api, problemOf } from '../api/api.js';
import { legalVersions } from '../api/page-settings.js';
import { ApiProblem, messageOf } from '../api/transport/http.js';
import { keepIntentForMail } from '../session/after-sign-in.js';
import { acceptSignIn } from '../session/session.js';
import { toast } from '../ui/overlays/toast.js';

export interface Credentials {
  email: string;
  password: string;
}

export type SignInOutcome =
  | { kind: 'signed-in' }
  | { kind: 'confirm-email' }
  | { kind: 'second-step' }
  | { kind: 'refused'; message: string };

function refused(error: unknown): SignInOutcome {
  const message = refusalOf(error);
  toast({ title: 'Error', description: message, tone: 'danger' });
  return { kind: 'refused', message };
}

/** The server's message, with the reasons if a password is weak. */
export function refusalOf(error: unknown): string {
  const problem = problemOf('POST /api/auth/sign-up', error);
  const reasons = problem?.code === 'WeakPassword' ? problem.reasons : [];
  const message = messageOf(error);
  const unsaid = reasons.filter((reason) => !message.includes(reason));
  return unsaid.length ? `${message}: ${unsaid.join(', ')}` : message;
}

export function welcome(answer: SignedIn, greeting = 'Welcome back'): SignInOutcome {
  acceptSignIn(answer);
  toast({ title: `${greeting}, ${answer.user.displayName}!` });
  return { kind: 'signed-in' };
}

async function enter(credentials: Credentials, greeting?: string): Promise<SignInOutcome> {
  const answer = await api('POST /api/auth/sign-in', { body: credentials });
  return answer.user ? welcome(answer, greeting) : { kind: 'second-step' };
}

export async function signIn(credentials: Credentials): Promise<SignInOutcome> {
  try {
    return await enter(credentials);
  } catch (error) {
    return refused(error);
  }
}

/** Creates an account and signs in. If the address must be confirmed first, says that a mail is on its way. */
export async function signUp(credentials: Credentials): Promise<SignInOutcome> {
  try {
    const { terms, privacy } = legalVersions();
    const body = { ...credentials, ...(terms && privacy && { accepts: { terms, privacy } }) };
    const answer = await api('POST /api/auth/sign-up', { body });
    if (answer.user) return welcome(answer, 'Welcome to Offcut');
  } catch (error) {
    return refused(error);
  }
  try {
    return await enter(credentials, 'Welcome to Offcut');
  } catch (error) {
    const unconfirmed = error instanceof ApiProblem && error.code === 'EmailNotConfirmed';
    toast(
      unconfirmed
        ? { title: 'Check your email', description: 'Please confirm your email before signing in.' }
        : { title: 'Success', description: 'Check your email for verification link' },
    );
    keepIntentForMail(credentials.email);
    return { kind: 'confirm-email' };
  }
}
