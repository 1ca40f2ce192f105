import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { FeaturedSample, OwnProfile } from '../../application/profiles/contract.js';
import DashboardScreen from '../../web/src/screens/dashboard/dashboard-screen.js';
import { currentSession } from '../../web/src/session/session.js';
import { dismissToast } from '../../web/src/ui/overlays/toast.js';
import { pageWith } from './support/page.js';
import { NOOR, leave, renderAt, signedInAs } from './support/render.js';
import { creatorWith, refused, StubServer } from './support/server.js';

const DashboardPage = pageWith('dashboard', DashboardScreen);

const sample = (n: number): FeaturedSample => ({
  id: `s${n}`,
  title: `Take ${n}`,
  pack: n % 2 ? 'Loft' : 'Yard',
  packSlug: 'loft',
  fileUrl: `/api/storage/object?bucket=Sounds&path=${n}`,
  artwork: null,
});

const PROFILE: OwnProfile = {
  userId: 'noor',
  username: 'Noor_Haddad',
  displayName: 'Noor Haddad',
  bio: 'Rooms.',
  avatarUrl: null,
  twitter: 'noor',
  instagram: '',
  tiktok: '',
  youtube: '',
  samples: [sample(1)],
  updatedAt: null,
  savedTo: 'table',
};

let server: StubServer;

beforeEach(() => {
  server = new StubServer({
    'GET /api/creator': creatorWith({ displayName: 'Noor Haddad', handle: 'Noor_Haddad' }),
    'GET /api/creator/packs': { json: { items: [], nextCursor: null } },
    'GET /api/creator/profile': { json: PROFILE },
    'PUT /api/creator/profile': (request) => ({
      json: { ...PROFILE, ...(request.body as object), samples: PROFILE.samples },
    }),
    'GET /api/creator/featured-candidates': ({ query }) => {
      const q = (query.get('q') ?? '').toLowerCase();
      const items = Array.from({ length: 13 }, (_, n) => sample(n));
      const found = items.filter(({ title, pack }) => `${title} ${pack}`.toLowerCase().includes(q));
      return { json: { items: q ? found : items.slice(0, 12) } };
    },
    'POST /api/auth/sign-out': { status: 204 },
  });
  signedInAs({ ...NOOR, isCreator: true });
});

afterEach(leave);

async function opened(): Promise<void> {
  renderAt('/dashboard?tab=profile', <DashboardPage />);
  await screen.findByText('Creator Profile');
}
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const shown = (text: string) => waitFor(() => expect(document.body.textContent).toContain(text));
const sent = () => server.seen('PUT /api/creator/profile').map(({ body }) => body as Partial<OwnProfile>);

describe('the profile form', () => {
  it('[FORM-01] holds name, bio, avatar and four networks under "Profile Settings"', async () => {
    await opened();
    expect(screen.getByRole('heading', { name: 'Profile Settings' })).toBeTruthy();
    for (const label of ['Display name', 'Bio', 'Avatar', 'Twitter', 'Instagram', 'TikTok', 'YouTube'])
      expect(screen.getByLabelText(label)).toBeTruthy();
    expect(screen.getByLabelText('Bio')).toHaveProperty('value', 'Rooms.');
  });

  it('[FORM-06] saves and says so; the session shows the new name', async () => {
    await opened();
    await userEvent.type(screen.getByLabelText('Display name'), '!');
    await press('Save Profile');
    await shown('Profile updated successfully!');
    expect(sent()[0]).toMatchObject({
      displayName: 'Noor Haddad!',
      twitter: 'noor',
      samples: [{ id: 's1' }],
    });
    expect(currentSession().user?.displayName).toBe('Noor Haddad!');
  });

  it('[FORM-04] says that a link cannot be one as soon as its field is left, and takes it back while it is mended', async () => {
    await opened();
    const field = screen.getByLabelText('YouTube');
    await userEvent.clear(field);
    await userEvent.type(field, 'https://elsewhere.example/noor');
    expect(document.body.textContent).not.toContain('Enter a name or an address on youtube.com');
    await userEvent.tab();
    await shown('Enter a name or an address on youtube.com');
    await userEvent.clear(field);
    await userEvent.type(field, '@noor');
    await waitFor(() => expect(document.body.textContent).not.toContain('Enter a name or an address on'));
    expect(sent()).toEqual([]);
  });

  it('[FORM-06] says why the server refused', async () => {
    server.on('PUT /api/creator/profile', {
      status: 422,
      json: { code: 'FeaturedTwice', title: 'A sample can be featured once only' },
    });
    await opened();
    await press('Save Profile');
    await shown('Failed to save profile: A sample can be featured once only');
  });

  it('[FORM-05] asks to sign in when the session ended meanwhile', async () => {
    server.on('PUT /api/creator/profile', {
      status: 401,
      json: { code: 'NotSignedIn', title: 'Sign in first' },
    });
    await opened();
    await press('Save Profile');
    await shown('Please sign in before saving your profile.');
  });

  it('[FORM-07] tells when storage stood in for the table, and when that failed too', async () => {
    const stored = { ...PROFILE, savedTo: 'storage' };
    server.on('GET /api/creator/profile', { json: stored }).on('PUT /api/creator/profile', { json: stored });
    await opened();
    await press('Save Profile');
    await shown('Profile saved to storage successfully!');
    act(() => dismissToast());
    server.on('PUT /api/creator/profile', refused('ServiceUnavailable', { title: 'No room' }));
    await press('Save Profile');
    await shown('Failed to storage: No room');
  });

  it('[FORM-04] opens a link only where a field holds one, and refuses another network’s', async () => {
    await opened();
    const links = () =>
      screen.queryAllByRole('link', { name: /^Open / }).map((link) => link.getAttribute('href'));
    expect(links()).toEqual(['https://twitter.com/noor']);
    await userEvent.type(screen.getByLabelText('TikTok'), '@@noor');
    await userEvent.type(screen.getByLabelText('YouTube'), 'youtube.com/@noor');
    await userEvent.clear(screen.getByLabelText('Twitter'));
    expect(links()).toEqual(['https://www.tiktok.com/@noor', 'https://youtube.com/@noor']);
    await userEvent.type(screen.getByLabelText('Instagram'), 'https://evil.example/noor');
    expect(links()).toHaveLength(2);
    await press('Save Profile');
    await shown('Enter a name or an address on instagram.com');
    expect(sent()).toHaveLength(0);
  });
});

describe('featured samples', () => {
  const featured = () =>
    within(screen.getByRole('list', { name: 'Featured samples' })).queryAllByText(/^Take /);
  const offered = () =>
    within(screen.getByRole('list', { name: 'Samples to feature' })).queryAllByText(/^Take /);

  it('[FORM-02] takes up to ten, offers none twice, and keeps the order chosen', async () => {
    await opened();
    await screen.findByRole('list', { name: 'Samples to feature' });
    expect(offered()).toHaveLength(11);
    for (const n of [0, 2, 3, 4, 5, 6, 7, 8, 9]) await press(`Feature Take ${n}`);
    await shown('10 of 10');
    expect(offered().map((each) => each.textContent)).toEqual(['Take 10', 'Take 11']);
    expect(screen.getByRole('button', { name: 'Feature Take 10' })).toHaveProperty('disabled', true);
    await press('Stop featuring Take 1');
    await press('Move Take 2 up');
    await press('Save Profile');
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(sent()[0]?.samples?.map(({ id }) => id)).toEqual([
      's2',
      's0',
      's3',
      's4',
      's5',
      's6',
      's7',
      's8',
      's9',
    ]);
  });

  it('[FORM-02] finds by title and pack', async () => {
    await opened();
    await userEvent.type(await screen.findByLabelText('Find a sample'), 'yard');
    // One of them is not among the first suggestions.
    await waitFor(() => expect(offered()).toHaveLength(7));
    expect(screen.getByText('Take 12')).toBeTruthy();
    await userEvent.type(screen.getByLabelText('Find a sample'), 'x');
    await shown('No options found');
    expect(featured()).toHaveLength(1);
  });
});

describe('the avatar', () => {
  const choose = (bytes: number) =>
    userEvent.upload(
      screen.getByLabelText('Avatar'),
      new File([new Uint8Array(bytes)], 'me.png', { type: 'image/png' }),
    );

  it('[FORM-03] [PROF-08] is sent at once and tells open profile views', async () => {
    server.on('PUT /api/creator/avatar', { json: { success: true, avatarUrl: '/media/avatars/a.webp' } });
    await opened();
    await shown('JPG, PNG or GIF. Max size 5MB.');
    await choose(10);
    await waitFor(() => expect(currentSession().user?.avatarUrl).toBe('/media/avatars/a.webp'));
    await waitFor(() => expect(server.seen('GET /api/creator/profile')).toHaveLength(2));
  });

  it('[FORM-03] fails in plain words, and too large a file is not sent', async () => {
    server.on('PUT /api/creator/avatar', {
      status: 415,
      json: { code: 'UnsupportedImageType', title: 'No' },
    });
    await opened();
    await choose(10);
    await shown('Failed to upload avatar. Please try again.');
    await choose(5 * 1024 * 1024 + 1);
    await shown('File size must be less than 5MB');
    expect(server.seen('PUT /api/creator/avatar')).toHaveLength(1);
  });
});
