import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import { keepBrowserLibraryMoved, keepForAccount } from '../../web/src/legacy/browser-library.js';
import { signOut } from '../../web/src/session/session.js';
import { NOOR, signedInAs } from './support/render.js';
import { StubServer, refused } from './support/server.js';

const SAVED = 'POST /api/library/saved/import';
const DOWNLOADS = 'POST /api/library/downloads/import';
let server: StubServer;
let stop: () => void;

beforeEach(() => {
  localStorage.clear();
  server = new StubServer({
    [SAVED]: { json: { imported: 1 } },
    [DOWNLOADS]: { json: { imported: 1 } },
    'POST /api/auth/sign-out': { status: 204 },
  });
  localStorage.setItem(
    'savedItems',
    JSON.stringify([
      { id: 's-1', type: 'sample', title: 'Kick', bpm: '120', playing: true, artwork: null },
      { type: 'pack', creator: 'Wren', name: 'Rented Piano' },
      { type: 'sample' },
      'no item',
    ]),
  );
  localStorage.setItem(
    `downloads_${NOOR.id}`,
    JSON.stringify([{ url: '/a.wav', title: 'Kick', created_at: '2024-05-01T00:00:00Z', user: 'x' }, {}]),
  );
});
afterEach(async () => {
  await signOut();
  stop();
});

const settle = () => new Promise((resolve) => setTimeout(resolve, 50));

it('[MIG-01] moves saved items and downloads once a session and user, then clears the copy', async () => {
  stop = keepBrowserLibraryMoved();
  await settle();
  expect(server.requests).toEqual([]);
  signedInAs(NOOR);
  await waitFor(() => expect(server.seen(DOWNLOADS)).toHaveLength(1));
  expect(server.seen(SAVED).map(({ body }) => body)).toEqual([
    {
      items: [
        { id: 's-1', type: 'sample', title: 'Kick', bpm: 120 },
        { type: 'pack', creator: 'Wren', name: 'Rented Piano' },
      ],
    },
  ]);
  expect(server.seen(DOWNLOADS)[0]?.body).toEqual({
    items: [{ url: '/a.wav', track: 'Kick', createdAt: '2024-05-01T00:00:00.000Z' }],
  });
  await waitFor(() => expect(localStorage.length).toBe(0));
  localStorage.setItem('savedItems', JSON.stringify([{ id: 's-2' }]));
  signedInAs(NOOR);
  await settle();
  expect(server.seen(SAVED)).toHaveLength(1);
});

it('[MIG-01] keeps the copy when the server did not take it, and tries again in the next session', async () => {
  const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  server.on(SAVED, refused('InternalError'));
  stop = keepBrowserLibraryMoved();
  signedInAs(NOOR);
  await waitFor(() => expect(warn).toHaveBeenCalled());
  expect(localStorage.getItem('savedItems')).not.toBeNull();
  // The other list is still moved.
  await waitFor(() => expect(server.seen(DOWNLOADS)).toHaveLength(1));
  server.on(SAVED, { json: { imported: 2 } });
  await signOut();
  signedInAs(NOOR);
  await waitFor(() => expect(localStorage.getItem('savedItems')).toBeNull());
  warn.mockRestore();
});

it('is not disturbed by what is no list', async () => {
  localStorage.setItem('savedItems', '{broken');
  stop = keepBrowserLibraryMoved();
  signedInAs(NOOR);
  await waitFor(() => expect(server.seen(DOWNLOADS)).toHaveLength(1));
  expect(server.seen(SAVED)).toEqual([]);
});

it('[LIB-750] moves what a guest wanted to save into the account, each thing once', async () => {
  localStorage.clear();
  stop = keepBrowserLibraryMoved();
  for (const id of ['a', 'b', 'a']) keepForAccount({ id, type: 'sample', title: id });
  expect(server.requests).toEqual([]);
  signedInAs(NOOR);
  await waitFor(() =>
    expect(server.seen(SAVED).map(({ body }) => body)).toEqual([
      {
        items: [
          { id: 'a', type: 'sample', title: 'a' },
          { id: 'b', type: 'sample', title: 'b' },
        ],
      },
    ]),
  );
});
