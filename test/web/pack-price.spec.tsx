import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import type { PackDetail } from '../../application/catalogue/contract.js';
import { creditsForMissing } from '../../domain/shared/pack-price.js';
import type { OwnPack } from '../../application/publishing/contract.js';
import { PriceSheet } from '../../web/src/screens/pack-editor/price-sheet.js';
import { packCost } from '../../web/src/downloads/download-format.js';
import { ownPack, ownSample } from './support/packs.js';
import { NOOR, leave, renderAt, signedInAs } from './support/render.js';
import { StubServer, refused } from './support/server.js';

const ME = { ...NOOR, displayName: 'Junie Okafor', isCreator: true };
const PATH = 'PUT /api/creator/packs/pack-1/price';

let server: StubServer;
beforeEach(() => {
  const ines = { id: 'ines-1', displayName: 'Ines Calderon', handle: 'ines' };
  const me = { id: ME.id, displayName: ME.displayName, handle: 'junie' };
  const split = { id: 'a'.repeat(32), packId: 'pack-1', packTitle: 'P', packSlug: 'p', owner: me };
  const at = { proposedAt: '2026-11-01T10:00:00.000Z', changedAt: '2026-11-02T10:00:00.000Z' };
  const accepted = { ...split, ...at, collaborator: ines, bps: 2_500, status: 'accepted' };
  server = new StubServer({
    'GET /api/splits': { json: { items: [accepted], nextCursor: null } },
    'POST /api/auth/sign-out': { status: 204 },
  });
  signedInAs(ME);
});
afterEach(leave);

const costs = [5, 3, 1, 1];
const priced = (more: Partial<OwnPack> = {}) =>
  ownPack({ samples: costs.map((creditCost, n) => ownSample(`s${n}`, { creditCost })), ...more });
const openSheet = (pack: OwnPack) =>
  renderAt(
    '/creator-pack/pack',
    <Routes>
      <Route
        path="*"
        element={<PriceSheet pack={pack} user={ME} onClose={() => undefined} onDirty={() => undefined} />}
      />
    </Routes>,
  );

it('[PRICE-709] previews who earns what with the rounding of the books, and saves and removes the price', async () => {
  openSheet(priced());
  const visitor = userEvent.setup();
  const field = await screen.findByLabelText('Price of the whole pack in credits');
  const save = screen.getByRole('button', { name: 'Save price' });
  for (const wrong of ['0', '10', '1.5', 'x']) {
    await visitor.clear(field);
    await visitor.type(field, wrong);
    await visitor.click(save);
    expect(await screen.findByText('1 to 9')).toBeTruthy();
    expect(screen.queryByRole('region', { name: 'The next sale of the whole pack' })).toBeNull();
  }
  expect(server.seen(PATH)).toHaveLength(0);
  await visitor.clear(field);
  await visitor.type(field, '6');
  const preview = within(await screen.findByRole('region', { name: 'The next sale of the whole pack' }));
  const rows = preview.getAllByRole('row').slice(1);
  expect(rows.map((row) => within(row).getAllByRole('cell').at(-1)?.textContent)).toEqual([
    '3',
    '2',
    '1',
    '0',
  ]);
  // The share of 3 credits is 0.239878 USD, of which a quarter is 0.059969 USD.
  expect(rows[0]?.textContent).toContain('Junie Okafor$0.179909');
  expect(rows[0]?.textContent).toContain('Ines Calderon$0.059969');
  server.on(PATH, refused('PackPriceTooHigh', { sumCredits: 5 }));
  await visitor.click(save);
  expect(await screen.findByRole('alert')).toBeTruthy();
  server.on(PATH, ({ body }) => ({ json: priced({ priceCredits: (body as { credits: number }).credits }) }));
  await visitor.dblClick(save);
  expect(await screen.findByText('The price was saved')).toBeTruthy();
  expect(server.seen(PATH).map(({ body }) => body)).toEqual([{ credits: 6 }, { credits: 6 }]);
});

it('[PRICE-709] says when the price does not count, and removes it', async () => {
  openSheet(priced({ priceCredits: 12 }));
  expect(await screen.findByText(/The price of 12 credits does not count now/)).toBeTruthy();
  server.on(PATH, { json: priced() });
  await userEvent.click(screen.getByRole('button', { name: 'Remove price' }));
  expect(await screen.findByText('The pack costs the sum of its samples')).toBeTruthy();
  expect(server.seen(PATH)[0]?.body).toEqual({ credits: null });
});

it('[PRICE-710] a pack costs less in proportion to what is owned, as the server calculates it', () => {
  for (const sumCredits of [0, 1, 3, 7, 10, 1_000])
    for (const priceCredits of [null, ...[1, 2, 6, 999].filter((price) => price < sumCredits)])
      for (let missing = 0; missing <= sumCredits; missing += 1) {
        const pack = { packCostCredits: priceCredits, totalCostCredits: sumCredits } as PackDetail;
        const cost = creditsForMissing({ priceCredits, sumCredits }, missing);
        expect([pack, missing, packCost(pack, missing)]).toEqual([pack, missing, cost]);
      }
});
