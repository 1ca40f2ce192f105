import { describe, expect, it } from '@jest/globals';
import type { CreatorEvent } from '../../domain/publishing/creator-access.js';
import type { Mail } from '../../application/mail/mailer.js';
import { CreatorMails } from '../../application/publishing/creators/creator-mails.js';
import { keyed } from '../support/http-client.js';
import { comesTo } from '../support/money-back.js';
import { Office } from '../support/office.js';

const office = Office.forTests();

it('[ADM-03] finds people by e-mail address, name, handle and id, whole matches first', async () => {
  const { pool } = office.product.resources.database;
  const named = async (name: string) => {
    const client = await office.product.signedUp();
    await client.patch('/api/me', { displayName: name });
    return client;
  };
  const [exact, longer, other] = [await named('Zoë'), await named('Zoë Zander'), await named('100%_Wolf')];
  await pool.query(
    `insert into creator_profile (user_id, handle, updated_at) values ($1, 'Wolfgang_M', now())
                    on conflict (user_id) do update set handle = excluded.handle`,
    [other.userId],
  );
  const found = async (q: string) =>
    (await office.pia.get(`/api/admin/people?q=${encodeURIComponent(q)}`)).body.items.map(
      ({ id }: { id: string }) => id,
    );
  expect(await found('zoë')).toEqual([exact.userId, longer.userId]);
  expect(await found('ZANDER')).toEqual([longer.userId]);
  expect(await found(longer.email.toUpperCase())).toEqual([longer.userId]);
  expect(await found('wolfgang')).toEqual([other.userId]);
  expect(await found(exact.userId)).toEqual([exact.userId]);
  // The wildcards of SQL patterns are ordinary letters.
  expect(await found('100%_')).toEqual([other.userId]);
  expect(await found('%%')).toEqual([]);
  expect((await office.pia.get('/api/admin/people?q=z')).status).toBe(400);
  expect((await office.pia.get('/api/admin/people?q=wolfgang')).body.items).toEqual([
    { id: other.userId, displayName: '100%_Wolf', email: other.email, handle: 'Wolfgang_M' },
  ]);
});

it.each([
  ['GET', 'creator-applications'],
  ['POST', 'creator-applications/x/approve'],
  ['POST', 'creator-applications/x/decline'],
  ['POST', 'creators/x/suspend'],
  ['POST', 'takedowns'],
  ['POST', 'defects'],
  ['GET', 'people?q=somebody'],
  ['GET', 'people/x/invoices'],
  ['POST', 'adjustments'],
])('[ROLE-04] %s %s needs the role', async (method, path) => {
  const body = method === 'GET' ? undefined : {};
  expect((await office.product.browser().call(method, `/api/admin/${path}`, body, keyed())).status).toBe(401);
  expect((await office.ada.call(method, `/api/admin/${path}`, body, keyed())).status).toBe(403);
  expect((await office.petra.call(method, `/api/admin/${path}`, body, keyed())).status).toBe(403);
  expect((await office.pia.call(method, `/api/admin/${path}`, body, keyed())).status).not.toBe(403);
});

describe('creator applications', () => {
  const apply = () => office.ada.post('/api/creator/application', {});
  const state = async () => (await office.ada.get('/api/creator')).body.status;
  const listed = async (status = 'applied') =>
    (await office.pia.get(`/api/admin/creator-applications?status=${status}&limit=100`)).body.items.map(
      ({ id }: { id: string }) => id,
    );

  it('[ADM-01, ACC-03] are listed and approved', async () => {
    await apply();
    expect(await listed()).toContain(office.ada.userId);
    const answer = await office.pia.post(`/api/admin/creator-applications/${office.ada.userId}/approve`, {});
    expect([answer.status, answer.body]).toEqual([200, { id: office.ada.userId, status: 'approved' }]);
    expect(await state()).toBe('approved');
    expect(await listed()).not.toContain(office.ada.userId);
    expect(await listed('approved')).toContain(office.ada.userId);
  });

  it('[ADM-01, ACC-03] are declined with a reason, and creators suspended and reinstated', async () => {
    await apply();
    expect(
      (await office.pia.post(`/api/admin/creator-applications/${office.ada.userId}/decline`, {})).status,
    ).toBe(400);
    await office.pia.post(`/api/admin/creator-applications/${office.ada.userId}/decline`, {
      reason: 'No sounds yet',
    });
    expect(await state()).toBe('declined');
    expect((await office.ada.get('/api/creator')).body.reason).toBe('No sounds yet');
    await office.pia.post(`/api/admin/creator-applications/${office.ada.userId}/approve`, {});
    const suspended = await office.pia.post(`/api/admin/creators/${office.ada.userId}/suspend`, {
      reason: 'Stolen loops',
    });
    expect(suspended.body.status).toBe('suspended');
    expect(await state()).toBe('suspended');
    expect((await office.ada.get('/api/creator')).body.reason).toBe('Stolen loops');
    expect(
      (await office.pia.post(`/api/admin/creators/${office.ada.userId}/reinstate`, {})).body.status,
    ).toBe('approved');
    expect((await office.ada.get('/api/creator')).body.reason).toBeNull();
    expect((await office.pia.post('/api/admin/creators/nobody/suspend', { reason: 'Who?' })).status).toBe(
      404,
    );
  });

  it('[ADM-750] carry a text and links; administrators ask back, and see what was said and decided before', async () => {
    const { ada, pia } = office;
    const applied = (body: object) => ada.post('/api/creator/application', body);
    for (const body of [
      { text: 'x'.repeat(2_001) },
      { links: ['javascript:alert(1)'] },
      { links: ['soundcloud'] },
    ])
      expect((await applied(body)).status).toBe(400);
    const links = ['https://ada.example/tapes'];
    expect((await applied({ text: 'Tape loops,\nfrom my kitchen.', links })).status).toBe(201);
    const path = `/api/admin/creator-applications/${ada.userId}`;
    expect((await pia.post(`${path}/ask`, { reason: 'Did you record them?' })).body.status).toBe('asked');
    expect(await listed()).not.toContain(ada.userId);
    expect(await listed('asked')).toContain(ada.userId);
    expect((await ada.get('/api/creator')).body).toMatchObject({
      status: 'asked',
      reason: 'Did you record them?',
    });
    expect((await applied({ text: 'Yes, all.' })).body).toMatchObject({ status: 'applied', reason: null });
    await pia.post(`${path}/decline`, { reason: 'Too quiet' });
    await applied({});
    const { items } = (await pia.get(`${path}/history`)).body;
    expect(items).toMatchObject([
      { status: 'applied', text: 'Tape loops,\nfrom my kitchen.', links },
      { status: 'asked', text: 'Did you record them?', links: [] },
      { status: 'applied', text: 'Yes, all.' },
      { status: 'declined', text: 'Too quiet' },
      { status: 'applied', text: null },
    ]);
    const [first, second] = items as { by: string }[];
    expect(items.map(({ by }: { by: string }) => by)).toEqual(
      [first, second, first, second, first].map((item) => item?.by),
    );
    expect((await ada.get(`${path}/history`)).status).toBe(403);
    expect((await pia.post(`/api/admin/creator-applications/nobody/ask`, { reason: 'Who?' })).status).toBe(
      404,
    );
  });

  it('[ADM-20] tell the creator by mail of each step, once, with its reason', async () => {
    await apply();
    const decide = (path: string, body: object = {}) => office.pia.post(`/api/admin/${path}`, body);
    await decide(`creator-applications/${office.ada.userId}/decline`, { reason: 'No sounds yet' });
    await decide(`creator-applications/${office.ada.userId}/approve`);
    await decide(`creators/${office.ada.userId}/suspend`, { reason: 'Stolen loops' });
    await decide(`creators/${office.ada.userId}/reinstate`);
    const { eventStore } = office.product.resources;
    const written = async () => {
      const mails = (await office.product.browser().get('/dev/mailbox?format=json')).body as Mail[];
      return mails
        .filter(({ to, subject }) => to === office.ada.email && !subject.startsWith('Confirm'))
        .map(({ subject, text }) => [subject, text]);
    };
    await comesTo(async () => (await written()).length, 5);
    for (const event of await eventStore.readStream<CreatorEvent>(`creator-${office.ada.userId}`))
      await office.product.app.get(CreatorMails, { strict: false }).handle(event);
    const told = await written();
    expect(told.map(([subject]) => subject).sort()).toEqual([
      'We have your application',
      'You can publish on Offcut',
      'Your application was declined',
      'Your creator access is back',
      'Your creator access is suspended',
    ]);
    const textOf = new Map(told as [string, string][]);
    expect(textOf.get('Your application was declined')).toContain('No sounds yet');
    expect(textOf.get('Your creator access is suspended')).toContain('Stolen loops');
    expect(textOf.get('Your creator access is suspended')).toContain('Published packs stay on sale');
  });
});

it('[ADM-05] users report, administrators read', async () => {
  expect((await office.product.browser().post('/api/reports', {})).status).toBe(401);
  const filed = await office.ada.post('/api/reports', {
    kind: 'sample',
    id: 's1',
    reason: 'copyright',
    detail: 'Mine',
  });
  expect(filed.status).toBe(201);
  expect((await office.ada.get('/api/reports')).status).toBe(403);
  const { items } = (await office.pia.get('/api/reports')).body;
  expect(items).toContainEqual(
    expect.objectContaining({ id: filed.body.id, reporterId: office.ada.userId, detail: 'Mine' }),
  );
});
