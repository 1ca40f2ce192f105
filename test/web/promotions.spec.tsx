import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import type { PromotionCode } from '../../application/promotions/contract.js';
import { FreeDownloads } from '../../web/src/screens/earnings/free-downloads.js';
import PromotionsSheet from '../../web/src/screens/pack-editor/promotions/promotions-sheet.js';
import { ownPack } from './support/packs.js';
import { NOOR, leave, renderAt, signedInAs } from './support/render.js';
import { StubServer, refused } from './support/server.js';

const promotion = (more: Partial<PromotionCode>): PromotionCode => ({
  code: 'SUMMER-26',
  packId: 'pack-1',
  packTitle: 'Second Helping',
  sampleIds: null,
  limit: 25,
  used: 3,
  samplesGiven: 36,
  from: null,
  until: '2026-12-02T00:00:00.000Z',
  status: 'running',
  createdAt: '2026-11-01T10:00:00.000Z',
  lastUsedAt: '2026-11-20T10:00:00.000Z',
  ...more,
});

let server: StubServer;
let codes: PromotionCode[];
beforeEach(() => {
  codes = [];
  server = new StubServer({
    'GET /api/creator/promotions': () => ({ json: { items: codes, nextCursor: null } }),
    'GET /api/splits': { json: { items: [], nextCursor: null } },
    'POST /api/auth/sign-out': { status: 204 },
  });
  signedInAs({ ...NOOR, isCreator: true });
});
afterEach(leave);

const open = (
  element = (
    <PromotionsSheet
      pack={ownPack({ status: 'published' })}
      onClose={() => undefined}
      onDirty={() => undefined}
    />
  ),
) =>
  renderAt(
    '/creator-pack/second-helping',
    <Routes>
      <Route path="*" element={element} />
    </Routes>,
  );
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);

it('[PROMO-712] suggests a code, makes it as it was changed, and says when it is taken', async () => {
  open();
  expect(await screen.findByText('No codes yet.')).toBeTruthy();
  expect(field('Code').value).toMatch(/^[A-Z0-9]+(-[A-Z0-9]+)*-[A-Z0-9]{4}$/);
  await userEvent.clear(field('Code'));
  await userEvent.type(field('Code'), 'summer-26');
  await userEvent.clear(field('How many people'));
  await userEvent.type(field('How many people'), '10');
  server.on('POST /api/creator/promotions', refused('PromotionCodeTaken'));
  await userEvent.click(screen.getByRole('button', { name: 'Make the code' }));
  expect((await screen.findByRole('alert')).textContent).toContain('This code is in use');
  server.on('POST /api/creator/promotions', () => {
    codes = [promotion({ used: 0, limit: 10, samplesGiven: 0, lastUsedAt: null })];
    return { status: 201, json: codes[0]! };
  });
  await userEvent.click(screen.getByRole('button', { name: 'Make the code' }));
  const row = within((await screen.findByRole('list', { name: 'Codes' })).querySelector('li')!);
  expect(row.getByText(/0 of 10 people/).textContent).toBe('0 of 10 people · 0 free downloads, no share');
  expect(server.seen('POST /api/creator/promotions').at(-1)?.body).toEqual({
    packId: ownPack().id,
    code: 'SUMMER-26',
    limit: 10,
  });
  expect(field('Code').value).not.toBe('summer-26');
});

it('[PROMO-744] names the collaborators with an accepted part, who get no share either', async () => {
  const person = (displayName: string) => ({ id: displayName, displayName, handle: null });
  const split = (name: string, bps: number, status: string) => ({
    id: name,
    packId: 'pack-1',
    packTitle: 'Second Helping',
    packSlug: 'second-helping',
    owner: person(NOOR.displayName),
    collaborator: person(name),
    bps,
    status,
    proposedAt: '2026-11-01T10:00:00.000Z',
    changedAt: '2026-11-02T10:00:00.000Z',
  });
  server.on('GET /api/splits', {
    json: {
      items: [
        split('Otto', 3_000, 'accepted'),
        split('Mira', 1_000, 'accepted'),
        split('Ada', 500, 'proposed'),
      ],
      nextCursor: null,
    },
  });
  open();
  const text = await screen.findByText(/share this pack/);
  expect(text.textContent).toBe(
    'Otto (30 %) and Mira (10 %) share this pack, and get no share of these downloads either. Each new code sends them a notice.',
  );
  expect(screen.queryByText(/Ada/)).toBeNull();
});

it('[PROMO-712] says that a day of the year 120000 is none', async () => {
  open();
  await screen.findByText('No codes yet.');
  fireEvent.change(field('Last day'), { target: { value: '120000-01-01' } });
  await userEvent.click(screen.getByRole('button', { name: 'Make the code' }));
  await waitFor(() => expect(field('Last day').getAttribute('aria-invalid')).toBe('true'));
  expect(server.seen('POST /api/creator/promotions')).toEqual([]);
});

it('[PROMO-712] shows the use of each code with its link, and ends one after a question', async () => {
  codes = [promotion({}), promotion({ code: 'OLD-ONE', status: 'used-up', used: 25 })];
  open();
  const [running, old] = within(await screen.findByRole('list', { name: 'Codes' })).getAllByRole('listitem');
  expect(running?.textContent).toContain('3 of 25 people · 36 free downloads, no share');
  expect(within(running!).getByLabelText<HTMLInputElement>('Link that redeems SUMMER-26').value).toMatch(
    /\/redeem\?code=SUMMER-26$/,
  );
  expect(old?.textContent).toContain('All taken');
  expect(within(old!).queryByRole('button', { name: 'End OLD-ONE' })).toBeNull();
  server.on('POST /api/creator/promotions/:code/end', () => {
    codes = [promotion({ status: 'ended' })];
    return { json: codes[0]! };
  });
  await userEvent.click(screen.getByRole('button', { name: 'End SUMMER-26' }));
  await userEvent.click(await screen.findByRole('button', { name: 'End code' }));
  expect(await screen.findByText('Ended')).toBeTruthy();
});

it('[PROMO-712] asks to publish a draft before it has codes', async () => {
  open(
    <PromotionsSheet
      pack={ownPack({ status: 'draft' })}
      onClose={() => undefined}
      onDirty={() => undefined}
    />,
  );
  expect(await screen.findByText(/^Publish the pack first/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Make the code' })).toBeNull();
});

it('[PROMO-713] lists what each code gave among the sales, with no share', async () => {
  codes = [promotion({}), promotion({ code: 'UNUSED', used: 0, samplesGiven: 0 })];
  open(<FreeDownloads />);
  const rows = within(await screen.findByRole('region', { name: 'Free downloads' })).getAllByRole('listitem');
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'SUMMER-26 for Second Helping36 downloads by 3 people, last on 20 November 2026 · no share',
  ]);
});
