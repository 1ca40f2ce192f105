import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import type { SampleDetail } from '../../application/catalogue/contract.js';
import SampleScreen from '../../web/src/screens/sample/sample-screen.js';
import { NOOR, ORIGINAL_FACTS, leave, renderAt, sampleNamed, signedInAs } from './support/render.js';
import { StubServer, refused } from './support/server.js';

const detail = (more: Partial<SampleDetail> = {}): SampleDetail => ({
  ...sampleNamed('felt', { title: 'Felt keys', hasStems: true }),
  ...ORIGINAL_FACTS,
  ...more,
});

let server: StubServer;

beforeEach(() => {
  server = new StubServer({
    'GET /api/samples/felt': { json: detail() },
    'GET /api/samples/felt/similar': {
      json: { items: [{ ...sampleNamed('near', { title: 'Near it' }), reasons: ['Same key'] }] },
    },
    'POST /api/auth/sign-out': { status: 204 },
  });
  signedInAs(NOOR);
});
afterEach(leave);

async function open() {
  renderAt(
    '/sample/felt',
    <Routes>
      <Route path="/sample/:id" element={<SampleScreen />} />
    </Routes>,
  );
  await screen.findByRole('heading', { level: 1 });
}
const link = (name: string | RegExp) => screen.getAllByRole('link', { name })[0]?.getAttribute('href');

it('[PAGE-720] shows player, price, facts, licence, pack, creator and similar sounds', async () => {
  await open();
  expect(screen.getByRole('heading', { level: 1, name: 'Felt keys' })).toBeTruthy();
  expect([link('Rented Piano'), link('Wren Abbott')]).toEqual([
    '/pack/rented-piano/Wren_Abbott',
    '/creator/Wren_Abbott',
  ]);
  expect(screen.getByRole('button', { name: 'Play Felt keys' })).toBeTruthy();
  expect(screen.getByRole('button', { name: /^Download 1 credit/ })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Copy link' })).toBeTruthy();
  for (const text of [
    'Loop, 0:21',
    'WAV, 44.1 kHz, stereo, 4.9 MB',
    'Lofi, nostalgic',
    'Comes with the download',
  ])
    expect(screen.getByText(text)).toBeTruthy();
  expect(link('Anyone can verify it')).toBe('/certificates/verify');
  const similar = within(await screen.findByRole('list', { name: 'Similar to Felt keys' }));
  expect(similar.getByRole('link', { name: 'Near it' }).getAttribute('href')).toBe('/sample/near');
});

it('[PAGE-720] gives the owner the certificate, and the download free', async () => {
  server.on('GET /api/samples/felt', { json: detail({ owned: true, certificateId: 'c-1' }) });
  await open();
  expect(screen.getByRole('button', { name: /^Download again/ })).toBeTruthy();
  expect([link('verify it'), link('download it as PDF')]).toEqual([
    '/certificates/c-1',
    '/api/certificates/c-1.pdf',
  ]);
});

it('[PAGE-722] says that it is not on sale, without similar sounds and without a link to the pack', async () => {
  server.on('GET /api/samples/felt', { json: detail({ onSale: false, owned: true }) });
  await open();
  expect(screen.getByRole('note').textContent).toContain('This sound is not on sale.');
  expect(screen.queryByRole('link', { name: 'Rented Piano' })).toBeNull();
  expect(server.seen('GET /api/samples/felt/similar')).toHaveLength(0);
});

it.each([
  ['SampleNotAvailable', 'Sample not found'],
  ['TakenDown', 'Taken down'],
] as const)('[PAGE-722] says for %s: "%s"', async (code, title) => {
  server.on('GET /api/samples/felt', refused(code));
  renderAt(
    '/sample/felt',
    <Routes>
      <Route path="/sample/:id" element={<SampleScreen />} />
    </Routes>,
  );
  expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
});

it('[EMB-705] copies the HTML of its player', async () => {
  const user = userEvent.setup();
  await open();
  await user.click(screen.getByRole('button', { name: 'Copy embed code' }));
  await screen.findByText('Embed code copied');
  expect(await navigator.clipboard.readText()).toBe(
    '<iframe src="http://localhost/embed/sample/felt" title="Felt keys by Wren Abbott" width="640" height="176" loading="lazy" style="border:0;max-width:100%"></iframe>',
  );
});
