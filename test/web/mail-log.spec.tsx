import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { openAdmin, page, press, shown, startAdministration } from './support/admin.js';
import { leave } from './support/render.js';
import { type StubServer, refused } from './support/server.js';

let server: StubServer;
beforeEach(() => void (server = startAdministration()));
afterEach(leave);

describe('the mail log', () => {
  const mail = (id: string, more: object = {}) => ({
    id,
    to: `${id}@example.com`,
    subject: 'Confirm your address',
    status: 'sent',
    attempts: 1,
    lastError: null,
    askedAt: '2026-11-20T10:00:00.000Z',
    settledAt: '2026-11-20T10:00:01.000Z',
    ...more,
  });

  it('shows what became of each mail, and more of them on request', async () => {
    server.on('GET /api/admin/mails', ({ query }) =>
      query.get('cursor') === 'next'
        ? page(mail('carol', { status: 'sending', attempts: 2, settledAt: null }))
        : {
            json: {
              items: [mail('ada'), mail('bob', { status: 'failed', lastError: '550 no such user' })],
              nextCursor: 'next',
            },
          },
    );
    await openAdmin('/admin/mails');
    await shown('ada@example.com');
    const rows = () =>
      within(screen.getByRole('table', { name: 'Mail log' }))
        .getAllByRole('row')
        .slice(1);
    expect(rows()[0]?.textContent).toMatch(/Confirm your address.*1 attempt.*sent/);
    expect(rows()[1]?.textContent).toMatch(/550 no such user.*failed/);
    await press('More mails');
    await shown('carol@example.com');
    expect(rows()).toHaveLength(3);
    expect(rows()[2]?.textContent).toMatch(/2 attempts.*sending/);
    expect(screen.queryByRole('button', { name: 'More mails' })).toBeNull();
  });

  it('[ADM-650] is searched by recipient in the address, and says when there is nothing', async () => {
    server.on('GET /api/admin/mails', ({ query }) => (query.get('to') ? page() : page(mail('ada'))));
    const { path } = await openAdmin('/admin/mails');
    await shown('ada@example.com');
    await userEvent.type(screen.getByLabelText('Recipient'), ' eve@ {Enter}');
    await shown('No mail to “eve@” in the last 90 days');
    expect(server.seen('GET /api/admin/mails').at(-1)?.query.get('to')).toBe('eve@');
    expect(path()).toBe('/admin/mails?to=eve%40');
    cleanup();
    server.on('GET /api/admin/mails', ({ query }) =>
      page(mail('ada', { subject: `For ${query.get('to')}` })),
    );
    await openAdmin('/admin/mails?to=eve%40');
    await shown('For eve@');
    expect(screen.getByLabelText('Recipient')).toHaveProperty('value', 'eve@');
  });

  it('[ADM-651] is copied with every mail, however many are loaded', async () => {
    let copied = '';
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText: async (text: string) => void (copied = text) },
    });
    server.on('GET /api/admin/mails', ({ query }) =>
      query.get('cursor') ? page(mail('bob')) : { json: { items: [mail('ada')], nextCursor: 'next' } },
    );
    await openAdmin('/admin/mails');
    await press('Copy Mail log');
    await shown('2 rows of Mail log');
    expect(copied.split('\n')).toEqual([
      'Recipient\tSubject\tAsked for\tAttempts\tStatus',
      'ada@example.com\tConfirm your address\t2026-11-20T10:00:00.000Z\t1\tsent',
      'bob@example.com\tConfirm your address\t2026-11-20T10:00:00.000Z\t1\tsent',
    ]);
    screen.getByRole('button', { name: 'Save Mail log as CSV' });
  });

  it('says that it could not be loaded, and tries again', async () => {
    server.on('GET /api/admin/mails', refused('NotAllowed', { title: 'Not yours' }));
    await openAdmin('/admin/mails');
    await shown('The list could not be loaded');
    server.on('GET /api/admin/mails', page(mail('ada')));
    await press(/again/i);
    await shown('ada@example.com');
  });
});
