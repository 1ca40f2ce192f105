import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { openAdmin, press, shown, startAdministration } from './support/admin.js';
import { leave } from './support/render.js';
import { type StubServer, refused } from './support/server.js';

const SESSION = {
  id: 's1',
  device: 'Firefox on Linux',
  place: 'DE, 203.0.113.0/24',
  startedAt: '2026-11-20T10:00:00.000Z',
  lastUsedAt: '2026-11-22T10:00:00.000Z',
  current: false,
};
const PATH = '/api/admin/people/noor/sessions';

let server: StubServer;
beforeEach(() => void (server = startAdministration()));
afterEach(leave);

const choose = async () => {
  await openAdmin('/admin/sessions');
  await shown('No person chosen');
  await userEvent.type(await screen.findByLabelText('Person'), 'noor');
  await userEvent.click(await screen.findByRole('button', { name: /Noor Haddad/ }));
};
const give = async (reason: string) => {
  const dialog = await screen.findByRole('dialog', { name: 'Sign Noor Haddad out everywhere?' });
  await userEvent.type(within(dialog).getByLabelText('Reason'), reason);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Sign them out' }));
};

it('[SIGN-51] shows where somebody is signed in, and ends it with a reason', async () => {
  server.on(`GET ${PATH}`, { json: { items: [SESSION] } }).on(`DELETE ${PATH}`, () => {
    server.on(`GET ${PATH}`, { json: { items: [] } });
    return { status: 204 };
  });
  await choose();
  const table = await screen.findByRole('table', { name: 'Sessions of Noor Haddad' });
  expect(within(table).getByRole('rowheader').textContent).toBe('Firefox on Linux');
  expect(table.textContent).toContain('DE, 203.0.113.0/24');
  await press('End all...');
  await give('no');
  await shown('Say why');
  expect(server.seen(`DELETE ${PATH}`)).toHaveLength(0);
  await give(', the laptop was stolen');
  await shown('Signed in nowhere');
  expect(server.seen(`DELETE ${PATH}`)[0]?.body).toEqual({ reason: 'no, the laptop was stolen' });
  expect(screen.queryByRole('button', { name: 'End all...' })).toBeNull();
});

it('[SIGN-51] says what refused the end of them, and keeps the reason', async () => {
  server
    .on(`GET ${PATH}`, { json: { items: [SESSION] } })
    .on(`DELETE ${PATH}`, refused('NotFound', { detail: 'This account is closed.' }));
  await choose();
  await press('End all...');
  await give('The laptop was stolen');
  await shown('This account is closed.');
  expect(screen.getByLabelText('Reason')).toHaveProperty('value', 'The laptop was stolen');
});
