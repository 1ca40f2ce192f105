import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Footer } from '../../web/src/screens/home/footer.js';
import MailingListScreen from '../../web/src/screens/mailing-list/mailing-list-screen.js';
import { renderAt } from './support/render.js';
import { refused, StubServer } from './support/server.js';

let server: StubServer;

beforeEach(() => {
  server = new StubServer({
    'POST /api/mailing-list': { status: 202 },
    'POST /api/mailing-list/join': ({ body }) =>
      (body as { token: string }).token === 'good'
        ? { json: { email: 'noor@example.com' } }
        : { status: 410, json: { code: 'TokenInvalid', title: 'This link is no longer valid', status: 410 } },
    'POST /api/mailing-list/leave': { json: { email: 'noor@example.com' } },
  });
});
afterEach(cleanup);

const subscribe = async (email: string) => {
  renderAt('/', <Footer />);
  await userEvent.type(screen.getByLabelText('E-mail address'), email);
  await userEvent.click(screen.getByRole('button', { name: 'Subscribe' }));
};

it('[HOME-06] sends the address and says that a link follows', async () => {
  await subscribe(' noor@example.com');
  expect(await screen.findByText(/We sent a link to noor@example.com/)).toBeDefined();
  expect(server.seen('POST /api/mailing-list').map(({ body }) => body)).toEqual([
    { email: 'noor@example.com' },
  ]);
});

it('[HOME-06] refuses what is no address without asking the server', async () => {
  await subscribe('noor@');
  expect(await screen.findByText('Enter an e-mail address')).toBeDefined();
  expect(server.requests).toEqual([]);
});

it('tells when the server cannot be asked, and keeps the address', async () => {
  server.on('POST /api/mailing-list', refused('TooManyRequests', { detail: 'Try again in 9 minutes.' }));
  await subscribe('noor@example.com');
  expect(await screen.findByText('Try again in 9 minutes.')).toBeDefined();
  expect((screen.getByLabelText('E-mail address') as HTMLInputElement).value).toBe('noor@example.com');
});

it.each([
  ['/mailing-list?join=good', 'noor@example.com is on the list. Welcome.'],
  ['/mailing-list?join=old', 'This link is no longer valid'],
  ['/mailing-list?leave=any', 'noor@example.com is off the list. No more mails will come.'],
  ['/mailing-list', 'Follow the link in the mail to join or leave the list.'],
])('[HOME-06] %s says "%s"', async (address, text) => {
  renderAt(address, <MailingListScreen />);
  expect(await screen.findByText(text)).toBeDefined();
});

it('[MAIL-762] stops the weekly mail with the link of any of its mails', async () => {
  server.on('POST /api/notifications/unsubscribe', { status: 204 });
  const { unmount } = renderAt('/mailing-list?weekly=good', <MailingListScreen />);
  await screen.findByText('The weekly mail has stopped. You can turn it on again in your settings.');
  expect(server.seen('POST /api/notifications/unsubscribe')[0]?.query.get('token')).toBe('good');
  unmount();
  server.on('POST /api/notifications/unsubscribe', refused('TokenInvalid'));
  renderAt('/mailing-list?weekly=old', <MailingListScreen />);
  await screen.findByText('The weekly mail was not stopped');
});
