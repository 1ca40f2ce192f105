import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { cellsOf, event, openBooks, startBooks, table } from './support/books.js';
import { leave } from './support/render.js';
import type { StubServer } from './support/server.js';

let server: StubServer;
beforeEach(() => void (server = startBooks()));
afterEach(leave);

const ADA = 'a1b2c3d4-0000-4000-8000-00000000000a';
const BO = 'a1b2c3d4-0000-4000-8000-00000000000b';

it('[WEB-80] an account is shown newest first, who did what by name; earlier entries are a page of their own', async () => {
  const entry = (position: number, balanceMicroUsd: number) => ({
    position,
    at: '2026-11-20T12:00:00.000Z',
    fact: 'share-earned',
    deltaMicroUsd: -100_000,
    balanceMicroUsd,
    deltaCredits: 0,
    balanceCredits: 0,
    event: event(position),
  });
  const account = { account: 'creator:junie', kind: 'liability', name: 'Junie Moss', balanceCredits: 0 };
  server.on('GET /api/finance/accounts/creator%3Ajunie', ({ query }) => ({
    json: {
      ...account,
      balanceMicroUsd: -300_000,
      entries: query.get('cursor') ? [entry(7, -100_000)] : [entry(9, -300_000), entry(8, -200_000)],
      nextCursor: query.get('cursor') ? null : 'c',
    },
  }));
  openBooks('/finance/accounts/creator%3Ajunie');
  expect(await screen.findByRole('heading', { name: 'Junie Moss' })).toBeTruthy();
  const rows = async () =>
    within(await table('Entries'))
      .getAllByRole('row')
      .slice(1)
      .map((row) => cellsOf(row));
  await waitFor(async () =>
    expect((await rows())[0]).toEqual(['9', 'Sample bought', 'Ada Ray', '−0.10', '−0.30']),
  );
  fireEvent.click(screen.getByRole('button', { name: 'Earlier entries' }));
  await waitFor(async () => expect((await rows()).map(([position]) => position)).toEqual(['9', '8', '7']));
  expect(server.seen('GET /api/finance/accounts/creator%3Ajunie')[0]?.query.get('order')).toBe('newest');
  expect(server.seen('GET /api/finance/names')).toHaveLength(1);
});

it('[WEB-80] an account on the wrong side of its kind is shown so', async () => {
  server.on('GET /api/finance/accounts/creator%3Ajunie', {
    json: {
      account: 'creator:junie',
      kind: 'liability',
      balanceMicroUsd: 5_000_000,
      balanceCredits: 0,
      entries: [],
      nextCursor: null,
    },
  });
  openBooks('/finance/accounts/creator%3Ajunie');
  expect((await screen.findByText('5.00')).closest('.text-danger')).not.toBeNull();
});

it('[WEB-81] streams and who wrote an event are told by name, asked for together; the command line by its own', async () => {
  const names = [
    { id: ADA, name: 'Ada Ray' },
    { id: BO, name: 'Former member' },
  ];
  server.on('GET /api/finance/names', { json: { items: names } });
  const written = (position: number, stream: string, actor: string) => ({
    ...event(position),
    stream,
    metadata: { actor, correlationId: 'c' },
  });
  server.on('GET /api/finance/events', {
    json: {
      items: [
        written(3, `credits-${ADA}`, ADA),
        written(2, `purchase-${BO}.s1`, BO),
        written(1, 'period-2026-10', 'system:command-line'),
      ],
      nextCursor: null,
    },
  });
  openBooks('/finance/events');
  const cells = async () =>
    within(await table('Events'))
      .getAllByRole('row')
      .slice(1)
      .map((row) => cellsOf(row).slice(1, 3));
  await waitFor(async () =>
    expect(await cells()).toEqual([
      ['credits of Ada Ray v1', 'Ada Ray'],
      ['purchase of Former member v1', 'Former member'],
      ['period-2026-10 v1', 'command line'],
    ]),
  );
  expect(server.seen('GET /api/finance/names').map(({ query }) => query.get('ids'))).toEqual([
    `${ADA},${BO}`,
  ]);
});
