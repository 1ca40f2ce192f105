import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { routes } from '../../web/src/routes.js';
import { signOut } from '../../web/src/session/session.js';
import AvatarMenu from '../../web/src/shell/avatar-menu.js';
import { JUNIE, openAdmin, page, PIA, press, shown, startAdministration } from './support/admin.js';
import { NOOR, leave, renderAt, signedInAs } from './support/render.js';
import { type StubServer, exampleWith, refused } from './support/server.js';

let server: StubServer;
beforeEach(() => void (server = startAdministration()));
afterEach(leave);

const choosePerson = async (text: string) => {
  await userEvent.type(await screen.findByLabelText('Person'), text);
  await userEvent.click(await screen.findByRole('button', { name: /Noor Haddad/ }));
};
const giveReason = async (reason: string, confirm: string) => {
  const dialog = await screen.findByRole('dialog');
  await userEvent.type(within(dialog).getByLabelText('Reason'), reason);
  await userEvent.click(within(dialog).getByRole('button', { name: confirm }));
};

describe('who administers', () => {
  it('[ROLE-04] others are told so, and nothing is asked for them', async () => {
    signedInAs({ ...NOOR, roles: ['finance'] });
    await openAdmin();
    await shown('Not for this account');
    expect(server.seen('GET /api/admin/creator-applications')).toHaveLength(0);
  });

  it('[ROLE-04] visitors are asked to sign in and come back', async () => {
    await signOut();
    await openAdmin('/admin/credits');
    expect((await screen.findByRole('link', { name: 'Sign In' })).getAttribute('href')).toBe(
      '/auth?returnTo=%2Fadmin%2Fcredits',
    );
  });

  it('has an address, and an entry in the menu of those who may', async () => {
    expect(routes[0]?.children?.map(({ path }) => path)).toContain('/admin/*');
    renderAt('/', <AvatarMenu user={PIA} trigger={<button>Account menu</button>} />);
    expect((await screen.findByRole('menuitem', { name: 'Administration' })).getAttribute('href')).toBe(
      '/admin',
    );
    cleanup();
    renderAt('/', <AvatarMenu user={NOOR} trigger={<button>Account menu</button>} />);
    await screen.findByRole('menuitem', { name: 'Settings' });
    expect(screen.queryByRole('menuitem', { name: 'Administration' })).toBeNull();
  });

  it('links the mailbox only where mails are kept', async () => {
    await openAdmin('/admin/mails');
    expect((await screen.findByRole('link', { name: 'Mailbox' })).getAttribute('href')).toBe('/dev/mailbox');
    cleanup();
    server.on('GET /dev/info', { status: 404 });
    await openAdmin('/admin/mails');
    await shown('No mail in the last 90 days');
    expect(screen.queryByRole('link', { name: 'Mailbox' })).toBeNull();
  });
});

describe('creators', () => {
  it('[ADM-01] are approved at a press, and the list is asked for again', async () => {
    server.on('POST /api/admin/creator-applications/junie/approve', () => {
      server.on('GET /api/admin/creator-applications', page());
      return { json: { id: 'junie', status: 'approved' } };
    });
    await openAdmin();
    await press('Approve Junie Okafor');
    await shown('Junie Okafor may publish now');
    await shown('No applications waiting');
  });

  it('[ADM-01] are declined with a reason only', async () => {
    server.on('POST /api/admin/creator-applications/junie/decline', {
      json: { id: 'junie', status: 'declined' },
    });
    await openAdmin();
    server.on('GET /api/admin/creator-applications/:userId/history', {
      json: {
        sounds: [
          {
            id: 's1',
            name: 'Kitchen Tape',
            durationMs: 2_000,
            previewUrl: '/media/previews/mine.m4a',
            isCompared: true,
            alike: [
              {
                sampleId: 's2',
                title: 'Pantry Tape',
                creatorName: 'Mia',
                packTitle: 'Rooms',
                path: '/pack/rooms/Mia',
                previewUrl: '/media/previews/hers.m4a',
                score: 88,
                isTakenDown: false,
              },
            ],
          },
        ],
        items: [
          {
            status: 'applied',
            at: '2026-11-20T12:00:00Z',
            by: 'Junie Okafor',
            text: 'Tape loops.',
            links: ['https://a.example'],
          },
          { status: 'declined', at: '2026-11-21T12:00:00Z', by: 'Pia Lund', text: 'Too quiet', links: [] },
        ],
      },
    });
    await press('Read the application of Junie Okafor');
    const application = within(await screen.findByRole('dialog', { name: 'Application of Junie Okafor' }));
    for (const text of ['Tape loops.', 'https://a.example', 'Too quiet']) await application.findByText(text);
    expect(application.getByRole('link', { name: 'Rooms' }).getAttribute('href')).toBe('/pack/rooms/Mia');
    expect(application.getByLabelText('Preview of Kitchen Tape').getAttribute('src')).toBe(
      '/media/previews/mine.m4a',
    );
    await userEvent.selectOptions(application.getByLabelText('Sound'), 'Pantry Tape by Mia');
    expect(application.getByLabelText('Preview of Pantry Tape by Mia').getAttribute('src')).toBe(
      '/media/previews/hers.m4a',
    );
    // [APPLY-701] The decision is taken beside the sounds.
    await userEvent.click(application.getByRole('button', { name: 'Decline Junie Okafor' }));
    await giveReason('No', 'Decline');
    await shown('Say why');
    expect(server.seen('POST /api/admin/creator-applications/junie/decline')).toHaveLength(0);
    await giveReason(' sounds', 'Decline');
    await shown('Junie Okafor was declined');
    expect(server.seen('POST /api/admin/creator-applications/junie/decline')[0]?.body).toEqual({
      reason: 'No sounds',
    });
  });

  it('[ADM-01] are suspended, and reinstated', async () => {
    server
      .on('POST /api/admin/creators/junie/suspend', { json: { id: 'junie', status: 'suspended' } })
      .on('POST /api/admin/creators/junie/reinstate', { json: { id: 'junie', status: 'approved' } });
    await openAdmin();
    await press('Approved');
    await press('Suspend Junie Okafor');
    await shown(
      'change their profile or anything on sale: names, descriptions, covers, prices, files. Published packs',
    );
    await giveReason('Stolen loops', 'Suspend');
    await shown('Junie Okafor is suspended');
    await press('Suspended');
    await press('Reinstate Junie Okafor');
    await shown('Junie Okafor may publish again');
  });

  it('[ACC-572] are verified by name, and a new name of a verified one is reviewed', async () => {
    const renamed = { ...JUNIE, status: 'approved', displayName: 'Junie O.', formerName: 'Junie Okafor' };
    let verified = false;
    server
      .on('GET /api/admin/creator-applications', ({ query }) =>
        query.get('status') === 'renamed' && !verified ? page(renamed) : page(),
      )
      .on('POST /api/admin/creators/junie/verify', () => {
        verified = true;
        return { json: { id: 'junie', verified } };
      });
    await openAdmin();
    await press('Renamed');
    await shown('Verified as Junie Okafor');
    screen.getByRole('button', { name: 'End verification of Junie O.' });
    await press('Verify identity of Junie O.');
    await shown('Junie O. is now verified');
    await shown('No verified creator has a new name');
    expect(server.seen('POST /api/admin/creators/junie/verify')[0]?.body).toEqual({
      displayName: 'Junie O.',
    });
  });

  it('says what refused a decision, and keeps it', async () => {
    server.on(
      'POST /api/admin/creator-applications/junie/decline',
      refused('NotFound', { detail: 'Somebody else was faster.' }),
    );
    await openAdmin();
    await press('Decline Junie Okafor');
    await giveReason('No sounds', 'Decline');
    await shown('Somebody else was faster.');
    expect(screen.getByLabelText('Reason')).toHaveProperty('value', 'No sounds');
  });
});

describe('credits', () => {
  const fill = async (credits: string) => {
    await choosePerson('noor');
    await userEvent.type(screen.getByLabelText('Credits'), credits);
    await userEvent.type(screen.getByLabelText('Reason'), 'Sorry about the outage');
  };

  it('[ADM-03] are given at once, or wait for a second person', async () => {
    server.on('POST /api/admin/adjustments', {
      status: 201,
      json: { id: 'a', status: 'applied', balance: 36 },
    });
    await openAdmin('/admin/credits');
    await fill('20');
    await press('Adjust');
    await shown('36 credits now');
    const [request] = server.seen('POST /api/admin/adjustments');
    expect(request?.body).toEqual({
      userId: 'noor',
      credits: 20,
      reason: 'Sorry about the outage',
      valueUsdCents: 0,
    });
    expect(request?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
    server.on('POST /api/admin/adjustments', { status: 202, json: { id: 'b', status: 'waiting' } });
    await fill('600');
    await press('Adjust');
    await shown('A second person must approve it');
  });

  it('[ADM-03] repeats a lost request with its own key', async () => {
    let lost = true;
    server.on('POST /api/admin/adjustments', () => {
      if (!lost) return { status: 201, json: { id: 'a', status: 'applied', balance: 1 } };
      return refused('InternalError', { title: 'It failed' });
    });
    await openAdmin('/admin/credits');
    await fill('-5');
    await press('Adjust');
    await shown('We do not know yet whether it was adjusted');
    lost = false;
    await press('Adjust');
    await shown('1 credit now');
    const requests = server.seen('POST /api/admin/adjustments');
    expect(requests).toHaveLength(2);
    expect(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(requests[1]?.body).toMatchObject({ credits: -5 });
  });

  it('[ADM-03] does not send what is no adjustment', async () => {
    await openAdmin('/admin/credits');
    await fill('0');
    await press('Adjust');
    await shown('A whole number, not 0');
    expect(server.seen('POST /api/admin/adjustments')).toHaveLength(0);
  });

  it('[ADM-06] with a value name what they make good', async () => {
    server.on('POST /api/admin/adjustments', {
      status: 201,
      json: { id: 'a', status: 'applied', balance: 36 },
    });
    await openAdmin('/admin/credits');
    await fill('20');
    await userEvent.type(screen.getByLabelText('Worth in dollars'), '2.50');
    await press('Adjust');
    await shown('Enter the lot or purchase that it compensates');
    expect(server.seen('POST /api/admin/adjustments')).toHaveLength(0);
    await userEvent.type(screen.getByLabelText('Compensates'), ' lot-7 ');
    await press('Adjust');
    await shown('36 credits now');
    expect(server.seen('POST /api/admin/adjustments')[0]?.body).toMatchObject({
      valueUsdCents: 250,
      makesGood: 'lot-7',
    });
  });

  it('[ADM-03] ask for a person, and say when nobody is found', async () => {
    await openAdmin('/admin/credits');
    await press('Adjust');
    await shown('Choose a person');
    await userEvent.type(screen.getByLabelText('Person'), 'n');
    expect(server.seen('GET /api/admin/people')).toHaveLength(0);
    await userEvent.type(screen.getByLabelText('Person'), 'iemand{Enter}');
    await shown('No person matches “niemand”');
    expect(server.seen('GET /api/admin/people').at(-1)?.query.get('q')).toBe('niemand');
    await userEvent.clear(screen.getByLabelText('Person'));
    await choosePerson('noor@');
    await shown('noor@haddad.fm');
    await press('Change');
    expect(await screen.findByLabelText('Person')).toHaveProperty('value', '');
    expect(server.seen('POST /api/admin/adjustments')).toHaveLength(0);
  });
});

describe('takedowns and reports', () => {
  it('[ADM-02] a pack is taken down by the address of its page', async () => {
    server
      .on(
        'GET /api/packs/Wren_Abbott/rented-piano',
        exampleWith('GET /api/packs/:handle/:slug', { id: 'pack-1', title: 'Rented Piano' }),
      )
      .on('POST /api/admin/takedowns', {
        status: 201,
        json: { packId: 'pack-1', status: 'taken_down', purchasesReturned: 12, purchasesWaiting: 1 },
      });
    await openAdmin('/admin/takedowns');
    await userEvent.type(
      await screen.findByLabelText('Pack'),
      'https://offcut.fm/pack/rented-piano/Wren_Abbott',
    );
    await press('Take down...');
    await shown('Take down “Rented Piano”?');
    await giveReason('Claimed by its author', 'Take down');
    await shown('12 purchases returned. 1 purchase will be returned when a bank has decided.');
    expect(server.seen('POST /api/admin/takedowns')[0]?.body).toEqual({
      packId: 'pack-1',
      reason: 'Claimed by its author',
    });
  });

  it('[WEB-29] [ADM-02] what is no id is said at its field, before a reason is asked for', async () => {
    await openAdmin('/admin/takedowns');
    await press('Return credits...');
    await shown('Enter one');
    await userEvent.type(screen.getByLabelText('Sample id'), 'sample 9');
    await press('Return credits...');
    await shown('not an id');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('[ADM-02] returns that wait for a bank are listed, with what became of them', async () => {
    const waits = {
      id: 'purchase-1',
      buyerId: 'noor',
      buyerName: 'Noor Haddad',
      sampleId: 'sample-9',
      sampleTitle: 'Felt Keys',
      reason: 'defect',
      explanation: 'Only silence',
      status: 'waiting',
      returnedCredits: null,
      askedAt: '2026-11-20T10:00:00.000Z',
      settledAt: null,
    };
    const settled = { returnedCredits: 2, settledAt: '2026-11-21T10:00:00.000Z' };
    server.on(
      'GET /api/admin/deferred-returns',
      page(
        waits,
        { ...waits, ...settled, id: 'purchase-2', status: 'returned', sampleTitle: null },
        { ...waits, ...settled, id: 'purchase-3', status: 'withheld', returnedCredits: 0 },
      ),
    );
    await openAdmin('/admin/takedowns');
    await shown('Felt Keys');
    const rows = screen
      .getAllByRole('row')
      .slice(1)
      .map(({ textContent }) => textContent);
    expect(rows).toEqual([
      expect.stringContaining('Waits for the bank'),
      expect.stringMatching(/sample-9.*Returned2 credits/),
      expect.stringMatching(/The buyer got the money back instead0 credits/),
    ]);
  });

  it('[ADM-05] [ADM-02] reports are listed, and a defective sample is returned from there', async () => {
    server
      .on(
        'GET /api/reports',
        page({
          id: 'report-1',
          kind: 'sample',
          subjectId: 'sample-9',
          reason: 'defective',
          detail: 'Only silence',
          reporterId: null,
          createdAt: '2026-11-20T10:00:00.000Z',
        }),
      )
      .on('POST /api/admin/defects', {
        status: 201,
        json: { sampleId: 'sample-9', purchasesReturned: 1, purchasesWaiting: 0 },
      });
    await openAdmin('/admin/reports');
    await shown('Only silence');
    await press('Return credits');
    await giveReason('It is silent', 'Return credits');
    await shown('1 purchase returned.');
    expect(server.seen('POST /api/admin/defects')[0]?.body).toEqual({
      sampleId: 'sample-9',
      reason: 'It is silent',
    });
  });
});

describe('refunds', () => {
  const refund = async (id: string) => {
    await userEvent.type(await screen.findByLabelText('Invoice or lot'), id);
    await press('Refund...');
    await giveReason('Bought by mistake', 'Refund');
  };

  it('[ADM-04] what is unspent of an invoice goes back, with a key', async () => {
    server.on(
      'POST /api/admin/refunds',
      exampleWith('POST /api/admin/refunds', { amountUsdCents: 799, creditsRevoked: 50 }),
    );
    await openAdmin('/admin/refunds');
    await refund('in_123');
    await shown('$7.99 is on its way back');
    await shown('50 credits taken.');
    const [request] = server.seen('POST /api/admin/refunds');
    expect(request?.body).toEqual({ invoiceId: 'in_123', reason: 'Bought by mistake' });
    expect(request?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('[WEB-29] [ADM-04] the reason is held to the contract of a refund, whatever names its invoice', async () => {
    await openAdmin('/admin/refunds');
    await userEvent.type(await screen.findByLabelText('Invoice or lot'), 'lot-1');
    await press('Refund...');
    await giveReason('No', 'Refund');
    await shown('Say why');
    expect(server.seen('POST /api/admin/refunds')).toHaveLength(0);
  });

  it('[ADM-04] invoices are found by who paid, and only open ones are refunded', async () => {
    const soon = new Date(Date.now() + 86_400_000).toISOString();
    const invoice = (invoiceId: string, more: object = {}) => ({
      invoiceId,
      paidAt: '2026-11-01T10:00:00.000Z',
      amountUsdCents: 999,
      credits: 50,
      creditsLeft: 40,
      disputed: false,
      refundedUsdCents: 0,
      refundableUntil: soon,
      ...more,
    });
    let items = [
      invoice('in_open'),
      invoice('in_spent', { creditsLeft: 0 }),
      invoice('in_late', { refundableUntil: '2026-11-15T10:00:00.000Z' }),
      invoice('in_back', { creditsLeft: 0, refundedUsdCents: 799 }),
      invoice('in_bank', { disputed: true }),
    ];
    server
      .on('GET /api/admin/people/:id/invoices', () => ({ json: { items } }))
      .on(
        'POST /api/admin/refunds',
        exampleWith('POST /api/admin/refunds', { amountUsdCents: 799, creditsRevoked: 40 }),
      );
    await openAdmin('/admin/refunds');
    await choosePerson('noor');
    const table = await screen.findByRole('table', { name: 'Invoices of Noor Haddad' });
    const buttons = () => within(table).queryAllByRole('button');
    expect(buttons()).toHaveLength(1);
    const text = table.textContent ?? '';
    for (const state of ['40 of 50', 'all spent', 'too late', '$7.99 refunded', 'disputed', 'until'])
      expect(text).toContain(state);
    await userEvent.click(buttons()[0] as HTMLElement);
    await giveReason('Bought by mistake', 'Refund');
    items = items.map((row) => ({ ...row, creditsLeft: 0 }));
    await shown('$7.99 is on its way back');
    expect(server.seen('POST /api/admin/refunds')[0]?.body).toMatchObject({ invoiceId: 'in_open' });
    expect(server.seen('GET /api/admin/people/:id/invoices').length).toBeGreaterThan(1);
  });

  it('[ADM-04] a lost answer is asked for again with the same key; what is too late is refused in words', async () => {
    server.on('POST /api/admin/refunds', refused('InternalError', { title: 'It failed' }));
    await openAdmin('/admin/refunds');
    await refund('lot-1');
    await shown('It failed');
    server.on('POST /api/admin/refunds', {
      status: 422,
      json: { code: 'RefundWindowClosed', title: 'Invoices are refunded within 14 days' },
    });
    await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Refund' }));
    await shown('Invoices are refunded within 14 days');
    const requests = server.seen('POST /api/admin/refunds');
    expect(requests.map(({ body }) => body)).toEqual(
      Array(2).fill({ lotId: 'lot-1', reason: 'Bought by mistake' }),
    );
    expect(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });
});
