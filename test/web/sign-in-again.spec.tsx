import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { api } from '../../web/src/api/api.js';
import { repeatAfterSignIn } from '../../web/src/api/transport/http.js';
import { player } from '../../web/src/player/player.js';
import { SampleList } from '../../web/src/samples/sample-list.js';
import { keepActionsOverSignIn } from '../../web/src/session/sign-in-again.js';
import { closeSignIn, useSignInRequest } from '../../web/src/session/sign-in-request.js';
import { currentSession, signOut } from '../../web/src/session/session.js';
import SignInDialog from '../../web/src/sign-in/sign-in-dialog.js';
import { dismissToast } from '../../web/src/ui/overlays/toast.js';
import { NOOR, renderAt, sampleNamed, signedInAs } from './support/render.js';
import { StubServer } from './support/server.js';

const OVER = { status: 401, json: { code: 'NotSignedIn', title: 'Sign in first' } };
const signedIn = (user = NOOR) => ({
  json: { user, session: { access_token: 't', expires_at: 2_000_000_000, expires_in: 600 } },
});

let server: StubServer;
let over: boolean;
let visitor: UserEvent;

function Page() {
  const request = useSignInRequest();
  return (
    <>
      <SampleList samples={[sampleNamed('a')]} place="list" label="Tracks" />
      {request && <SignInDialog {...request} />}
    </>
  );
}

beforeEach(() => {
  over = true;
  server = new StubServer({
    'PUT /api/library/saved/:id': () => (over ? OVER : {}),
    'POST /api/auth/sign-in': () => {
      over = false;
      return signedIn();
    },
    'GET /api/auth/session': { json: { user: null } },
    'POST /api/auth/sign-out': { status: 204 },
    'POST /api/library/history': OVER,
    'GET /media/previews/:file': {},
  });
  signedInAs(NOOR);
  keepActionsOverSignIn();
  visitor = userEvent.setup();
  renderAt('/search', <Page />);
});
afterEach(async () => {
  act(() => {
    player.close();
    closeSignIn();
    dismissToast();
  });
  cleanup();
  repeatAfterSignIn(() => Promise.resolve(false));
  await signOut();
});

const save = () => visitor.click(screen.getByRole('button', { name: /^Save to library/ }));
async function signIn() {
  const dialog = within(await screen.findByRole('dialog', { name: 'Welcome Back' }));
  expect(dialog.getByText(/Your session has ended/)).toBeTruthy();
  await visitor.type(dialog.getByLabelText('E-mail'), NOOR.email);
  await visitor.type(dialog.getByLabelText('Password'), 'a fine pass phrase');
  await visitor.click(dialog.getByRole('button', { name: 'Sign in' }));
}
const attempts = () => server.seen('PUT /api/library/saved/a').length;

it('goes on with what was being done once its own person has signed in again', async () => {
  await save();
  await signIn();
  await waitFor(() => expect(attempts()).toBe(2));
  expect(await screen.findByRole('button', { name: /^Saved/ })).toBeTruthy();
});

it('asks once for several actions', async () => {
  await save();
  const other = api('PUT /api/library/saved/:itemId', { params: { itemId: 'b' }, body: { type: 'sample' } });
  await signIn();
  await other;
  await waitFor(() => expect(attempts()).toBe(2));
  expect(server.seen('POST /api/auth/sign-in')).toHaveLength(1);
});

it('repeats nothing for somebody else', async () => {
  server.on('POST /api/auth/sign-in', signedIn({ ...NOOR, id: 'other' }));
  await save();
  await signIn();
  await waitFor(() => expect(currentSession().user?.id).toBe('other'));
  await waitFor(() => expect(screen.getByRole('button', { name: /^Save to library/ })).toBeTruthy());
  expect(attempts()).toBe(1);
});

it('gives up when the dialog is closed, and says that a sign-in is needed', async () => {
  await save();
  await screen.findByRole('dialog', { name: 'Welcome Back' });
  await visitor.click(screen.getByRole('button', { name: 'Close' }));
  await screen.findByText('Please sign in to save tracks.');
  expect(currentSession().status).toBe('signed-out');
  expect(attempts()).toBe(1);
});

it('does not interrupt listening', async () => {
  await visitor.click(screen.getByRole('button', { name: /^Play / }));
  await waitFor(() => expect(server.seen('POST /api/library/history').length).toBeLessThanOrEqual(1));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(screen.queryByRole('dialog')).toBeNull();
});
