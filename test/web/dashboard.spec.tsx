import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes, useLocation } from 'react-router-dom';
import type { OwnPackCard } from '../../application/publishing/contract.js';
import DashboardScreen from '../../web/src/screens/dashboard/dashboard-screen.js';
import { signOut } from '../../web/src/session/session.js';
import { ownPack } from './support/packs.js';
import { pageWith } from './support/page.js';
import { NOOR, leave, renderAt, signedInAs } from './support/render.js';
import { creatorWith, exampleWith, refused, StubServer } from './support/server.js';

const DashboardPage = pageWith('dashboard', DashboardScreen);

let server: StubServer;
let packs: OwnPackCard[];
let status: string;

beforeEach(() => {
  packs = [];
  status = 'approved';
  server = new StubServer({
    'GET /api/creator': () => creatorWith({ status }),
    'GET /api/creator/packs': () => ({ json: { items: packs, nextCursor: null } }),
    'GET /api/auth/session': () => ({ json: { user: NOOR, expiresAt: 2_000_000_000 } }),
    'POST /api/auth/sign-out': { status: 204 },
    'GET /api/creator/application/sounds': { json: { items: [] } },
  });
  signedInAs({ ...NOOR, displayName: 'Junie Okafor', isCreator: true });
});

afterEach(leave);

const KITCHEN = {
  id: 'k1',
  name: 'Kitchen Tape',
  durationMs: 2_000,
  previewUrl: '/media/previews/kitchen.m4a',
};

function Editor() {
  const { state } = useLocation();
  return <p>Editor of {JSON.stringify(state)}</p>;
}
const open = (address = '/dashboard') =>
  renderAt(
    address,
    <Routes>
      <Route path="/dashboard" element={<DashboardPage />} />
      <Route path="/creator-pack/:slug" element={<Editor />} />
      <Route path="/auth" element={<p>The sign-in page</p>} />
    </Routes>,
  );
const shown = (text: string) => waitFor(() => expect(document.body.textContent).toContain(text));

describe('the gate', () => {
  it('[ACC-01] [DASH-08] asks visitors to sign in', async () => {
    await signOut();
    const { path } = open();
    await screen.findByText('Sign In Required');
    await userEvent.click(screen.getByRole('link', { name: 'Sign In' }));
    expect(path()).toBe('/auth?returnTo=%2Fdashboard');
    expect(server.seen('GET /api/creator/packs')).toHaveLength(0);
  });

  it('[ACC-01] says that it checks', async () => {
    server.on('GET /api/creator', () => new Promise(() => undefined));
    open();
    await shown('Checking access...');
    expect(document.body.textContent).not.toContain('Creator Access Required');
  });

  it('[ACC-02] [ACC-03] tells others what is needed; applying opens the way without a reload', async () => {
    status = 'none';
    let isTaken = true;
    server.on('POST /api/creator/application', () => {
      if (isTaken) {
        isTaken = false;
        return refused('DisplayNameTaken');
      }
      status = 'approved';
      return exampleWith('POST /api/creator/application', { status });
    });
    open();
    await shown('Creator Access Required');
    await shown('Creator permissions are needed to upload audio and to publish.');
    await shown('contact support');
    expect(screen.getByRole('link', { name: 'Back to Discover' })).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Apply for creator access' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Apply for creator access' }));
    const send = () => userEvent.click(dialog.getByRole('button', { name: 'Send Application' }));
    await userEvent.type(dialog.getByLabelText('Links to your work (optional)'), 'soundcloud');
    await send();
    expect(document.activeElement).toBe(dialog.getByLabelText('What you make, and how'));
    // [APPLY-700] Sounds are sent when they are chosen, and refusals name the file.
    const sent = server.seen.bind(server, 'POST /api/creator/application/sounds');
    server.on('POST /api/creator/application/sounds', () =>
      sent().length === 1 ? refused('AudioEmpty') : { status: 201, json: { items: [KITCHEN] } },
    );
    await userEvent.upload(dialog.getByLabelText('Sounds of your application'), [
      new File(['a'], 'silence.wav'),
      new File(['b'], 'kitchen.wav'),
    ]);
    await dialog.findByText(/^silence\.wav: /);
    expect(dialog.getByLabelText('Preview of Kitchen Tape').getAttribute('src')).toBe(KITCHEN.previewUrl);
    expect(dialog.getByText('Say what you make')).toBeTruthy();
    expect(dialog.getByText('Links begin with https://, one a line')).toBeTruthy();
    await userEvent.type(dialog.getByLabelText('What you make, and how'), 'Tape loops.');
    await userEvent.clear(dialog.getByLabelText('Links to your work (optional)'));
    await userEvent.type(
      dialog.getByLabelText('Links to your work (optional)'),
      'https://a.example https://b.example',
    );
    const answers = server.seen.bind(server, 'POST /api/creator/application');
    const name = dialog.getByLabelText('Your name, as listeners see it');
    await send();
    await waitFor(() => expect(document.activeElement).toBe(name));
    expect(answers()).toHaveLength(1);
    const { form } = dialog.getByRole('button', { name: 'Send Application' }) as HTMLButtonElement;
    act(() => {
      for (let press = 0; press < 2; press += 1) form?.requestSubmit();
    });
    await shown('You may upload and publish now.');
    expect(
      answers()
        .slice(1)
        .map(({ body }) => body),
    ).toEqual([{ text: 'Tape loops.', links: ['https://a.example', 'https://b.example'] }]);
    expect(document.body.textContent).not.toContain('Creator Access Required');
  });

  it('[ADM-750] answers a question about an application', async () => {
    const asked = {
      status: 'asked',
      reason: 'Did you record them?',
      handle: null,
      displayName: 'Noor Haddad',
      hasConfirmedEmail: true,
    };
    server.on('GET /api/creator', { json: asked });
    server.on('POST /api/creator/application', {
      status: 201,
      json: { ...asked, status: 'applied', reason: null },
    });
    open();
    await shown('We have a question about your application.');
    await userEvent.click(screen.getByRole('button', { name: 'Answer' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Answer our question' }));
    expect(dialog.getByText('Did you record them?')).toBeTruthy();
    await userEvent.type(dialog.getByLabelText('Your answer'), 'Yes.');
    await userEvent.click(dialog.getByRole('button', { name: 'Send Answer' }));
    await shown('Application sent');
    expect(server.seen('POST /api/creator/application')[0]?.body).toEqual({ text: 'Yes.', links: [] });
  });

  it.each([
    ['declined', 'Your application was declined.', true],
    ['suspended', 'Your creator access is suspended. You cannot upload, publish, withdraw, or change', false],
  ])('[ACC-03] tells who was %s why, in the words of whoever decided', async (status, says, mayApply) => {
    const reason = 'The recordings you sent are from a film.';
    server.on('GET /api/creator', creatorWith({ status, reason, handle: null }));
    open();
    await shown(says);
    await shown(reason);
    expect(screen.queryByRole('button', { name: 'Apply for creator access' }) !== null).toBe(mayApply);
  });

  it('[RIGHT-760] has complaints, origin, AI training and licences in one place, and takes an objection there', async () => {
    const { json } = exampleWith('GET /api/complaints', {}) as { json: { items: [object] } };
    const complaint = {
      ...json.items[0],
      id: 'c1',
      side: 'about',
      status: 'upheld',
      said: 'It is mine.',
      counter: { status: 'possible', until: '2999-01-01T00:00:00.000Z', said: null, reason: null },
    };
    server
      .on('GET /api/creator/rights', {
        json: {
          origins: [
            { origin: 'recorded', samples: 12 },
            { origin: null, samples: 3 },
          ],
          licences: 41,
        },
      })
      .on('GET /api/creator/ai-preference', { json: { trains: false } })
      .on('GET /api/creator/copies', { json: { items: [] } })
      .on('GET /api/complaints', { json: { items: [complaint] } })
      .on('POST /api/complaints/:id/counter-notice', {});
    open('/dashboard?tab=rights');
    for (const text of [
      'It is mine.',
      'Recorded',
      'Not stated',
      'Listeners hold 41 licences.',
      'AI training',
    ])
      await shown(text);
    await shown('None of your sounds resembles a sound of another creator.');
    await userEvent.type(
      screen.getByLabelText('Why this was wrong'),
      'I recorded it in my own kitchen, with a witness.',
    );
    await userEvent.click(screen.getByLabelText('I believe in good faith that it was taken away by mistake'));
    await userEvent.click(screen.getByRole('button', { name: 'Send the counter-notice' }));
    await waitFor(() => expect(server.seen('POST /api/complaints/c1/counter-notice')).toHaveLength(1));
  });

  it('[ACC-04] drafting is open to everybody signed in', async () => {
    status = 'none';
    open();
    await shown('No published packs yet');
    expect(screen.getAllByRole('button', { name: 'Create New Pack' })[0]).toHaveProperty('disabled', false);
  });
});

describe('the side panel', () => {
  it('[DASH-01] calls nobody a creator who is none yet', async () => {
    status = 'none';
    signedInAs({ ...NOOR, displayName: 'Junie Okafor', isCreator: false });
    open();
    await shown('Creator Access Required');
    expect(screen.getByRole('complementary').textContent).toMatch(/^JOJunie OkaforCreator Dashboard/);
  });

  it('[DASH-01] keeps the place of a balance that is not known yet', async () => {
    server.on('GET /api/creator/balance', () => new Promise(() => undefined));
    open();
    const balance = await screen.findByRole('region', { name: 'Balance' });
    expect(balance.textContent).toBe('Balance–On hold –');
  });

  it('[DASH-01] shows initials, name and the real balance in whole cents', async () => {
    server.on(
      'GET /api/creator/balance',
      exampleWith('GET /api/creator/balance', {
        availableMicroUsd: 412_369_999,
        heldMicroUsd: 131_400_000,
        inDoubtMicroUsd: 0,
        inFlight: null,
      }),
    );
    open();
    await shown('$412.36');
    const panel = screen.getByRole('complementary');
    expect(panel.textContent).toContain('JOJunie OkaforCreator');
    expect(panel.textContent).toContain('On hold $131.40');
  });

  it('shows no balance where none is known', async () => {
    open();
    await shown('No published packs yet');
    expect(screen.queryByRole('region', { name: 'Balance' })).toBeNull();
  });
});

describe('the overview', () => {
  it('[DASH-03] names where one is, and opens the profile by address', async () => {
    open();
    expect(screen.getByRole('tab', { name: 'Overview', selected: true })).toBeTruthy();
    cleanup();
    open('/dashboard?tab=profile');
    expect(screen.getByRole('tab', { name: 'Profile', selected: true })).toBeTruthy();
    expect(screen.getByRole('navigation', { name: 'Breadcrumb' }).textContent).toBe(
      'Creator Dashboard/Profile',
    );
    await shown('Profile Settings');
  });

  it('[DASH-05] marks what is published, and hands the pack to the editor', async () => {
    packs = [
      ownPack({ status: 'published', title: 'Kitchen Table', slug: 'kitchen-table' }),
      ownPack({ id: 'pack-2', title: 'Second Helping' }),
    ];
    const { path } = open();
    await shown('Kitchen Table');
    expect(screen.getAllByText('PUBLISHED')).toHaveLength(1);
    await userEvent.click(screen.getByRole('link', { name: /Kitchen Table/ }));
    expect(path()).toBe('/creator-pack/kitchen-table');
    await shown('"fromDashboard":true');
    await shown('"packData":{"id":"pack-1"');
  });

  it('[DASH-901] goes on to the last pack', async () => {
    server.on('GET /api/creator/packs', ({ query }) => ({
      json: query.get('cursor')
        ? { items: [ownPack({ id: 'old', title: 'The oldest' })], nextCursor: null }
        : { items: [ownPack({ title: 'The newest' })], nextCursor: 'next' },
    }));
    open();
    await shown('Your Packs 1 and more');
    await userEvent.click(screen.getByRole('button', { name: 'Show more' }));
    await shown('The oldest');
    expect(screen.getByRole('heading', { name: 'Your Packs 2' })).toBeTruthy();
    await shown('The newest');
  });

  it('[DASH-05] says that there are none', async () => {
    open();
    await shown('No published packs yet');
  });
});

describe('a new pack', () => {
  async function openDialog() {
    open();
    await shown('No published packs yet');
    await userEvent.click(screen.getAllByRole('button', { name: 'Create New Pack' })[0] as HTMLElement);
    await screen.findByRole('dialog', { name: 'Create New Pack' });
  }

  it.each(['Name *', 'Genre *', 'Mood *'])('[NEWP-01] needs %s', async (missing) => {
    await openDialog();
    if (missing !== 'Name *') await userEvent.type(screen.getByLabelText('Name *'), 'Second Helping');
    if (missing !== 'Genre *') await userEvent.selectOptions(screen.getByLabelText('Genre *'), 'Soul');
    if (missing !== 'Mood *') await userEvent.selectOptions(screen.getByLabelText('Mood *'), 'Nostalgic');
    await userEvent.click(screen.getByRole('button', { name: 'Create Pack' }));
    await shown('Please fill in all required fields');
    expect(server.seen('POST /api/creator/packs')).toHaveLength(0);
  });

  it('[NEWP-03] drafts it and opens the editor', async () => {
    server.on('POST /api/creator/packs', { status: 201, json: ownPack({ samples: [] }) });
    await openDialog();
    await userEvent.type(screen.getByLabelText('Name *'), '  Second Helping ');
    await userEvent.selectOptions(screen.getByLabelText('Genre *'), 'Soul');
    await userEvent.selectOptions(screen.getByLabelText('Mood *'), 'Nostalgic');
    await userEvent.click(screen.getByRole('button', { name: 'Create Pack' }));
    await shown('Editor of');
    expect(server.seen('POST /api/creator/packs')[0]?.body).toEqual({
      name: 'Second Helping',
      genre: 'Soul',
      mood: 'Nostalgic',
      description: '',
    });
  });
});
