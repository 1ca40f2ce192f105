import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import type { Split } from '../../application/payouts/contract.js';
import { offerSplit } from '../../web/src/creators/splits.js';
import { SharedPacks } from '../../web/src/screens/earnings/shared-packs.js';
import SplitsSheet from '../../web/src/screens/pack-editor/splits-sheet.js';
import { ownPack } from './support/packs.js';
import { NOOR, leave, renderAt, signedInAs } from './support/render.js';
import { StubServer, refused } from './support/server.js';

const ME = { ...NOOR, displayName: 'Junie Okafor', isCreator: true };
const me = { id: ME.id, displayName: 'Junie Okafor', handle: 'Junie_Okafor' };
const INES = { id: 'ines-1', displayName: 'Ines Calderon', handle: 'ines' };
const HALVARD = { id: 'halvard-1', displayName: 'Halvard Sund', handle: 'halvard' };

const split = (more: Partial<Split>): Split => ({
  id: 'a'.repeat(32),
  packId: 'pack-1',
  packTitle: 'Second Helping',
  packSlug: 'second-helping',
  owner: me,
  collaborator: INES,
  bps: 2_500,
  status: 'accepted',
  proposedAt: '2026-11-01T10:00:00.000Z',
  changedAt: '2026-11-02T10:00:00.000Z',
  ...more,
});

let server: StubServer;
let splits: Split[];

beforeEach(() => {
  splits = [];
  server = new StubServer({
    'GET /api/splits': () => ({ json: { items: splits, nextCursor: null } }),
    'POST /api/auth/sign-out': { status: 204 },
  });
  signedInAs(ME);
});
afterEach(leave);

const openSheet = () =>
  renderAt(
    '/creator-pack/second-helping',
    <Routes>
      <Route
        path="*"
        element={
          <SplitsSheet pack={ownPack()} user={ME} onClose={() => undefined} onDirty={() => undefined} />
        }
      />
    </Routes>,
  );

it('[SPLIT-709] shows who has which part of the whole, and divides the next sale as the books do', async () => {
  splits = [
    split({ id: 'b'.repeat(32), collaborator: HALVARD, bps: 1_500, status: 'proposed' }),
    split({}),
    split({ id: 'c'.repeat(32), collaborator: HALVARD, status: 'declined' }),
  ];
  openSheet();
  expect((await screen.findByRole('img', { name: /^Junie Okafor/ })).getAttribute('aria-label')).toBe(
    'Junie Okafor 60 %, Ines Calderon 25 %, Halvard Sund 15 %',
  );
  const rows = within(screen.getByRole('list', { name: 'Parts' })).getAllByRole('listitem');
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('you60 %'),
    expect.stringContaining('accepted 2 November 202625 %'),
    expect.stringContaining('invited, no answer yet15 %'),
  ]);
  // Until Halvard accepts, his part stays with the creator of the pack. 60 % of 0.133266 USD are 0.079959.
  const example = screen.getByLabelText('The next sale').textContent;
  expect(example).toContain('Junie Okafor$0.05997');
  expect(example).toContain('Ines Calderon$0.019989');
  expect(example).not.toContain('Halvard');
  expect(example).toContain('60 %$0.079959');
});

it('[SPLIT-709] labels the parts in ink on bright colours, and in the colour of the page on dark ones', async () => {
  splits = [split({ id: 'b'.repeat(32), collaborator: HALVARD, bps: 1_500 }), split({})];
  openSheet();
  const bar = within(await screen.findByRole('img', { name: /^Junie Okafor/ }));
  const inks = ['60 %', '25 %', '15 %'].map((label) => bar.getByText(label).style.color);
  expect(inks).toEqual(['rgb(18, 32, 26)', 'rgb(18, 32, 26)', 'var(--page)']);
});

it('[SPLIT-709] offers a part, says why it is refused, and takes an offer back', async () => {
  server.on('POST /api/creator/packs/pack-1/splits', refused('CollaboratorUnknown'));
  openSheet();
  const visitor = userEvent.setup();
  await visitor.type(await screen.findByLabelText('Handle or e-mail'), 'ines');
  const part = screen.getByLabelText('Part in %');
  const press = () => visitor.click(screen.getByRole('button', { name: 'Offer a part' }));
  for (const wrong of ['0', '100', 'x']) {
    await visitor.clear(part);
    await visitor.type(part, wrong);
    await press();
    expect(await screen.findByText('0.01 to 99.99 %')).toBeTruthy();
  }
  await visitor.clear(part);
  await visitor.type(part, '12,5');
  await press();
  expect(await screen.findByRole('alert')).toBeTruthy();
  const offered = split({ bps: 1_250, status: 'proposed' });
  server.on('POST /api/creator/packs/pack-1/splits', () => {
    splits = [offered];
    return { status: 201, json: offered };
  });
  await press();
  expect(await screen.findByText('12.5 %')).toBeTruthy();
  expect(server.seen('POST /api/creator/packs/pack-1/splits').at(-1)?.body).toEqual({
    creator: 'ines',
    bps: 1_250,
  });
});

it('[SPLIT-709] a second press before the answer sends nothing, and gets the same answer', async () => {
  const offered = split({ status: 'proposed' });
  server.on('POST /api/creator/packs/pack-1/splits', { status: 201, json: offered });
  const offer = () => offerSplit('pack-1', { creator: 'ines', bps: 2_500 });
  expect(await Promise.all([offer(), offer()])).toEqual([offered, offered]);
  expect(server.seen('POST /api/creator/packs/pack-1/splits')).toHaveLength(1);
  await offer();
  expect(server.seen('POST /api/creator/packs/pack-1/splits')).toHaveLength(2);
});

it('[SPLIT-710] an offer behind a hundred splits of own packs is found', async () => {
  const offer = split({ owner: HALVARD, collaborator: me, status: 'proposed' });
  server.on('GET /api/splits', ({ query }) => ({
    json: query.get('cursor')
      ? { items: [offer], nextCursor: null }
      : { items: [split({ id: 'b'.repeat(32) })], nextCursor: 'next' },
  }));
  renderAt('/earnings', <SharedPacks userId={ME.id} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Show more' }));
  expect(await screen.findByRole('button', { name: 'Accept “Second Helping”' })).toBeTruthy();
});

it('[SPLIT-710] offers from other creators are accepted or declined, and accepted ones end, on the page of sales', async () => {
  splits = [
    split({ owner: HALVARD, collaborator: me, status: 'proposed' }),
    split({ id: 'b'.repeat(32), packTitle: 'Own pack' }),
  ];
  server.on(`POST /api/splits/${'a'.repeat(32)}/accept`, () => {
    const [offer, own] = splits as [Split, Split];
    splits = [{ ...offer, status: 'accepted' }, own];
    return { json: splits[0] };
  });
  renderAt('/earnings', <SharedPacks userId={ME.id} />);
  const panel = within(await screen.findByRole('region', { name: 'Shared packs' }));
  expect(panel.getByText('offered by Halvard Sund')).toBeTruthy();
  expect(panel.queryByText('Own pack')).toBeNull();
  await userEvent.click(panel.getByRole('button', { name: 'Accept “Second Helping”' }));
  expect(await panel.findByText('accepted')).toBeTruthy();
  await waitFor(() => expect(panel.getByRole('button', { name: 'End “Second Helping”' })).toBeTruthy());
  const [accepted] = server.seen(`POST /api/splits/${'a'.repeat(32)}/accept`);
  expect(accepted?.headers['idempotency-key']).toBeTruthy();
});
