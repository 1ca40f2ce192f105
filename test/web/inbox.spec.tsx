import { beforeEach, afterEach, expect, it } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense } from 'react';
import { query } from '../../web/src/api/api.js';
import { queryClient } from '../../web/src/api/query-client.js';
import { CreatorGate } from '../../web/src/creators/creator-gate.js';
import InboxScreen from '../../web/src/screens/inbox/inbox-screen.js';
import { NoticeChoicesPanel } from '../../web/src/screens/settings/notice-choices.js';
import { AvatarButton } from '../../web/src/shell/avatar-button.js';
import { leave, NOOR, renderAt, signedInAs } from './support/render.js';
import { creatorWith, StubServer } from './support/server.js';

const notice = (position: number, text: string, changes: object = {}) => ({
  position,
  kind: 'sales',
  text,
  href: '/earnings',
  at: new Date().toISOString(),
  isRead: false,
  ...changes,
});
const CREATOR = { ...NOOR, isCreator: true, avatarUrl: '/media/avatars/noor.webp' };
const CHOICES = {
  sales: 'digest',
  payouts: 'mail',
  followers: 'digest',
  releases: 'digest',
  files: 'mail',
  applications: 'mail',
  cases: 'mail',
};
let server: StubServer;
let unread: number;

beforeEach(() => {
  unread = 2;
  server = new StubServer({
    'GET /api/inbox/state': () => ({ json: { newest: 7, unread } }),
    'GET /api/inbox': {
      json: {
        items: [
          notice(7, 'You sold your first sample'),
          notice(6, '“Felt” was taken down', { href: null }),
          notice(5, 'Old news', { isRead: true }),
        ],
        nextCursor: null,
      },
    },
    'POST /api/inbox/read': () => {
      unread = 0;
      return { status: 204 };
    },
    'GET /api/inbox/choices': {
      json: CHOICES,
    },
    'POST /api/auth/sign-out': { status: 204 },
    'PUT /api/inbox/choices': ({ body }) => ({ json: body as object }),
  });
  signedInAs(CREATOR);
});
afterEach(leave);

it('[NEWS-706] lists what happened, says what is unread, and marks it as read', async () => {
  renderAt(
    '/inbox',
    <Suspense>
      <AvatarButton user={CREATOR} />
      <InboxScreen />
    </Suspense>,
  );
  expect(await screen.findByRole('button', { name: 'Account menu, 2 unread' })).toBeTruthy();
  const link = await screen.findByRole('link', { name: 'You sold your first sample' });
  expect(link.getAttribute('href')).toBe('/earnings');
  expect(screen.getAllByText('Unread:')).toHaveLength(2);
  await waitFor(() =>
    expect(server.seen('POST /api/inbox/read').map(({ body }) => body)).toEqual([{ position: 7 }]),
  );
  expect(await screen.findByRole('button', { name: 'Account menu' })).toBeTruthy();
});

it('[NEWS-706] [ACC-440] asks with a new notice at once whether the creator was approved', async () => {
  let newest = 7;
  server.on('GET /api/inbox/state', () => ({ json: { newest, unread: 0 } }));
  server.on('GET /api/creator', creatorWith({ status: 'declined' }));
  renderAt(
    '/creator-pack/felt',
    <>
      <AvatarButton user={CREATOR} />
      <CreatorGate />
    </>,
  );
  await screen.findByText(/Your application was declined/);
  await waitFor(() => expect(server.seen('GET /api/inbox/state').length).toBeGreaterThan(0));
  newest = 8;
  server.on('GET /api/creator', creatorWith({ status: 'suspended' }));
  await act(() => queryClient.refetchQueries(query('GET /api/inbox/state')));
  expect(await screen.findByText(/Your creator access is suspended/)).toBeTruthy();
});

it('[NEWS-706] says when there is nothing yet', async () => {
  server.on('GET /api/inbox', { json: { items: [], nextCursor: null } });
  renderAt('/inbox', <InboxScreen />);
  expect(await screen.findByText('Nothing yet')).toBeTruthy();
  expect(server.seen('POST /api/inbox/read')).toEqual([]);
});

it('[NEWS-703] saves how each kind is mailed', async () => {
  renderAt('/settings', <NoticeChoicesPanel />);
  await userEvent.selectOptions(await screen.findByLabelText('Sales'), 'At once');
  await waitFor(() =>
    expect(server.seen('PUT /api/inbox/choices').map(({ body }) => body)).toEqual([
      { ...CHOICES, sales: 'mail' },
    ]),
  );
});

it('[TOLD-721] changes the choice for mails about applications and cases, and names the mails that are always sent', async () => {
  renderAt('/settings', <NoticeChoicesPanel />);
  await userEvent.selectOptions(await screen.findByLabelText(/^Progress of complaints/), 'In the inbox only');
  await waitFor(() =>
    expect(server.seen('PUT /api/inbox/choices').map(({ body }) => body)).toEqual([
      { ...CHOICES, cases: 'off' },
    ]),
  );
  expect(screen.getByLabelText('Your application as a creator')).toBeTruthy();
  expect(
    screen.getByText(/Always sent: .*takedowns and suspensions, and the answers to complaints/),
  ).toBeTruthy();
});
