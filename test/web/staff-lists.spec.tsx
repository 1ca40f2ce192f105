import { afterEach, describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { openAdmin, press, startAdministration } from './support/admin.js';
import { openBooks, startBooks } from './support/books.js';
import { leave } from './support/render.js';
import { exampleWith, refused } from './support/server.js';
import type { EndpointKey } from '../../application/shared/endpoint.js';

afterEach(leave);

/** Each list of the staff: its page, its endpoint, the text of a row, and the button for more. */
const LISTS = [
  ['/admin', 'GET /api/admin/creator-applications', 'displayName', 'More creators'],
  ['/admin/reports', 'GET /api/reports', 'subjectId', 'More reports'],
  ['/admin/takedowns', 'GET /api/admin/deferred-returns', 'buyerName', 'More returns'],
  ['/admin/mails', 'GET /api/admin/mails', 'to', 'More mails'],
  ['/admin/audit', 'GET /api/admin/audit', 'byName', 'More entries'],
  ['/admin/complaints', 'GET /api/admin/complaints', 'subject', 'More complaints'],
  ['/admin/copies?copy=other', 'GET /api/admin/copies', 'title', 'More pairs'],
  ['/admin/approvals', 'GET /api/admin/approvals', 'requestedByName', 'More requests'],
  ['/finance/approvals', 'GET /api/finance/approvals', 'requestedByName', 'More requests'],
] as const;

describe('lists of the staff', () => {
  const startList = (page: string, key: EndpointKey, column: string) => {
    const isFinance = page.startsWith('/finance');
    const server = isFinance ? startBooks() : startAdministration();
    const [first] = (exampleWith(key, {}).json as { items: object[] }).items;
    const named = (text: string) =>
      column === 'subject' ? { kind: 'pack', id: 'p', title: text, creatorName: 'Teo', path: null } : text;
    const item = (id: string, text: string) => ({ ...first, id, [column]: named(text) });
    server.on(key, ({ query }) =>
      query.get('cursor')
        ? { json: { items: [item('b', 'The oldest')], nextCursor: null } }
        : { json: { items: [item('a', 'The newest')], nextCursor: 'next' } },
    );
    return { server, open: () => (isFinance ? openBooks(page) : openAdmin(page)) };
  };

  it.each(LISTS)('[ADM-460] go on to the last row: %s', async (page, key, column, more) => {
    const { open } = startList(page, key, column);
    await open();
    await screen.findAllByText(/The newest/);
    await press(more);
    expect((await screen.findAllByText(/The oldest/)).length).toBeGreaterThan(0);
    expect(screen.getAllByText(/The newest/).length).toBeGreaterThan(0);
    expect(screen.queryByRole('button', { name: more })).toBeNull();
  });

  it('[ADM-460] say when the next rows could not be loaded, keep what is shown, and try again', async () => {
    const { server, open } = startList('/admin/reports', 'GET /api/reports', 'subjectId');
    await open();
    await screen.findAllByText(/The newest/);
    server.on('GET /api/reports', refused('InternalError'));
    await press('More reports');
    expect((await screen.findByRole('alert')).textContent).toBe('Something went wrong on our side');
    screen.getByText('The newest');
  });
});
