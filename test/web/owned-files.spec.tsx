import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import LibraryScreen from '../../web/src/screens/library/library-screen.js';
import { signOut } from '../../web/src/session/session.js';
import { settleAlert } from '../../web/src/ui/alerts.js';
import { NOOR, renderAt, sampleNamed, signedInAs } from './support/render.js';
import { StubServer } from './support/server.js';

const row = (id: string) => ({
  id: `row-${id}`,
  sampleId: id,
  sample: sampleNamed(id, { title: id, hasStems: true, hasMidi: true }),
  filename: `${id}.wav`,
  format: 'wav',
  sizeBytes: 4_900_000,
  track: id,
  pack: 'Rented Piano',
  creator: 'Wren Abbott',
  artwork: null,
  certificateId: `certificate-${id}`,
  createdAt: '2026-11-20T12:00:00.000Z',
});

let server: StubServer;

beforeEach(() => {
  server = new StubServer({
    'GET /api/library/saved': { json: { items: [], nextCursor: null } },
    'GET /api/library/downloads': { json: { items: [row('first'), row('second')], nextCursor: null } },
    'GET /api/downloads/first/stems': {
      status: 403,
      json: { code: 'StudioPlanRequired', title: 'Stems come with the Studio plan.', status: 403 },
    },
    'POST /api/auth/sign-out': { status: 204 },
  });
  signedInAs(NOOR);
});

afterEach(async () => {
  act(() => settleAlert(false));
  cleanup();
  await signOut();
});

it('[LIB-05] offers the selected downloads as one archive', async () => {
  renderAt('/library?downloads', <LibraryScreen />);
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select first' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select second' }));
  const link = screen.getByRole('link', { name: 'Download as ZIP' });
  expect(link.getAttribute('href')).toBe('/api/library/downloads.zip?ids=first,second');
  expect(link.hasAttribute('download')).toBe(true);
});

it('[DL-16] says why stems are refused', async () => {
  renderAt('/library?downloads', <LibraryScreen />);
  await userEvent.click(await screen.findByRole('button', { name: 'Download STEMS of first' }));
  expect(await screen.findByText('Studio plan required')).toBeDefined();
  expect(server.seen('GET /api/downloads/first/stems')).toHaveLength(1);
});
