import { afterEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import AuthScreen, { safeReturn } from '../../web/src/screens/auth/auth-screen.js';
import { currentSession, loadSession, signOut } from '../../web/src/session/session.js';
import { closeSignIn, openSignIn, useSignInRequest } from '../../web/src/session/sign-in-request.js';
import SignInDialog from '../../web/src/sign-in/sign-in-dialog.js';
import { signInWithGoogle } from '../../web/src/sign-in/continue-with-google.js';
import { dismissToast } from '../../web/src/ui/overlays/toast.js';
import { NOOR, renderAt } from './support/render.js';
import { StubServer, refused } from './support/server.js';

const SESSION = { access_token: 't', expires_at: 2_000_000_000, expires_in: 600 };

function Host() {
  const request = useSignInRequest();
  return (
    <>
      <button type="button" onClick={() => openSignIn()}>
        Open
      </button>
      {request && <SignInDialog {...request} />}
    </>
  );
}

async function openDialog() {
  const visitor = userEvent.setup();
  renderAt('/sounds', <Host />);
  await visitor.click(screen.getByRole('button', { name: 'Open' }));
  await screen.findByRole('dialog', { name: 'Welcome Back' });
  return visitor;
}

afterEach(async () => {
  act(closeSignIn);
  cleanup();
  new StubServer({ 'POST /api/auth/sign-out': { status: 204 } });
  await signOut();
  dismissToast();
});

describe('signing in', () => {
  it('[AUTH-01] [AUTH-02] toggles between both titles and asks for a confirmation only to sign up', async () => {
    new StubServer();
    const visitor = await openDialog();
    expect(screen.getByLabelText('E-mail').getAttribute('type')).toBe('email');
    expect(screen.getByLabelText('E-mail')).toHaveProperty('required', true);
    expect(screen.getByLabelText('Password')).toHaveProperty('required', true);
    expect(screen.queryByLabelText('Confirm password')).toBeNull();
    await visitor.click(screen.getByRole('button', { name: 'Create an account' }));
    expect(screen.getByRole('dialog', { name: 'Create Account' })).toBeTruthy();
    expect(screen.getByLabelText('Confirm password')).toBeTruthy();
    await visitor.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(screen.getByRole('dialog', { name: 'Welcome Back' })).toBeTruthy();
  });

  it('[AUTH-02] [AUTH-08] offers Google where it is set up, and only there', async () => {
    new StubServer();
    await openDialog();
    expect(screen.queryByRole('button', { name: 'Continue with Google' })).toBeNull();
    act(closeSignIn);
    cleanup();
    const named = Object.assign(document.createElement('meta'), {
      name: 'offcut-sign-in',
      content: 'google',
    });
    document.head.append(named);
    try {
      await openDialog();
      await screen.findByRole('button', { name: 'Continue with Google' });
    } finally {
      named.remove();
    }
  });

  it('[AUTH-02] sends nothing without e-mail and password', async () => {
    const server = new StubServer();
    const visitor = await openDialog();
    await visitor.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(await screen.findByText('Enter an e-mail address')).toBeTruthy();
    expect(screen.getByText('Enter your password')).toBeTruthy();
    expect(server.requests).toHaveLength(0);
  });

  it('[AUTH-03] refuses two different passwords before anything is sent', async () => {
    const server = new StubServer();
    const visitor = await openDialog();
    await visitor.click(screen.getByRole('button', { name: 'Create an account' }));
    await visitor.type(screen.getByLabelText('E-mail'), 'noor@paperround.fm');
    await visitor.type(screen.getByLabelText('Password'), 'kitchen table');
    await visitor.type(screen.getByLabelText('Confirm password'), 'kitchen chair');
    await visitor.click(screen.getByRole('button', { name: 'Create account' }));
    const toasts = screen.getByRole('region', { name: 'Notifications', hidden: true });
    await waitFor(() => expect(toasts.textContent).toContain("Passwords don't match"));
    expect(server.requests).toHaveLength(0);
  });

  it('[AUTH-04] greets by name, closes and signs in', async () => {
    new StubServer({ 'POST /api/auth/sign-in': { json: { user: NOOR, session: SESSION } } });
    const visitor = await openDialog();
    await visitor.type(screen.getByLabelText('E-mail'), 'noor@paperround.fm');
    await visitor.type(screen.getByLabelText('Password'), 'kitchen table');
    await visitor.click(screen.getByRole('button', { name: 'Sign in' }));
    await waitFor(() => expect(document.body.textContent).toContain('Welcome back, Noor Haddad!'));
    expect(currentSession().user?.id).toBe('noor');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await visitor.click(screen.getByRole('button', { name: 'Open' }));
    await screen.findByRole('dialog');
    expect(screen.getByLabelText<HTMLInputElement>('E-mail').value).toBe('');
  });

  it.each([
    ['[AUTH-05]', 'EmailNotConfirmed', 'Check your email', 'Please confirm your email before signing in.'],
    ['[AUTH-06]', 'InvalidCredentials', 'Success', 'Check your email for verification link'],
  ] as const)(
    '%s sign-up without a session tries to sign in; %s tells "%s"',
    async (_id, code, title, text) => {
      const server = new StubServer({
        'POST /api/auth/sign-up': { status: 201, json: { user: null, session: null } },
        'POST /api/auth/sign-in': refused(code),
      });
      const visitor = await openDialog();
      await visitor.click(screen.getByRole('button', { name: 'Create an account' }));
      await visitor.type(screen.getByLabelText('E-mail'), 'noor@paperround.fm');
      await visitor.type(screen.getByLabelText('Password'), 'kitchen table');
      await visitor.type(screen.getByLabelText('Confirm password'), 'kitchen table');
      await visitor.click(screen.getByRole('button', { name: 'Create account' }));
      await waitFor(() => expect(document.body.textContent).toContain(title + text));
      expect(server.seen('POST /api/auth/sign-in')).toHaveLength(1);
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    },
  );

  it('[AUTH-07] shows the server’s refusal and stays open', async () => {
    new StubServer({
      'POST /api/auth/sign-in': {
        status: 401,
        json: { code: 'InvalidCredentials', title: 'E-mail or password is wrong' },
      },
    });
    const visitor = await openDialog();
    await visitor.type(screen.getByLabelText('E-mail'), 'noor@paperround.fm');
    await visitor.type(screen.getByLabelText('Password'), 'kitchen chair');
    await visitor.click(screen.getByRole('button', { name: 'Sign in' }));
    await waitFor(() => expect(document.body.textContent).toContain('ErrorE-mail or password is wrong'));
    expect(screen.getByRole('dialog')).toBeTruthy();
    expect(currentSession().status).toBe('signed-out');
  });

  it('[AUTH-08] leaves for Google with the page as the way back, or says that it failed', async () => {
    const server = new StubServer({ 'GET /api/auth/google/start': { status: 0, type: 'opaqueredirect' } });
    const left: string[] = [];
    await signInWithGoogle('/search?q=rain', (address) => left.push(address));
    expect(left).toEqual(['/api/auth/google/start?returnTo=%2Fsearch%3Fq%3Drain']);
    server.on('GET /api/auth/google/start', {
      status: 503,
      json: { code: 'ServiceUnavailable', title: 'No' },
    });
    renderAt('/', null);
    await act(() => signInWithGoogle('/', (address) => left.push(address)));
    expect(left).toHaveLength(1);
    await waitFor(() => expect(document.body.textContent).toContain('Failed to initiate Google sign-in'));
  });

  it('[AUTH-17] /auth signs in and returns to the page that sent the visitor', async () => {
    new StubServer({
      'GET /api/auth/session': { json: { user: null } },
      'POST /api/auth/sign-in': { json: { user: NOOR, session: SESSION } },
    });
    await loadSession();
    const visitor = userEvent.setup();
    const { path } = renderAt('/auth?returnTo=%2Flibrary%3Fsaved', <AuthScreen />);
    expect(screen.getByRole('heading', { name: 'Welcome Back' })).toBeTruthy();
    await visitor.type(screen.getByLabelText('E-mail'), 'noor@paperround.fm');
    await visitor.type(screen.getByLabelText('Password'), 'kitchen table');
    await visitor.click(screen.getByRole('button', { name: 'Sign in' }));
    await waitFor(() => expect(path()).toBe('/library?saved'));
  });

  it('[AUTH-08] /auth says that Google did not work, and still leads back where it began', async () => {
    new StubServer({
      'GET /api/auth/session': { json: { user: null } },
      'POST /api/auth/sign-in': { json: { user: NOOR, session: SESSION } },
    });
    await loadSession();
    const visitor = userEvent.setup();
    const { path } = renderAt('/auth?error=google&returnTo=%2Fsounds', <AuthScreen />);
    expect((await screen.findByRole('alert')).textContent).toContain('Signing in with Google failed');
    await visitor.type(screen.getByLabelText('E-mail'), 'noor@paperround.fm');
    await visitor.type(screen.getByLabelText('Password'), 'kitchen table');
    await visitor.click(screen.getByRole('button', { name: 'Sign in' }));
    await waitFor(() => expect(path()).toBe('/sounds'));
  });

  it('[AUTH-09] /auth asks for the password that links a Google account, and for nothing by itself', async () => {
    new StubServer({ 'GET /api/auth/session': { json: { user: null } } });
    await loadSession();
    renderAt('/auth?link=google&returnTo=%2Fsounds', <AuthScreen />);
    await screen.findByText(/already has a password/);
    expect(screen.queryByRole('alert')).toBeNull();
    cleanup();
    renderAt('/auth', <AuthScreen />);
    expect(document.body.textContent).not.toMatch(/with Google failed|has a password/);
  });

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)', '', null])(
    '[AUTH-17] never returns to %s',
    (asked) => expect(safeReturn(asked)).toBe('/'),
  );

  it('[AUTH-14] sets a password with the mailed token, after both entries agree', async () => {
    const server = new StubServer({ 'POST /api/auth/password/reset': { status: 204 } });
    const visitor = userEvent.setup();
    const { path } = renderAt('/auth?reset=token-1', <AuthScreen />);
    await visitor.type(await screen.findByLabelText('New password'), 'kitchen table');
    await visitor.type(screen.getByLabelText('Confirm password'), 'kitchen');
    await visitor.click(screen.getByRole('button', { name: 'Set the password' }));
    expect(await screen.findByText('New passwords do not match')).toBeTruthy();
    expect(server.requests).toHaveLength(0);
    await visitor.type(screen.getByLabelText('Confirm password'), ' table');
    await visitor.click(screen.getByRole('button', { name: 'Set the password' }));
    await waitFor(() => expect(path()).toBe('/auth'));
    expect(server.requests[0]?.body).toEqual({ token: 'token-1', password: 'kitchen table' });
  });

  it('[AUTH-14] leads from a link that is no longer valid to a new one', async () => {
    new StubServer({
      'POST /api/auth/password/reset': {
        status: 410,
        json: {
          type: 'about:blank',
          title: 'This link is no longer valid',
          status: 410,
          code: 'TokenInvalid',
        },
      },
    });
    const visitor = userEvent.setup();
    const { path } = renderAt('/auth?reset=token-1', <AuthScreen />);
    await visitor.type(await screen.findByLabelText('New password'), 'kitchen table');
    await visitor.type(screen.getByLabelText('Confirm password'), 'kitchen table');
    await visitor.click(screen.getByRole('button', { name: 'Set the password' }));
    await visitor.click(await screen.findByRole('link', { name: 'Send a new link' }));
    expect(path()).toBe('/auth?forgot');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Forgot Password');
  });
});
