import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { api } from '../../web/src/api/api.js';
import { repeatAfterConfirming } from '../../web/src/api/transport/http.js';
import AuthScreen from '../../web/src/screens/auth/auth-screen.js';
import { PayoutCard } from '../../web/src/screens/dashboard/payout-card.js';
import SettingsScreen from '../../web/src/screens/settings/settings-screen.js';
import { askForProof, settleConfirm, useConfirmRequest } from '../../web/src/session/confirm-request.js';
import { loadSession, signOut } from '../../web/src/session/session.js';
import ConfirmOwnerDialog from '../../web/src/sign-in/confirm-owner-dialog.js';
import { dismissToast } from '../../web/src/ui/overlays/toast.js';
import { pageWith } from './support/page.js';
import { FILE_FACTS, NOOR, renderAt, signedInAs } from './support/render.js';
import { PLANS } from '../../domain/subscriptions/plans.js';
import { StubServer, exampleWith } from './support/server.js';

const SettingsPage = pageWith('settings', SettingsScreen);

const asked = (methods: string[]) => ({
  status: 403,
  json: { code: 'FreshSignInRequired', title: 'Confirm that it is you first', methods },
});

let server: StubServer;
let confirmed: boolean;

function Host() {
  const request = useConfirmRequest();
  return request && <ConfirmOwnerDialog methods={request.methods} />;
}

const settings = () =>
  renderAt(
    '/settings',
    <>
      <SettingsPage />
      <Host />
    </>,
  );

beforeEach(() => {
  confirmed = false;
  server = new StubServer({
    'GET /api/creator': exampleWith('GET /api/creator', { status: 'approved' }),
    'GET /api/auth/session': { json: { user: null } },
    'POST /api/auth/sign-out': { status: 204 },
    'POST /api/auth/confirm': ({ body }) => {
      confirmed = (body as { password: string }).password === 'kitchen table';
      return confirmed
        ? { status: 204 }
        : { status: 403, json: { code: 'WrongPassword', title: 'The current password is wrong' } };
    },
  });
  signedInAs(NOOR);
  repeatAfterConfirming(askForProof);
});
afterEach(async () => {
  act(() => {
    settleConfirm(false);
    dismissToast();
  });
  cleanup();
  repeatAfterConfirming(() => Promise.resolve(false));
  await signOut();
});

const dialog = () => screen.findByRole('dialog', { name: 'Confirm It Is You' });

async function give(password: string): Promise<void> {
  const within_ = within(await dialog());
  await userEvent.clear(within_.getByLabelText('Password'));
  await userEvent.type(within_.getByLabelText('Password'), password);
  await userEvent.click(within_.getByRole('button', { name: 'Confirm' }));
}

describe('what needs the password', () => {
  it('[AUTH-19] [SET-10] a new address asks for it and goes on, and says where the link went', async () => {
    server.on('PATCH /api/me', () =>
      confirmed ? { json: { user: NOOR, emailToConfirm: 'new@paperround.fm' } } : asked(['password']),
    );
    settings();
    const email = await screen.findByLabelText<HTMLInputElement>('E-mail');
    await userEvent.clear(email);
    await userEvent.type(email, 'new@paperround.fm');
    await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
    await give('kitchen chair');
    expect(await screen.findByText('The current password is wrong')).toBeTruthy();
    await give('kitchen table');
    await screen.findByText('A link to confirm it was sent to new@paperround.fm.');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(email.value).toBe(NOOR.email);
  });

  it('[AUTH-19] [SET-09] deleting the account asks for it; whoever closes the question keeps the account', async () => {
    server.on('DELETE /api/me', () => (confirmed ? { status: 204 } : asked(['password'])));
    settings();
    const erase = async () => {
      await userEvent.click(screen.getByRole('button', { name: 'Delete account' }));
      const alert = within(await screen.findByRole('alertdialog'));
      await userEvent.click(alert.getByRole('button', { name: 'Delete account' }));
    };
    await erase();
    await userEvent.click(within(await dialog()).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(document.body.textContent).toContain('Confirm that it is you first'));
    await erase();
    await give('kitchen table');
    await screen.findByText('Your account was deleted');
  });

  it('[SET-421] deleting the account says first what is lost, and leads to the downloads', async () => {
    const lot = (source: string, creditsLeft: number, grantedAt: string) => ({
      id: `lot-${creditsLeft}`,
      source,
      creditsGranted: 100,
      creditsLeft,
      valueMicroUsd: 15_000_000,
      grantedAt,
      frozen: false,
    });
    const lots = [
      lot('monthly_grant', 50, '2025-01-01T00:00:00Z'),
      lot('monthly_grant', 100, new Date().toISOString()),
    ];
    const download = {
      id: 'one',
      sampleId: 'one',
      sample: null,
      filename: 'one.wav',
      format: 'wav',
      sizeBytes: 1,
      track: 'One',
      pack: 'Pack',
      creator: 'Wren Abbott',
      artwork: null,
      certificateId: 'one',
      ...FILE_FACTS,
      createdAt: '2026-11-20T14:02:00Z',
    };
    server.on('GET /api/credits', { json: { balance: 150, lots } });
    server.on('GET /api/subscription', {
      json: {
        plan: 'premium',
        status: 'active',
        currentPeriodEnd: null,
        scheduledChange: null,
        pendingChange: null,
      },
    });
    server.on('GET /api/plans', { json: { items: PLANS } });
    server.on('GET /api/library/downloads', { json: { items: [download], nextCursor: null } });
    settings();
    await userEvent.click(screen.getByRole('button', { name: 'Delete account' }));
    const alert = within(await screen.findByRole('alertdialog', { name: 'Delete account?' }));
    await alert.findByText('150 credits, worth $22.50');
    expect(alert.getByText(/^100 credits can still be refunded/)).toBeTruthy();
    expect(await alert.findByText('Your Premium plan')).toBeTruthy();
    const first = await alert.findByRole('link', { name: 'Download everything first' });
    expect(first.getAttribute('href')).toBe('/library?downloads');
    await userEvent.click(alert.getByRole('button', { name: 'Cancel' }));
    expect(server.seen('DELETE /api/me')).toHaveLength(0);
  });

  it('[PAY-11] deleting an account that is owed money says how much, and shows the code of the claim once', async () => {
    const code = 'ab'.repeat(20);
    server.on('DELETE /api/me', ({ body }) =>
      (body as { claimPayout?: boolean } | undefined)?.claimPayout
        ? {
            status: 200,
            json: { claim: { code, payableUntil: '2029-11-22T00:00:00.000Z', owedMicroUsd: 11_988_000 } },
          }
        : {
            status: 409,
            json: { code: 'PayoutOwed', title: 'This account is owed money', owedMicroUsd: 11_988_000 },
          },
    );
    settings();
    const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
    const answer = async (title: string, name: string) => {
      const alert = within(await screen.findByRole('alertdialog', { name: title }));
      await userEvent.click(alert.getByRole('button', { name }));
    };
    await press('Delete account');
    await answer('Delete account?', 'Delete account');
    await answer('You are owed $11.98', 'Cancel');
    expect(server.seen('DELETE /api/me')).toHaveLength(1);
    await press('Delete account');
    await answer('Delete account?', 'Delete account');
    await answer('You are owed $11.98', 'Delete and keep a claim');
    expect((await screen.findByRole('alertdialog', { name: 'Your claim code' })).textContent).toContain(code);
    // Escape must not close the dialog, because the user would lose the code.
    await userEvent.keyboard('{Escape}');
    await answer('Your claim code', 'I have written it down');
    await screen.findByText('Your account was deleted');
  });

  it('[AUTH-19] so does another place for payouts', async () => {
    server.on(
      'GET /api/stripe/connect/status/:id',
      exampleWith('GET /api/stripe/connect/status/:userId', { connected: false, payoutsEnabled: false }),
    );
    server.on(
      'GET /api/creator/balance',
      exampleWith('GET /api/creator/balance', { availableMicroUsd: 0, heldMicroUsd: 0, inFlight: null }),
    );
    server.on('GET /api/creator/statements', { json: { items: [], nextCursor: null } });
    server.on('GET /api/creator/monthly-statements', { json: { items: [] } });
    server.on('GET /api/splits', { json: { items: [], nextCursor: null } });
    server.on('GET /api/stripe/connect/countries', { json: { home: 'US', items: ['US'] } });
    server.on('POST /api/stripe/connect/create-account', () =>
      confirmed ? { json: { url: 'https://pay.example/onboarding' } } : asked(['password']),
    );
    const left: string[] = [];
    renderAt(
      '/dashboard',
      <>
        <PayoutCard leave={(url) => left.push(url)} />
        <Host />
      </>,
    );
    await userEvent.selectOptions(await screen.findByRole('combobox'), 'US');
    await userEvent.click(await screen.findByRole('button', { name: 'Connect with Stripe' }));
    await give('kitchen table');
    await waitFor(() => expect(left).toEqual(['https://pay.example/onboarding']));
  });

  it('[AUTH-19] whoever has no password goes through Google', async () => {
    server.on('DELETE /api/me', asked(['google']));
    settings();
    void api('DELETE /api/me').catch(() => undefined);
    const google = within(await dialog());
    expect(google.queryByLabelText('Password')).toBeNull();
    expect(google.getByRole('button', { name: 'Continue with Google' })).toBeTruthy();
  });
});

it('[SET-11] the mailed link takes an account back once its reader says so', async () => {
  server.on('POST /api/auth/undo-email', { status: 204 });
  await loadSession();
  renderAt('/auth?undo=secret', <AuthScreen />);
  expect(server.seen('POST /api/auth/undo-email')).toHaveLength(0);
  await userEvent.click(await screen.findByRole('button', { name: 'Take the account back' }));
  await screen.findByText(/has this address again/);
  expect(server.seen('POST /api/auth/undo-email')[0]?.body).toEqual({ token: 'secret' });
});

it.each([
  [{ status: 204 }, 'Your e-mail address is confirmed.'],
  [
    { status: 200, json: { firstCredits: 3 } },
    'Your e-mail address is confirmed. You have 3 credits to start with.',
  ],
])('[CRED-760] a confirmed address says which credits it brings', async (answer, text) => {
  server.on('POST /api/auth/verify-email', answer);
  renderAt('/auth?verify=secret', <AuthScreen />);
  expect(await screen.findByText(text)).toBeTruthy();
});
