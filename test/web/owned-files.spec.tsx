import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import LibraryScreen from '../../web/src/screens/library/library-screen.js';
import { pageWith } from './support/page.js';
import { FILE_FACTS, NOOR, leave, renderAt, sampleNamed, signedInAs } from './support/render.js';
import { StubServer } from './support/server.js';

const LibraryPage = pageWith('library', LibraryScreen);

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
  ...FILE_FACTS,
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

afterEach(leave);

it('[LIB-06] fetches the selected downloads again as one archive', async () => {
  const pressed: string[] = [];
  HTMLAnchorElement.prototype.click = function press(this: HTMLAnchorElement) {
    pressed.push(`${this.getAttribute('href')} as ${this.download}`);
  };
  const expiresAt = '2099-01-01T00:00:00Z';
  const archive = {
    id: 't1',
    url: '/t1.zip',
    filename: 'Offcut.zip',
    sampleCount: 2,
    leftOut: [],
    expiresAt,
  };
  server.on('POST /api/library/archives', { status: 201, json: archive });
  server.on('GET /api/library/archives/t1', { json: { status: 'sent' } });
  renderAt('/library?downloads', <LibraryPage />);
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select first' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select second' }));
  await userEvent.click(screen.getByRole('button', { name: 'Download again as ZIP' }));
  expect(await screen.findByText('Downloaded')).toBeDefined();
  expect([screen.getByText('2 samples'), screen.getByText('You already owned it.')]).toHaveLength(2);
  expect(pressed).toEqual(['/t1.zip as Offcut.zip']);
  expect(server.seen('POST /api/library/archives')[0]?.body).toEqual({ sampleIds: ['first', 'second'] });
});

it('[DL-16] says why stems are refused', async () => {
  renderAt('/library?downloads', <LibraryPage />);
  await userEvent.click(await screen.findByRole('button', { name: 'Download STEMS of first' }));
  expect(await screen.findByText('Studio plan required')).toBeDefined();
  expect(server.seen('GET /api/downloads/first/stems')).toHaveLength(1);
});
