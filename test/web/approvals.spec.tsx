import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { repeatAfterConfirming } from '../../web/src/api/transport/http.js';
import { openAdmin, page, PIA, press, ROLE_REQUEST, shown, startAdministration } from './support/admin.js';
import { openBooks, startBooks } from './support/books.js';
import { leave, signedInAs } from './support/render.js';
import { type StubServer, refused } from './support/server.js';

let server: StubServer;
beforeEach(() => {
  server = startAdministration();
  signedInAs(PIA);
});
afterEach(leave);

const GIFT = {
  ...ROLE_REQUEST,
  id: 'gift-1',
  work: { kind: 'adjustment', userId: 'ines', credits: 600, valueMicroUsd: 0 },
  reason: 'Closed by our mistake, ticket 8812',
  requestedBy: 'marta',
  requestedByName: 'Marta Lindqvist',
  beneficiary: 'ines',
  beneficiaryName: 'Ines Calderon',
};
const given = (credits: number, name: string) => ({
  at: `2026-11-20T0${credits / 100}:12:00.000Z`,
  kind: 'adjustment',
  name,
  credits,
  microUsd: 0,
  reason: 'Charged twice',
});
const FACTS = {
  ...GIFT,
  shopMicroUsd: 119_880_000,
  balance: { before: 38, after: 638 },
  asker: {
    limitCredits: 500,
    limitMicroUsd: 50_000_000,
    given: [given(100, 'Lio Ferrant'), given(300, 'Hana')],
  },
  person: { since: '2024-03-14T00:00:00.000Z', disputes: 0, earlier: [given(200, 'Ines Calderon')] },
};
const waiting = () =>
  server
    .on('GET /api/admin/approvals', page(GIFT, ROLE_REQUEST))
    .on('GET /api/admin/approvals/gift-1', { json: FACTS })
    .on('GET /api/admin/approvals/role-1', {
      json: { ...FACTS, ...ROLE_REQUEST, shopMicroUsd: null, balance: null },
    });

describe('what waits for a second person', () => {
  it('[WEB-60] is shown with what whoever decides should know, and agreed to once', async () => {
    waiting().on('POST /api/admin/approvals/gift-1/approve', {
      json: { id: 'gift-1', status: 'carried out' },
    });
    await openAdmin('/admin/approvals');
    await shown('Two wait for a second person');
    await screen.findByRole('heading', { name: 'Give 600 credits to Ines Calderon' });
    for (const text of [
      'Closed by our mistake, ticket 8812',
      'creators earn nothing by it',
      'The balance goes from 38 to 638.',
      'no disputes',
      '+100 credits to Lio Ferrant',
    ])
      await shown(text);
    screen.getByRole('img', { name: 'Given 400, this one 600, together 1,000; alone up to 500' });
    await press('Approve 600 credits');
    await shown('Approved and done');
    const [request] = server.seen('POST /api/admin/approvals/gift-1/approve');
    expect(request?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('[WEB-60] is declined with a reason only; a decision elsewhere is said and the text stays', async () => {
    waiting().on(
      'POST /api/admin/approvals/gift-1/decline',
      refused('AlreadyDecided', { state: 'declined' }),
    );
    await openAdmin('/admin/approvals');
    await press('Decline with reason');
    await shown('Say why');
    expect(server.seen('POST /api/admin/approvals/gift-1/decline')).toHaveLength(0);
    await userEvent.type(screen.getByLabelText('Reason'), 'Half is enough');
    await press('Decline with reason');
    await shown('This was decided before');
    expect(screen.getByLabelText('Reason')).toHaveProperty('value', 'Half is enough');
    server.on('POST /api/admin/approvals/gift-1/decline', { json: { id: 'gift-1', status: 'declined' } });
    await press('Decline with reason');
    await shown('Declined. Nothing was done.');
    expect(server.seen('POST /api/admin/approvals/gift-1/decline').at(-1)?.body).toEqual({
      reason: 'Half is enough',
    });
  });

  it("[WEB-60] one's own request is for others; it can be withdrawn", async () => {
    waiting().on('POST /api/admin/approvals/role-1/withdraw', {
      json: { id: 'role-1', status: 'withdrawn' },
    });
    await openAdmin('/admin/approvals');
    await shown('Yours, others decide');
    await userEvent.click(await screen.findByRole('link', { name: /Grant the role finance/ }));
    await shown('You requested this, so a colleague must decide.');
    expect(screen.queryByRole('button', { name: /Approve/ })).toBeNull();
    await press('Withdraw');
    await shown('Withdrawn. Nothing was done.');
  });

  it('[ADM-631] is listed by kind, which stays chosen with the request', async () => {
    waiting();
    await openAdmin('/admin/approvals');
    await shown('Two wait for a second person');
    server.on('GET /api/admin/approvals', page(GIFT));
    await userEvent.selectOptions(screen.getByLabelText('Kind of request'), 'Credits');
    await shown('One waits for a second person');
    expect(server.seen('GET /api/admin/approvals').at(-1)?.query.get('kind')).toBe('adjustment');
    const link = screen.getByRole('link', { name: /Give 600 credits/ });
    expect(link.getAttribute('href')).toBe('/admin/approvals?waiting=adjustment&request=gift-1');
  });

  it('[WEB-60] an adjustment with a value says what it makes good', async () => {
    const work = { ...GIFT.work, valueMicroUsd: 12_340_000, makesGood: 'lot-7' };
    server.on('GET /api/admin/approvals/gift-1', { json: { ...FACTS, work } });
    await openAdmin('/admin/approvals?request=gift-1');
    await shown('Booked as goodwill worth $12.34, which makes good lot-7.');
  });

  it('[ADM-40] finance decides on its kinds at its own address', async () => {
    const debt = {
      ...FACTS,
      ...ROLE_REQUEST,
      id: 'debt-1',
      work: { kind: 'write-off', creatorId: 'dev', amountMicroUsd: 21_000_000 },
      shopMicroUsd: null,
      balance: null,
    };
    server = startBooks()
      .on('GET /api/finance/approvals', page(debt))
      .on('GET /api/finance/approvals/debt-1', { json: debt })
      .on('POST /api/finance/approvals/debt-1/approve', { json: { id: 'debt-1', status: 'carried out' } });
    await openBooks('/finance/approvals');
    await screen.findByRole('heading', { name: 'Write off a debt of Dev Raman' });
    expect(screen.getByRole('link', { name: 'All about them' }).getAttribute('href')).toBe(
      '/finance/creators/dev',
    );
    await press('Approve $21.00');
    await shown('Approved and done');
    expect(server.seen('POST /api/finance/approvals/debt-1/approve')).toHaveLength(1);
  });

  it('[WEB-60] what was decided says by whom and why', async () => {
    server.on('GET /api/admin/approvals/gift-1', {
      json: { ...FACTS, status: 'declined', decidedBy: 'sam', decidedByName: 'Sam Idowu', note: 'Too many' },
    });
    await openAdmin('/admin/approvals?request=gift-1');
    await shown('It is declined by Sam Idowu: Too many');
  });
});

describe('who did what', () => {
  const ACT = {
    id: '12',
    at: '2026-11-20T14:22:00.000Z',
    by: 'sam',
    byName: 'Sam Idowu',
    did: 'approved',
    kind: 'adjustment',
    subject: null,
    beneficiary: 'ines',
    beneficiaryName: 'Ines Calderon',
    credits: 600,
    microUsd: 0,
    note: null,
    askedByName: 'Marta Lindqvist',
    waitedMs: 840_000,
    waits: false,
  };

  it('[WEB-61] is listed, filtered by the address, and exported as it is filtered', async () => {
    server.on(
      'GET /api/admin/audit',
      page(ACT, { ...ACT, id: '11', did: 'asked', waitedMs: null, waits: true }),
    );
    await openAdmin('/admin/audit?person=ines');
    await shown('20 Nov 14:22');
    const [first, second] = screen.getAllByRole('row').slice(1);
    expect(first?.textContent).toMatch(
      /Sam Idowu.*Approved.*Give 600 credits to Ines Calderon.*asked by Marta Lindqvist.*14 min/,
    );
    expect(second?.textContent).toMatch(/waits$/);
    expect(server.seen('GET /api/admin/audit')[0]?.query.get('person')).toBe('ines');
    await userEvent.selectOptions(screen.getByLabelText('Kind'), 'Refunds');
    await userEvent.selectOptions(screen.getByLabelText('Did'), 'Approved');
    await shown('2 entries');
    const asked = server.seen('GET /api/admin/audit').at(-1)?.query;
    expect([asked?.get('kind'), asked?.get('did')]).toEqual(['refund', 'approved']);
    expect(screen.getByRole('link', { name: 'Export' }).getAttribute('href')).toBe(
      '/api/admin/audit.csv?person=ines&kind=refund&did=approved',
    );
  });

  it('[SIGN-521] a file that needs a fresh sign-in asks for it, and is saved after that', async () => {
    let isFresh = false;
    server
      .on('GET /api/admin/audit', page(ACT))
      .on('GET /api/admin/audit.csv', () =>
        isFresh ? { blob: new Blob(['at,who']) } : refused('FreshSignInRequired', { methods: ['password'] }),
      );
    repeatAfterConfirming(async () => (isFresh = true));
    const createObjectURL = jest.fn(() => 'blob:audit');
    Object.assign(URL, { createObjectURL, revokeObjectURL: () => undefined });
    jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
    await openAdmin('/admin/audit');
    await userEvent.click(await screen.findByRole('link', { name: 'Export' }));
    await waitFor(() => expect(createObjectURL).toHaveBeenCalledTimes(1));
    expect(server.seen('GET /api/admin/audit.csv')).toHaveLength(2);
  });
});

describe('roles', () => {
  const member = (userId: string, displayName: string, role: string) => ({
    userId,
    displayName,
    email: `${userId}@offcut.fm`,
    role,
    grantedBy: 'system:operator',
    grantedByName: 'Offcut',
    hasSecondFactor: true,
    grantedAt: '2026-11-01T00:00:00.000Z',
  });
  const holders = (...items: object[]) => server.on('GET /api/admin/staff', { json: { items } });

  it('[WEB-62] are asked for with a reason, and wait', async () => {
    holders(member('pia', 'Pia Lund', 'admin')).on('POST /api/admin/staff/noor/roles/finance', {
      status: 202,
      json: { id: 'role-1', status: 'waiting' },
    });
    await openAdmin('/admin/roles');
    await shown('The last administrator');
    await press('Request the role');
    await shown('Choose a person');
    await shown('Say why');
    await userEvent.type(await screen.findByLabelText('Person'), 'noor');
    await userEvent.click(await screen.findByRole('button', { name: /Noor Haddad/ }));
    await userEvent.type(screen.getByLabelText('Reason'), 'Closes the months');
    await press('Request the role');
    await shown('A second person must approve it');
    expect(server.seen('POST /api/admin/staff/noor/roles/finance')[0]?.body).toEqual({
      reason: 'Closes the months',
    });
  });

  it('[WEB-62] are taken with a reason, once a second person agrees', async () => {
    holders(member('pia', 'Pia Lund', 'admin'), member('sam', 'Sam Idowu', 'admin')).on(
      'POST /api/admin/staff/sam/roles/admin/revoke',
      { status: 202, json: { id: 'role-2', status: 'waiting' } },
    );
    await openAdmin('/admin/roles');
    await press('Take the role admin from Sam Idowu');
    const dialog = await screen.findByRole('dialog');
    await userEvent.type(within(dialog).getByLabelText('Reason'), 'Left the team');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Ask for it' }));
    await shown('A second person must approve it');
  });
});
