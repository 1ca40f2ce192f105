import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import type { PackDetail } from '../../application/catalogue/contract.js';
import PackScreen from '../../web/src/screens/pack/pack-screen.js';
import PreviewScreen from '../../web/src/screens/preview/preview-screen.js';
import PackEditorScreen from '../../web/src/screens/pack-editor/pack-editor-screen.js';
import { ownPack } from './support/packs.js';
import { pageWith } from './support/page.js';
import { leave, NOOR, renderAt, sampleNamed, signedInAs } from './support/render.js';
import { creatorWith, refused, StubServer } from './support/server.js';

const PACK = '/api/creator/packs/pack-1';
const Pack = pageWith('pack', PackScreen);
const Preview = pageWith('preview', PreviewScreen);
const Editor = pageWith('pack-editor', PackEditorScreen);
const { creator } = sampleNamed('a');
const upcoming: PackDetail = {
  id: 'p1',
  title: 'Kettle',
  slug: 'kettle',
  creator,
  genre: 'Soul',
  mood: 'Chill',
  sampleCount: 1,
  artworkUrl: null,
  description: 'Steam.',
  publishedAt: '2027-01-05T18:00:00.000Z',
  releaseAt: '2027-01-05T18:00:00.000Z',
  totalCostCredits: 2,
  packCostCredits: null,
  samples: [sampleNamed('a', { title: 'Whistle', creditCost: 2, onSale: false })],
};
let server: StubServer;
let pack = ownPack();

beforeEach(() => {
  pack = ownPack();
  server = new StubServer({
    [`GET /api/packs/${creator.handle}/kettle`]: { json: upcoming },
    'GET /api/previews/secret': { json: { ...upcoming, releaseAt: null } },
    'GET /api/previews/out': { json: { ...upcoming, releaseAt: undefined } },
    'GET /api/previews/ended': refused('NotFound'),
    'GET /api/creator': creatorWith(),
    'GET /api/creator/packs/second-helping': () => ({ json: pack }),
    'GET /api/creator/packs': () => ({ json: { items: [pack], nextCursor: null, total: 1 } }),
    'POST /api/auth/sign-out': { status: 204 },
    [`PUT ${PACK}/release`]: ({ body }) => {
      pack = { ...pack, version: pack.version + 1, releaseAt: (body as { releaseAt: string }).releaseAt };
      return { json: pack };
    },
    [`DELETE ${PACK}/release`]: () => {
      pack = { ...pack, version: pack.version + 1, releaseAt: null };
      return { json: pack };
    },
    [`PUT ${PACK}/preview-link`]: { json: { token: 'secret' } },
    [`DELETE ${PACK}/preview-link`]: { status: 204 },
  });
});
afterEach(leave);

const open = (address: string) =>
  renderAt(
    address,
    <Routes>
      <Route path="/pack/:slug/:creator" element={<Pack />} />
      <Route path="/preview/:token" element={<Preview />} />
      <Route path="/creator-pack/:slug" element={<Editor />} />
    </Routes>,
  );
const press = async (name: string | RegExp, inside = screen.getByRole.bind(screen)) =>
  userEvent.click(inside('button', { name }));
const shown = (text: string) => waitFor(() => expect(document.body.textContent).toContain(text));

it('[REL-700] shows before the release when it is, plays, and offers nothing to buy or save', async () => {
  open(`/pack/kettle/${creator.handle}`);
  await shown('Out on 5 January 2027');
  expect(screen.getByRole('button', { name: 'Play Whistle' })).toBeTruthy();
  for (const name of [/download/i, /save/i, /collection/i])
    expect(screen.queryByRole('button', { name })).toBeNull();
});

it('[REL-702] shows a draft by its link, and leads to the pack once it is out', async () => {
  open('/preview/secret');
  await shown('Preview of a pack that is not released');
  expect(screen.getByRole('button', { name: 'Follow' })).toBeTruthy();
  cleanup();
  signedInAs({ ...NOOR, id: creator.id });
  open('/preview/secret');
  await shown('Preview of a pack that is not released');
  expect(screen.queryByRole('button', { name: 'Follow' })).toBeNull();
  cleanup();
  open('/preview/ended');
  await shown('This link has ended');
  cleanup();
  open('/preview/out');
  await shown('Out on');
});

it('[REL-700] [REL-702] is chosen where the pack is published, and taken back; the preview link ends', async () => {
  signedInAs({ ...NOOR, isCreator: true });
  open('/creator-pack/second-helping');
  await userEvent.click(await screen.findByRole('button', { name: 'Publish Pack' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Ready to publish?' }));
  await userEvent.click(dialog.getByLabelText('Later'));
  await userEvent.click(dialog.getByRole('checkbox'));
  const replace = jest.fn();
  const opened = jest.spyOn(window, 'open').mockReturnValue({ location: { replace } } as unknown as Window);
  const preview = dialog.getByRole('button', { name: 'Preview its page' });
  for (const press of [preview, preview]) fireEvent.click(press);
  await waitFor(() => expect(replace).toHaveBeenCalledWith(`${window.location.origin}/preview/secret`));
  expect(opened).toHaveBeenCalledTimes(1);
  await userEvent.type(dialog.getByLabelText('Day and time'), '2020-01-01T10:00');
  await press('Schedule Release', dialog.getByRole);
  expect(dialog.getByText('Choose a time in the future')).toBeTruthy();
  await userEvent.clear(dialog.getByLabelText('Day and time'));
  await userEvent.type(dialog.getByLabelText('Day and time'), '2037-01-05T10:00');
  await press('Schedule Release', dialog.getByRole);
  await shown('Out on 5 January 2037, 10:00.');
  expect(server.seen(`PUT ${PACK}/release`)[0]).toMatchObject({
    body: { releaseAt: new Date('2037-01-05T10:00').toISOString() },
    headers: { 'if-match': '"7"' },
  });
  await press('Cancel Release');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Cancel Release' })).toBeNull());
  await press('Preview');
  expect(await screen.findByDisplayValue(/\/preview\/secret$/)).toBeTruthy();
  await press('End this link');
  await screen.findByRole('button', { name: 'Preview' });
  expect(server.seen(`DELETE ${PACK}/preview-link`)).toHaveLength(1);
});
