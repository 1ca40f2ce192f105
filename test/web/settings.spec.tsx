import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import SettingsScreen from '../../web/src/screens/settings/settings-screen.js';
import { currentSession, signOut } from '../../web/src/session/session.js';
import { pageWith } from './support/page.js';
import { NOOR, leave, renderAt, signedInAs } from './support/render.js';
import { creatorWith, refused, StubServer } from './support/server.js';

const SettingsPage = pageWith('settings', SettingsScreen);

let server: StubServer;

beforeEach(() => {
  server = new StubServer({
    'GET /api/creator': creatorWith({ status: 'none', handle: null, displayName: 'Noor Haddad' }),
    'GET /api/me/exports': { json: { items: [] } },
    'GET /api/notifications': { json: { weeklyMail: false } },
    'GET /api/me/buyer-name': { json: { isHidden: false } },
    'GET /api/library/file-names': { json: { template: '{creator} - {title}' } },
    'POST /api/auth/sign-out': { status: 204 },
    'PUT /api/auth/password': { status: 204 },
  });
  signedInAs(NOOR);
});

afterEach(leave);

const page = () => document.body.textContent ?? '';

describe('settings', () => {
  it('[SET-01] has three tabs, and the address keeps the one shown', async () => {
    const { path } = renderAt('/settings', <SettingsPage />);
    const names = screen.getAllByRole('tab').map((tab) => tab.textContent);
    expect(names).toEqual(['Account', 'Subscription & Credits', 'Security']);
    await userEvent.click(screen.getByRole('tab', { name: 'Security' }));
    expect(path()).toBe('/settings?tab=security');
  });

  it('[SET-703] changes the template of file names, with examples and what is wrong with it', async () => {
    server.on('PUT /api/library/file-names', { status: 204 });
    renderAt('/settings', <SettingsPage />);
    const field = await screen.findByLabelText('Template');
    expect(page()).toContain('Rook & Daughters - Dusty break.wav');
    const save = () => screen.getAllByRole<HTMLButtonElement>('button', { name: 'Save' })[0]!;
    expect(save().disabled).toBe(true);
    await userEvent.clear(field);
    await userEvent.paste('{title} - {bpm} - {tempo}');
    expect(await screen.findByText('There is no {tempo}')).toBeTruthy();
    await userEvent.clear(field);
    await userEvent.paste('{title} - {bpm} - {key}');
    expect(page()).toContain('Dusty break - 90 - A Minor.wav');
    expect(page()).toContain('Tape hiss.wav');
    await userEvent.click(save());
    expect(await screen.findByText('File names saved')).toBeTruthy();
    expect(server.seen('PUT /api/library/file-names')).toMatchObject([
      { body: { template: '{title} - {bpm} - {key}' } },
    ]);
    await userEvent.click(screen.getByRole('button', { name: 'Use the default' }));
    await userEvent.click(save());
    await waitFor(() =>
      expect(server.seen('PUT /api/library/file-names').at(-1)).toMatchObject({
        body: { template: '{creator} - {title}' },
      }),
    );
  });

  it('[MAIL-760] turns the weekly mail on and off', async () => {
    server.on('PUT /api/notifications', ({ body }) => ({ json: body }));
    renderAt('/settings', <SettingsPage />);
    const choice = await screen.findByRole<HTMLInputElement>('checkbox', {
      name: 'New this week in my tempo and key',
    });
    for (const isOn of [true, false]) {
      expect(choice.checked).toBe(!isOn);
      await userEvent.click(choice);
      await waitFor(() => expect(choice.checked).toBe(isOn));
      expect(server.seen('PUT /api/notifications').at(-1)).toMatchObject({ body: { weeklyMail: isOn } });
    }
  });

  it('[OPS-264] a copy of one’s data is ordered, and fetched or ordered anew once its state says so', async () => {
    const file = { filename: 'offcut-export.json', orderedAt: '2026-11-20T10:00:00.000Z' };
    const ready = { state: 'ready', sizeBytes: 12_000, expiresAt: '2026-11-27T10:00:00.000Z' };
    const failed = { state: 'failed', sizeBytes: null, expiresAt: '2026-11-27T10:00:00.000Z' };
    const items = [
      { ...file, ...failed, id: 'x2' },
      { ...file, ...ready, id: 'x1' },
    ];
    server.on('POST /api/me/exports', {
      status: 202,
      json: { ...items[0], state: 'preparing', expiresAt: null },
    });
    const download = { url: '/media/signed', filename: file.filename, expiresAt: '2026-11-20T10:15:00.000Z' };
    server.on('GET /api/me/exports/x1/file', { json: { download } });
    renderAt('/settings', <SettingsPage />);
    const order = await screen.findByRole('button', { name: 'Prepare a copy' });
    server.on('GET /api/me/exports', { json: { items } });
    await userEvent.click(order);
    expect(await screen.findByText('Could not be made. Order it again.')).toBeTruthy();
    expect(server.seen('POST /api/me/exports')).toHaveLength(1);
    expect(screen.getByText(/^12 kB, kept until/)).toBeTruthy();
    const pressed: string[] = [];
    const click = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      pressed.push(`${this.getAttribute('href')} ${this.download}`);
    });
    await userEvent.click(screen.getByRole('button', { name: /^Download/ }));
    await waitFor(() => expect(pressed).toEqual(['/media/signed offcut-export.json']));
    click.mockRestore();
  });

  it('[SET-01] asks visitors to sign in, on the page that leads back here', async () => {
    await act(() => signOut());
    const { path } = renderAt('/settings?tab=credits', <SettingsPage />);
    await screen.findByText('Please Sign In');
    await userEvent.click(screen.getByRole('link', { name: 'Sign In' }));
    expect(path()).toBe('/auth?returnTo=%2Fsettings%3Ftab%3Dcredits');
  });

  it('[SET-02] saves only what changed and shows it everywhere', async () => {
    server.on('PATCH /api/me', { json: { user: { ...NOOR, displayName: 'Noor' } } });
    renderAt('/settings', <SettingsPage />);
    const name = screen.getByLabelText('Display name');
    await userEvent.clear(name);
    await userEvent.type(name, 'Noor');
    await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
    await waitFor(() => expect(page()).toContain('Profile updated successfully!'));
    expect(server.seen('PATCH /api/me')[0]?.body).toEqual({ displayName: 'Noor' });
    expect(currentSession().user?.displayName).toBe('Noor');
  });

  it.each([
    ['InvalidRequest', 'No such address', 'Error updating profile: No such address'],
    ['InternalError', 'A secret', 'Error updating profile'],
  ] as const)(
    '[SET-02] [ERR-03] answers %s with its message only when it is the visitor’s',
    async (code, title, shown) => {
      server.on('PATCH /api/me', refused(code, { title }));
      renderAt('/settings', <SettingsPage />);
      await userEvent.type(screen.getByLabelText('Display name'), '!');
      await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
      await screen.findByText(shown);
      expect(page()).not.toContain('A secret');
    },
  );

  it('[SET-02] refuses a picture over 5MB before it is sent', async () => {
    renderAt('/settings', <SettingsPage />);
    const big = new File([new Uint8Array(5 * 1024 * 1024 + 1)], 'me.png', { type: 'image/png' });
    await userEvent.upload(screen.getByLabelText('Profile picture'), big);
    await waitFor(() => expect(page()).toContain('File size must be less than 5MB'));
    expect(server.seen('PUT /api/me/avatar')).toHaveLength(0);
  });

  it('[SET-02] takes a picture of exactly 5MB', async () => {
    server.on('PUT /api/me/avatar', { json: { avatarUrl: '/media/avatars/noor.webp' } });
    renderAt('/settings', <SettingsPage />);
    const fits = new File([new Uint8Array(5 * 1024 * 1024)], 'me.png', { type: 'image/png' });
    await userEvent.upload(screen.getByLabelText('Profile picture'), fits);
    await waitFor(() => expect(currentSession().user?.avatarUrl).toBe('/media/avatars/noor.webp'));
  });
});

describe('changing the password', () => {
  async function fill(current: string, next: string, confirmation: string) {
    renderAt('/settings?tab=security', <SettingsPage />);
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Update password' });
    expect(button.disabled).toBe(true);
    if (current) await userEvent.type(screen.getByLabelText('Current password'), current);
    await userEvent.type(screen.getByLabelText('New password'), next);
    await userEvent.type(screen.getByLabelText('Confirm new password'), confirmation);
    expect(button.disabled).toBe(false);
    await userEvent.click(button);
  }

  it('[SET-07] refuses two that differ, and sends nothing', async () => {
    await fill('old password', 'kitchen table', 'kitchen chair');
    await waitFor(() => expect(screen.getAllByText('New passwords do not match').length).toBeGreaterThan(0));
    expect(server.seen('PUT /api/auth/password')).toHaveLength(0);
  });

  it('[SET-07] refuses a short one by the real minimum', async () => {
    await fill('old password', 'kitchen', 'kitchen');
    await waitFor(() =>
      expect(screen.getAllByText('Password must be at least 8 characters').length).toBeGreaterThan(0),
    );
    expect(server.seen('PUT /api/auth/password')).toHaveLength(0);
  });

  it('[SET-08] sends the current one along and says that it worked', async () => {
    await fill('old password', 'kitchen table', 'kitchen table');
    await waitFor(() => expect(page()).toContain('Password updated successfully!'));
    expect(server.seen('PUT /api/auth/password')[0]?.body).toEqual({
      currentPassword: 'old password',
      newPassword: 'kitchen table',
    });
  });

  it('[SET-08] says why it was refused', async () => {
    server.on('PUT /api/auth/password', {
      status: 403,
      json: { code: 'WrongPassword', title: 'The current password is wrong' },
    });
    await fill('wrong', 'kitchen table', 'kitchen table');
    await waitFor(() => expect(page()).toContain('Error updating password: The current password is wrong'));
  });

  it('[AUTH-702] makes an access token, shows it once, and revokes it after a question', async () => {
    const token = { id: 't1', name: 'Studio PC', createdAt: '2026-11-20T10:00:00.000Z' };
    const item = { ...token, scopes: ['library:read'], expiresAt: null, lastUsedAt: null };
    const none = { required: false, passkeysOffered: true, passkeys: [], app: null, recoveryCodes: null };
    server.on('GET /api/me/factors', { json: none });
    server.on('GET /api/me/sessions', { json: { items: [] } });
    server.on('GET /api/tokens', { json: { items: [] } });
    server.on('POST /api/tokens', { status: 201, json: { id: 't1', token: 'offcut_secret' } });
    server.on('DELETE /api/tokens/t1', { status: 204 });
    renderAt('/settings?tab=security', <SettingsPage />);
    await userEvent.click(await screen.findByRole('button', { name: 'New token' }));
    await userEvent.type(await screen.findByLabelText('Name'), 'Studio PC');
    expect(screen.queryByLabelText(/your packs/)).toBeNull();
    await userEvent.click(screen.getByLabelText('Download what you bought'));
    await userEvent.selectOptions(screen.getByLabelText('Ends'), 'Never');
    server.on('GET /api/tokens', { json: { items: [item] } });
    await userEvent.click(screen.getByRole('button', { name: 'Create token' }));
    expect(await screen.findByText('offcut_secret')).toBeTruthy();
    expect(server.seen('POST /api/tokens')).toMatchObject([
      { body: { name: 'Studio PC', scopes: ['library:read'] } },
    ]);
    await userEvent.click(screen.getByRole('button', { name: 'I kept it' }));
    expect(await screen.findByText('Never used')).toBeTruthy();
    expect(screen.queryByText('offcut_secret')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Revoke: Studio PC' }));
    server.on('GET /api/tokens', { json: { items: [] } });
    await userEvent.click(await screen.findByRole('button', { name: 'Revoke' }));
    await waitFor(() => expect(screen.queryByText('Never used')).toBeNull());
    expect(server.seen('DELETE /api/tokens/t1')).toHaveLength(1);
  });
});
