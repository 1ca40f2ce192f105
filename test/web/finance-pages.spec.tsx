import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Certificate } from '../../application/purchases/contract.js';
import { ageSince, monthName } from '../../web/src/staff/dates.js';
import { PAST_MONTH, THIS_MONTH, cellsOf, event, openBooks, startBooks, table } from './support/books.js';
import { leave, NOOR } from './support/render.js';
import { type StubServer, exampleWith, refused } from './support/server.js';

let server: StubServer;
beforeEach(() => void (server = startBooks()));
afterEach(leave);

const broken = refused('InternalError');

describe('the overview', () => {
  it('shows balances over time, credits, what is open and how well the books are, each leading on', async () => {
    openBooks('/finance');
    const chart = await screen.findByRole('slider', { name: 'Cash, deferred and creators' });
    expect(chart.getAttribute('aria-valuetext')).toBe('Today: Cash $19.98, Deferred $8.00, Creators −$0.11');
    fireEvent.click(screen.getByRole('button', { name: 'Show Cash, deferred and creators as a table' }));
    const balances = await table('Cash, deferred and creators');
    expect(cellsOf(within(balances).getAllByRole('row')[1] as HTMLElement)).toEqual([
      '19.98',
      '8.00',
      '−0.119880',
    ]);
    expect(within(await table('Open items')).getByText(/^\d+ d$/).className).toContain('warn');
    expect(await screen.findByText('2 of 2')).toBeTruthy();
    expect(screen.getByText('Excused heads: 2026-11-19T08')).toBeTruthy();
    const leads = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
    expect(leads('Owed to creators')).toBe('/finance/accounts?group=creator%3A*');
    expect(leads('w1')).toBe('/finance/trace/40');
    expect(leads('Sample bought')).toBe('/finance/trace/12');
  });

  it('says so where only worthless credits moved', async () => {
    const nothing = { cashMicroUsd: 0, deferredMicroUsd: 0, creatorsMicroUsd: 0 };
    server.on('GET /api/finance/balances-over-time', {
      json: { items: [{ month: THIS_MONTH, ...nothing }] },
    });
    openBooks('/finance');
    expect(await screen.findByText('No money has moved yet.')).toBeTruthy();
  });

  it('has panels that fail alone', async () => {
    for (const path of ['balances-over-time', 'open-items', 'reconciliation'])
      server.on(`GET /api/finance/${path}`, broken);
    openBooks('/finance');
    await waitFor(() => expect(screen.getAllByText('Something went wrong on our side')).toHaveLength(3));
    expect(await table('Credits of this month')).toBeTruthy();
  });
});

describe('the health of a long log', () => {
  it('[FIN-22, FIN-562] is checked on demand; last night and restored backups are shown', async () => {
    server.on(
      'GET /api/finance/trial-balance',
      exampleWith('GET /api/finance/trial-balance', { position: 1_204_377, accounts: [] }),
    );
    openBooks('/finance');
    expect(await screen.findByText(/^Checking reads the events since the last signed head/)).toBeTruthy();
    expect(await screen.findByText('passed')).toBeTruthy();
    expect(server.seen('GET /api/finance/reconciliation')).toHaveLength(0);
    fireEvent.click(screen.getByRole('button', { name: 'Check now' }));
    expect(await screen.findByText('2 of 2')).toBeTruthy();
  });
});

describe('the roll-forward', () => {
  it('[FIN-16] adds up by month, signs what was taken, and leads to the events of a month', async () => {
    openBooks('/finance/roll-forward');
    const months = await table('By month');
    const row = (name: string) => within(months).getByRole('row', { name: new RegExp(`^${name}`) });
    expect(cellsOf(row(monthName(PAST_MONTH)))).toEqual(['0', '100', '−10', '0', '−2', '0', '88']);
    expect(cellsOf(row('Total'))).toEqual(['0', '150', '−30', '0', '−4', '0', '116']);
    expect(screen.getByText('Every month ties')).toBeTruthy();
    expect(screen.getByRole('link', { name: monthName(PAST_MONTH) }).getAttribute('href')).toBe(
      `/finance/events?stream=credits-&from=${PAST_MONTH}-01`,
    );
  });

  it('[FIN-16] says so when a month does not tie', async () => {
    const month = {
      month: THIS_MONTH,
      opening: 5,
      granted: 1,
      spent: 0,
      returned: 0,
      revoked: 0,
      adjusted: 0,
    };
    server.on('GET /api/finance/credit-rollforward/months', {
      json: { items: [{ ...month, closing: 7 }] },
    });
    openBooks('/finance/roll-forward');
    expect((await screen.findByText('A month does not tie')).className).toContain('danger');
  });

  it('[FIN-16] is filtered by who an e-mail address means, or by one of several', async () => {
    const person = (id: string) => ({ id, displayName: `Name ${id}`, email: `${id}@x.fm`, handle: null });
    server.on('GET /api/finance/people', ({ query }) => ({
      json: { items: ['ada', 'adam'].filter((id) => id.includes(query.get('q') ?? '')).map(person) },
    }));
    const { path } = openBooks('/finance/roll-forward');
    const field = await screen.findByLabelText('E-mail, name or user id');
    await userEvent.type(field, 'zoe{Enter}');
    expect(await screen.findByText('No person matches “zoe”.')).toBeTruthy();
    await userEvent.clear(field);
    await userEvent.type(field, 'ad{Enter}');
    fireEvent.click(await screen.findByRole('button', { name: /adam@x.fm/ }));
    await waitFor(() => expect(path()).toBe('/finance/roll-forward?user=adam'));
    expect((await screen.findByRole('link', { name: 'Prove this balance' })).getAttribute('href')).toBe(
      '/finance/proof/adam',
    );
    expect(server.seen('GET /api/finance/credit-rollforward/months').at(-1)?.query.get('userId')).toBe(
      'adam',
    );
    fireEvent.click(screen.getByRole('button', { name: 'Everybody' }));
    await waitFor(() => expect(path()).toBe('/finance/roll-forward'));
  });

  it('says who never had credits, and what failed', async () => {
    openBooks('/finance/roll-forward?user=nobody');
    expect(await screen.findByText('Nothing ever moved credits of this user.')).toBeTruthy();
    cleanup();
    server.on('GET /api/finance/credit-rollforward/months', broken);
    openBooks('/finance/roll-forward');
    expect(await screen.findByText('The roll-forward could not be loaded')).toBeTruthy();
    server.on('GET /api/finance/credit-rollforward/months', { json: { items: [] } });
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('No credits were ever granted.')).toBeTruthy();
  });
});

describe('the tie-out', () => {
  const kept = {
    id: 'ab'.repeat(32),
    from: '2026-11-01T00:00:00.000Z',
    to: '2026-12-01T00:00:00.000Z',
    matched: 12,
    stripeMicroUsd: 14_400_000,
    booksMicroUsd: 7_400_000,
    onlyAtStripe: 1,
    onlyInBooks: 1,
    unexplainedMicroUsd: 7_000_000,
    doneBy: 'system:command-line',
    doneAt: '2026-12-01T09:00:00.000Z',
    position: 42,
  };

  it("[FIN-67, FIN-68] is kept and listed, and stands on the overview beside Stripe's own balance", async () => {
    server.on('GET /api/finance/tie-outs', { json: { items: [kept], fetch: null } });
    const usd = { currency: 'usd', providerMicro: 9_400_000, booksMicro: 9_990_000, at: kept.doneAt };
    server.on('GET /api/finance/provider-balances', { json: { items: [usd] } });
    openBooks('/finance/stripe');
    const row = within(await table('Kept tie-outs'));
    expect(row.getByText('1 Nov 2026 \u2013 30 Nov 2026')).toBeTruthy();
    expect(row.getByText('2 items to explain').className).toContain('warn');
    expect(row.getByRole('link', { name: '1 Nov 2026 \u2013 30 Nov 2026' }).getAttribute('href')).toBe(
      `/finance/stripe/${kept.id}`,
    );
    for (const page of ['/finance', '/finance/trial-balance']) {
      cleanup();
      openBooks(page);
      const panel = within(await screen.findByRole('region', { name: 'Reconciliation with Stripe' }));
      await panel.findByText('Report of 1 Nov 2026 to 30 Nov 2026, 12 matched');
      expect(panel.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
        '9.99',
        '\u22120.59',
        '9.40',
      ]);
      expect(panel.getByText('Both of 1 Dec 2026, 09:00 UTC')).toBeTruthy();
    }
  });

  const report = (text = 'id,net\n') => new File([text], 'november.csv', { type: '' });
  const choose = async (file: File) =>
    fireEvent.change(await screen.findByLabelText("Stripe's balance report"), { target: { files: [file] } });
  const result = {
    kept: null,
    matched: [{ transactionId: 'txn_1', position: 7, amountMicroUsd: 9_400_000 }],
    onlyAtStripe: [
      {
        transactionId: 'txn_2',
        at: '2026-11-01T10:00:00.000Z',
        ageDays: 20,
        category: 'topup',
        netMicroUsd: 5_000_000,
        references: ['tu_1'],
      },
    ],
    onlyInBooks: [
      {
        position: 9,
        at: '2026-11-20T10:00:00.000Z',
        ageDays: 1,
        fact: 'transfer-created',
        references: ['tr_1'],
        amountMicroUsd: -2_000_000,
      },
    ],
  };

  it('[FIN-17] reads as a sum and three lists with ages, from a file of any name for CSV', async () => {
    server.on('POST /api/finance/stripe-report', { json: result });
    openBooks('/finance/stripe');
    await choose(report());
    expect(within(await table('Only at Stripe')).getByText('20 d').className).toContain('warn');
    expect(within(await table('Only in our books')).getByText('1 d').className).not.toContain('warn');
    expect(within(await table('Only in our books')).getByText('transfer created')).toBeTruthy();
    expect(
      within(await table('Matched'))
        .getByRole('link', { name: 'Explain event 7' })
        .getAttribute('href'),
    ).toBe('/finance/trace/7');
    const sum = within(screen.getByRole('region', { name: 'The sum' }));
    expect(sum.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
      '7.40',
      '7.00',
      '14.40',
    ]);
    expect(sum.getByText('2 items to explain')).toBeTruthy();
    const [request] = server.seen('POST /api/finance/stripe-report');
    expect(request?.body).toMatchObject({ type: 'text/csv' });
  });

  it('[FIN-17] says when all ties out, and keeps what was compared while the page is left', async () => {
    server.on('POST /api/finance/stripe-report', { json: { ...result, onlyAtStripe: [], onlyInBooks: [] } });
    openBooks('/finance/stripe');
    fireEvent.drop(await screen.findByText('Compare a report'), { dataTransfer: { files: [report()] } });
    expect(await screen.findByText('Ties out')).toBeTruthy();
    expect(screen.getByText('None. Everything that Stripe reports is in the books.')).toBeTruthy();
    fireEvent.click(screen.getByRole('link', { name: 'Trial balance' }));
    await screen.findByText('Balanced');
    fireEvent.click(screen.getByRole('link', { name: 'Stripe' }));
    expect(await screen.findByText('Ties out')).toBeTruthy();
  });

  it('[FIN-17] claims nothing of a report without movements', async () => {
    server.on('POST /api/finance/stripe-report', {
      json: { kept: null, matched: [], onlyAtStripe: [], onlyInBooks: [] },
    });
    openBooks('/finance/stripe');
    await choose(report());
    expect(await screen.findByText('Nothing moved')).toBeTruthy();
    expect(screen.queryByText('Ties out')).toBeNull();
    expect(screen.queryByRole('img', { name: '' })).toBeNull();
  });

  it('[FIN-17] is refused in the words of the server, and an empty file at once', async () => {
    server.on('POST /api/finance/stripe-report', {
      status: 422,
      json: { code: 'ReportUnreadable', title: 'No report', detail: 'Line 3 has no txn_ id.' },
    });
    openBooks('/finance/stripe');
    await choose(report(''));
    expect(await screen.findByText('The file is empty.')).toBeTruthy();
    expect(server.seen('POST /api/finance/stripe-report')).toHaveLength(0);
    await choose(report());
    expect(await screen.findByText('Line 3 has no txn_ id.')).toBeTruthy();
    expect(screen.getByText('november.csv could not be compared')).toBeTruthy();
  });
});

const monthBefore = (month: string): string => {
  const first = new Date(`${month}-01T00:00:00Z`);
  first.setUTCMonth(first.getUTCMonth() - 1);
  return first.toISOString().slice(0, 7);
};

describe('the periods', () => {
  const closed = {
    month: PAST_MONTH,
    lastPosition: 9_120,
    hash: 'cd'.repeat(32),
    closedBy: 'petra-1',
    closedByName: 'Petra Voss',
    closedAt: '2026-11-03T09:30:00.000Z',
    signedBy: null as string | null,
    signedByName: null as string | null,
    signedAt: null as string | null,
    totalDebitMicroUsd: 10_109_880,
  };
  beforeEach(() => {
    server.on('GET /api/finance/periods', { json: { items: [] } });
    server.on('GET /api/finance/late-facts', { json: { items: [], nextCursor: null, counts: [] } });
  });
  const close = `Close ${monthName(PAST_MONTH)}`;
  const items = (undone: Record<string, string> = {}) =>
    ['turn', 'rules', 'tie-out', 'aged', 'suspense', 'alerts'].map((id) => ({
      id,
      done: !(id in undone),
      text: undone[id] ?? `${id} is done`,
      href: `/finance/${id}`,
    }));
  const checklist = (month: string, undone: Record<string, string> = {}) =>
    server.on(`GET /api/finance/periods/${month}/checklist`, {
      json: { month, ready: Object.keys(undone).length === 0, items: items(undone) },
    });

  it('[FIN-21, FIN-63, WEB-74] are closed once all of the checklist is done, by somebody with a name', async () => {
    checklist(PAST_MONTH);
    server.on(`POST /api/finance/periods/${PAST_MONTH}/close`, () => {
      server.on('GET /api/finance/periods', { json: { items: [closed] } });
      return { status: 201, json: closed };
    });
    openBooks('/finance/periods');
    expect(await screen.findByText('1 month not closed yet.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: `Close ${monthName(THIS_MONTH)}` })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: close }));
    let dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(/Nothing can be posted to .* afterwards/)).toBeTruthy();
    fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.seen(`POST /api/finance/periods/${PAST_MONTH}/close`)).toHaveLength(0);
    fireEvent.click(screen.getByRole('button', { name: close }));
    dialog = within(await screen.findByRole('dialog'));
    expect(await dialog.findAllByLabelText('Done')).toHaveLength(6);
    fireEvent.click(dialog.getByRole('button', { name: close }));
    const row = await screen.findByRole('row', { name: new RegExp(`^${monthName(PAST_MONTH)} Closed`) });
    expect(cellsOf(row).slice(1, 4)).toEqual(['9,120', closed.hash, '10.109880']);
    expect(
      within(row).getByRole('button', { name: `Copy hash of ${monthName(PAST_MONTH)} ${closed.hash}` }),
    ).toBeTruthy();
    expect(screen.getByText('Every past month is closed.')).toBeTruthy();
    within(row).getByText('Petra Voss');
  });

  it('[FIN-712] are signed by another person than the one who closed them', async () => {
    const mine = { ...closed, month: monthBefore(PAST_MONTH), closedBy: NOOR.id };
    let now = closed;
    server.on('GET /api/finance/periods', () => ({ json: { items: [now, mine] } }));
    server.on(`POST /api/finance/periods/${PAST_MONTH}/sign`, () => {
      now = { ...closed, signedBy: NOOR.id, signedByName: 'Noor Haddad', signedAt: closed.closedAt };
      return { json: now };
    });
    openBooks('/finance/periods');
    fireEvent.click(await screen.findByRole('button', { name: `Sign ${monthName(PAST_MONTH)}` }));
    expect(await screen.findByText('Noor Haddad')).toBeTruthy();
    expect(screen.getAllByText('Another person signs')).toHaveLength(1);
    // Otherwise hidden texts at the right of a wide table would widen the page.
    expect(screen.getByRole('group', { name: 'Months' }).classList).toContain('relative');
    expect(screen.getAllByRole('link', { name: /^ZIP of/ })[0]?.getAttribute('href')).toContain(
      `/${PAST_MONTH}/package`,
    );
  });

  it('[FIN-21] say why one was not closed', async () => {
    checklist(PAST_MONTH);
    server.on(`POST /api/finance/periods/${PAST_MONTH}/close`, {
      status: 503,
      json: { code: 'BooksBehind', title: 'The books are still catching up' },
    });
    openBooks('/finance/periods');
    fireEvent.click(await screen.findByRole('button', { name: close }));
    const dialog = within(await screen.findByRole('dialog'));
    await dialog.findAllByLabelText('Done');
    fireEvent.click(dialog.getByRole('button', { name: close }));
    expect((await dialog.findByRole('alert')).textContent).toBe('The books are still catching up');
  });

  it('[FIN-37, FIN-63] are closed in order, and not before everything is done, which says where', async () => {
    const before = monthBefore(PAST_MONTH);
    const held = { cashMicroUsd: 0, deferredMicroUsd: 0, creatorsMicroUsd: 0 };
    server.on('GET /api/finance/balances-over-time', {
      json: { items: [before, PAST_MONTH, THIS_MONTH].map((month) => ({ month, ...held })) },
    });
    checklist(before, { rules: '1 rule of the books does not hold: 15' });
    openBooks('/finance/periods');
    const first = `Close ${monthName(before)}`;
    fireEvent.click(await screen.findByRole('button', { name: first }));
    expect(screen.queryByRole('button', { name: close })).toBeNull();
    const dialog = within(await screen.findByRole('dialog'));
    expect(await dialog.findByText(/does not hold: 15/)).toBeTruthy();
    expect(dialog.getByRole('link', { name: 'Go there' }).getAttribute('href')).toBe('/finance/rules');
    expect(dialog.getByRole('button', { name: first })).toHaveProperty('disabled', true);
  });

  it('[FIN-64] are reopened from the newest on, once a second person agrees', async () => {
    server.on('GET /api/finance/periods', { json: { items: [closed] } });
    server.on(`POST /api/finance/periods/${PAST_MONTH}/reopen`, {
      status: 202,
      json: { id: 'r1', status: 'waiting' },
    });
    openBooks('/finance/periods');
    fireEvent.click(await screen.findByRole('button', { name: `Reopen ${monthName(PAST_MONTH)}` }));
    const dialog = within(await screen.findByRole('dialog'));
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'An item was forgotten' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Ask for approval' }));
    expect(await screen.findByText('A second person must approve it')).toBeTruthy();
    expect(server.seen(`POST /api/finance/periods/${PAST_MONTH}/reopen`)).toHaveLength(1);
  });

  it('[FIN-462] run, are over and are closed by the business calendar, not by the clock of the browser', async () => {
    server.businessTime = '2031-06-15T12:00:00.000Z';
    const balance = (month: string) => ({ ...example, month });
    const [example] = (exampleWith('GET /api/finance/balances-over-time', {}).json as { items: object[] })
      .items;
    server.on('GET /api/finance/balances-over-time', {
      json: { items: ['2031-04', '2031-05', '2031-06'].map(balance) },
    });
    openBooks('/finance/periods');
    await screen.findByText('2 months not closed yet.');
    const states = within(await table('Months'))
      .getAllByRole('row')
      .slice(1)
      .map((row) => cellsOf(row)[0]);
    expect(states).toEqual([
      expect.stringMatching(/^Running.*until 30 Jun 2031/),
      expect.stringMatching(/^Open.*after April 2031/),
      expect.stringMatching(/^Open.*Close/),
    ]);
    expect(ageSince('2031-06-15T11:30:00.000Z')).toBe('30 min');
  });

  it('[FIN-21] name what came late, with both dates', async () => {
    server.on('GET /api/finance/periods', { json: { items: [closed] } });
    const fact = {
      month: PAST_MONTH,
      position: 9_300,
      fact: 'invoice-paid',
      about: 'in_9',
      amountMicroUsd: 9_990_000,
    };
    const counts = [{ month: PAST_MONTH, facts: 130 }];
    const dated = { ...fact, at: '2026-10-30T10:00:00.000Z', postedAt: '2026-11-04T08:00:00.000Z' };
    server.on('GET /api/finance/late-facts', ({ query }) => ({
      json: query.get('cursor')
        ? { items: [{ ...dated, position: 9_200, about: 'in_8' }], nextCursor: null, counts }
        : { items: [dated], nextCursor: 'older', counts },
    }));
    openBooks('/finance/periods');
    const late = await table('Late facts');
    // The server counts all of them; the browser would count only one page.
    expect(
      cellsOf(
        within(await table('Months')).getByRole('row', { name: new RegExp(`^${monthName(PAST_MONTH)}`) }),
      ),
    ).toContain('130');
    expect(cellsOf(within(late).getAllByRole('row')[1] as HTMLElement)).toEqual([
      'invoice paid',
      'in_9',
      '30 Oct 2026, 10:00',
      '4 Nov 2026, 08:00',
      '9.99',
    ]);
    await userEvent.click(screen.getByRole('button', { name: 'Earlier late facts' }));
    expect(await within(late).findByText('in_8')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Earlier late facts' })).toBeNull();
  });

  it('say that there are none, or what failed', async () => {
    server.on('GET /api/finance/balances-over-time', { json: { items: [] } });
    openBooks('/finance/periods');
    expect(await screen.findByText('No months yet')).toBeTruthy();
    cleanup();
    server.on('GET /api/finance/periods', broken);
    openBooks('/finance/periods');
    expect(await screen.findByText('The periods could not be loaded')).toBeTruthy();
  });
});

describe('the proof of a balance', () => {
  const proof = (more: object) => ({
    json: {
      userId: 'ada',
      balance: 48,
      shownBalance: 48,
      holds: true,
      lots: [
        { lotId: 'lot-1', kind: 'paid', remainingCredits: 48, grantedAt: '2026-11-01T00:00:00.000Z' },
        { lotId: 'lot-0', kind: 'promotional', remainingCredits: 0, grantedAt: '2026-10-01T00:00:00.000Z' },
      ],
      events: [
        { ...event(3), type: 'CreditsGranted', delta: 50, balanceAfter: 50 },
        { ...event(9), type: 'CreditsSpent', delta: -2, balanceAfter: 48 },
      ],
      head: { position: 12, hash: 'ef'.repeat(32) },
      ...more,
    },
  });

  it('[FIN-30] goes through every event to the balance, and shows the event itself', async () => {
    server.on('GET /api/finance/proof/ada', proof({}));
    openBooks('/finance/proof/ada');
    expect((await screen.findByText('Holds')).className).toContain('ok');
    const events = await table('Every event that changed it');
    expect(
      within(events)
        .getAllByRole('row')
        .slice(1)
        .map((row) => cellsOf(row).slice(-2)),
    ).toEqual([
      ['+50', '50'],
      ['−2', '48'],
    ]);
    expect(within(await table('Lots with credits left')).queryByText('lot-0')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Credits spent' }));
    expect(JSON.parse(screen.getByLabelText('Event 9').textContent ?? '')).not.toHaveProperty('delta');
    expect(screen.getByRole('button', { name: `Copy hash of the head ${'ef'.repeat(32)}` })).toBeTruthy();
  });

  it('[FIN-30] says when what is shown is not what the log says, and what a dispute froze', async () => {
    const frozen = {
      lotId: 'lot-2',
      kind: 'paid',
      remainingCredits: 5,
      grantedAt: '2026-11-01T00:00:00.000Z',
    };
    server.on(
      'GET /api/finance/proof/ada',
      proof({ shownBalance: 55, holds: false, balance: 0, lots: [frozen] }),
    );
    openBooks('/finance/proof/ada');
    expect((await screen.findByText('Does not hold')).className).toContain('danger');
    expect(screen.getByText('5 of them are frozen by a dispute.')).toBeTruthy();
  });

  it('asks whose, and is reached from the account of a user', async () => {
    openBooks('/finance/proof');
    expect(await screen.findByText('No user chosen')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Find' }));
    expect(await screen.findByText('Enter a person')).toBeTruthy();
    cleanup();
    server.on('GET /api/finance/accounts/user%3Aada', {
      json: {
        account: 'user:ada',
        kind: 'credits',
        name: 'Ada Ray',
        balanceMicroUsd: 0,
        balanceCredits: 48,
        entries: [],
        nextCursor: null,
      },
    });
    openBooks('/finance/accounts/user%3Aada');
    expect(await screen.findByText('48 credits')).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'Ada Ray' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Prove this balance' }).getAttribute('href')).toBe(
      '/finance/proof/ada',
    );
    cleanup();
    server.on('GET /api/finance/proof/ada', broken);
    openBooks('/finance/proof/ada');
    expect(await screen.findByText('The balance could not be proved')).toBeTruthy();
  });
});

it('[FIN-65, FIN-513] suspense is cleared by an entry that waits for a second person, or explained', async () => {
  const item = {
    account: 'suspense',
    about: 'tu_1',
    reason: 'an unknown movement: topup',
    since: '2026-10-20T10:00:00.000Z',
    ageDays: 30,
    aged: true,
    amountMicroUsd: 1_000_000_000,
    currency: 'usd',
    amountMicro: 1_000_000_000,
    position: 7,
    note: null,
    requestId: null,
  };
  server.on('GET /api/finance/periods', { json: { items: [] } });
  server.on('GET /api/finance/open-items', { json: { items: [item] } });
  let sent: unknown;
  server.on('POST /api/finance/adjusting-entries', ({ body }) => {
    sent = body;
    server.on('GET /api/finance/open-items', { json: { items: [{ ...item, requestId: 'r1' }] } });
    return { status: 202, json: { id: 'r1', status: 'waiting' } };
  });
  server.on('POST /api/finance/open-items/notes', { status: 204 });
  openBooks('/finance/suspense');
  fireEvent.click(await screen.findByRole('button', { name: 'Explain tu_1' }));
  let dialog = within(await screen.findByRole('dialog'));
  fireEvent.change(dialog.getByLabelText('What it is'), { target: { value: 'Case 4711' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Keep the note' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  fireEvent.click(screen.getByRole('button', { name: 'Clear tu_1' }));
  dialog = within(await screen.findByRole('dialog'));
  fireEvent.click(dialog.getByRole('button', { name: 'Ask for approval' }));
  expect(await dialog.findByText('Name the proof')).toBeTruthy();
  const offered = within(dialog.getByLabelText('What it was')).getAllByRole<HTMLOptionElement>('option');
  expect(offered.map(({ value }) => value)).toEqual([
    'bank',
    'owed-to-customers',
    'stripe-fees',
    'dispute-fees',
    'tax',
    'forfeited',
  ]);
  fireEvent.change(dialog.getByLabelText('What it was'), { target: { value: 'forfeited' } });
  fireEvent.change(dialog.getByLabelText('Amount'), { target: { value: '12.50' } });
  fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'Nobody claims it' } });
  fireEvent.change(dialog.getByLabelText('Proof'), { target: { value: 'Case 4711 at Stripe' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Ask for approval' }));
  const waits = await screen.findByRole('link', { name: 'An entry waits for a second person' });
  expect(waits.getAttribute('href')).toContain('r1');
  expect(sent).toEqual({
    account: 'suspense',
    about: 'tu_1',
    to: 'forfeited',
    amountMicro: 12_500_000,
    reason: 'Nobody claims it',
    evidence: 'Case 4711 at Stripe',
  });
});

describe('the page about a restore', () => {
  const certificate = exampleWith('GET /api/certificates/:id', { id: 'c1' }).json as Certificate;
  const file = (name: string, text: string) => new File([text], name, { type: 'application/json' });

  it('[BACK-714] [BACK-723] [BACK-726] lists what the log lacks since a day, and checks certificates of buyers', async () => {
    server.on('GET /api/finance/missing-facts', ({ query }) => ({
      json: {
        position: 4_711,
        lastEventAt: '2026-11-27T02:59:58.000Z',
        heads: [{ hour: '2026-11-27T05', position: 4_830 }],
        restores: [],
        payments: [
          {
            invoiceId: `in since ${query.get('since')}`,
            customerId: 'cus_1',
            userId: null,
            email: null,
            paidAt: '2026-11-27T04:00:00.000Z',
            usdCents: 999,
          },
        ],
        movements: ['txn_1'],
        mails: [
          {
            sentAt: '2026-11-27T04:00:03.000Z',
            about: 'CreditsGranted',
            position: 4_712,
            userId: 'u1',
            email: 'bob@example.com',
          },
          {
            sentAt: '2026-11-27T05:00:00.000Z',
            about: 'notices',
            position: 4_713,
            userId: 'u2',
            email: null,
          },
        ],
      },
    }));
    const states = ['missing', 'invalid'];
    server.on('POST /api/finance/missing-facts/certificates', () => ({
      json: { state: states.shift(), reason: 'The signature does not match' },
    }));
    openBooks('/finance/restore');
    expect(await screen.findByText('Nothing is compared yet')).toBeTruthy();
    fireEvent.change(screen.getByLabelText('Day of the backup (UTC)'), { target: { value: '2026-11-27' } });
    const payments = await table('Payments without an event');
    expect(cellsOf(within(payments).getAllByRole('row')[1] as HTMLElement)).toEqual([
      '27 Nov 2026, 04:00',
      'cus_1, whose account is lost',
      '$9.99',
    ]);
    expect(within(payments).getByText('in since 2026-11-27T00:00:00Z')).toBeTruthy();
    expect(screen.getByText('offcut stripe backfill --since 2026-11-27')).toBeTruthy();
    expect(screen.getByText('2026-11-27T05')).toBeTruthy();
    expect(within(await table('Movements at Stripe without an event')).getByText('txn_1')).toBeTruthy();
    const mails = within(await table('Mails about events that are gone'))
      .getAllByRole('row')
      .slice(1);
    expect(mails.map(cellsOf)).toEqual([
      ['Credits granted', '4,712', 'bob@example.com'],
      ['A summary of news', '4,713', 'u2, whose account is gone'],
    ]);

    const give = (...given: [string, string]) =>
      userEvent.upload(screen.getByLabelText('A certificate'), file(...given));
    const row = async (name: string) =>
      cellsOf((await screen.findByText(name)).closest('tr') as HTMLElement).slice(0, 2);
    await give('a.json', JSON.stringify(certificate));
    expect(await row('a.json')).toEqual([
      'missing',
      `${certificate.sample.title}, ${certificate.sample.pack}`,
    ]);
    await give('b.json', JSON.stringify(certificate));
    expect(await row('b.json')).toEqual(['invalid', 'The signature does not match']);
    await give('c.json', 'Where are my sounds?');
    expect(await row('c.json')).toEqual(['invalid', 'Not a certificate']);
    expect(screen.getAllByRole('button', { name: /^Record / })).toHaveLength(1);
    server.on('POST /api/finance/missing-facts/purchases', {
      status: 202,
      json: { id: 'r1', status: 'waiting' },
    });
    await userEvent.click(screen.getByRole('button', { name: 'Record a.json again' }));
    const question = await screen.findByRole('dialog');
    await userEvent.type(within(question).getByRole('textbox'), 'Lost in the restore');
    const ask = within(question).getByRole('button', { name: 'Ask for approval' });
    await userEvent.dblClick(ask);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.seen('POST /api/finance/missing-facts/purchases')).toMatchObject([
      { body: { certificate: { id: 'c1' }, reason: 'Lost in the restore' } },
    ]);
  });
});
