import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { balance, linesOf } from '../support/money-back.js';
import { Office } from '../support/office.js';

const office = Office.forTests();

describe('adjustments of credits', () => {
  // An administrator's limits last a day, longer than a test, so each test has a new one.
  beforeEach(async () => {
    office.pia = await office.withRole('admin');
  });

  it('[ADM-03, FIN-11] give and take credits with a reason, shown as admin_adjustment', async () => {
    const given = await office.adjust(380);
    expect([given.status, given.body]).toEqual([
      201,
      { id: expect.any(String), status: 'applied', balance: 380 },
    ]);
    expect((await office.adjust(-120)).body.balance).toBe(260);
    expect(await linesOf(office.ada)).toEqual(['admin_adjustment -120', 'admin_adjustment 380']);
    const [event] = (await office.petra.get(`/api/finance/events?stream=credits-${office.ada.userId}`)).body
      .items;
    expect(event.data.adjustment).toMatchObject({
      by: office.pia.userId,
      explanation: '',
      remarkId: expect.any(String),
    });
    const [listed] = (await office.pia.get('/api/admin/adjustments')).body.items;
    expect(listed.reason).toBe('Sorry for the wait');
    const forward = (await office.petra.get(`/api/finance/credit-rollforward?userId=${office.ada.userId}`))
      .body;
    expect(forward).toMatchObject({ granted: 0, revoked: 0, adjusted: 260, closing: 260 });
  });

  it.each([
    ['no reason', { reason: ' ' }],
    ['no credits', { credits: 0 }],
    ['half a credit', { credits: 1.5 }],
    ['too many', { credits: 2_000_000 }],
  ])('are refused with %s', async (_, wrong) => {
    expect((await office.adjust(1, wrong)).status).toBe(400);
  });

  it('are refused for nobody, and without a key', async () => {
    expect((await office.adjust(5, { userId: 'nobody' })).status).toBe(404);
    const body = { userId: office.ada.userId, credits: 5, reason: 'Because' };
    expect((await office.pia.post('/api/admin/adjustments', body)).status).toBe(400);
  });

  it('[ADM-03, FIN-11] never take more than is unspent', async () => {
    await office.adjust(10);
    const refused = await office.adjust(-11);
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({ code: 'RevocationTooLarge', balance: 10, missing: 1 });
    expect(await balance(office.ada)).toBe(10);
  });

  it('[ADM-03] happen once a key, also when clicked five times at once', async () => {
    const key = randomUUID();
    await Promise.all(Array.from({ length: 5 }, () => office.adjust(7, {}, key)));
    expect((await office.adjust(7, {}, key)).headers.get('idempotency-replayed')).toBe('true');
    expect(await balance(office.ada)).toBe(7);
  });

  it('[ADM-03] happen once a key, also when the server died before it kept its answer', async () => {
    const key = randomUUID();
    const first = await office.adjust(7, {}, key);
    await office.product.resources.database.pool.query(
      `update idempotent_request set status = null, answer = null, started_at = now() - interval '2 minutes' where key = $1`,
      [key],
    );
    expect((await office.adjust(7, {}, key)).body).toEqual(first.body);
    expect(await balance(office.ada)).toBe(7);
  });

  it('[ADM-03] above 500 wait for a second person, who is not the first', async () => {
    const asked = await office.adjust(501);
    expect([asked.status, asked.body.status]).toEqual([202, 'waiting']);
    expect(await balance(office.ada)).toBe(0);
    const { items } = (await office.quinn.get('/api/admin/adjustments')).body;
    expect(items[0]).toMatchObject({
      id: asked.body.id,
      userId: office.ada.userId,
      credits: 501,
      requestedBy: office.pia.userId,
      requestedByName: expect.any(String),
      valueMicroUsd: 0,
      status: 'waiting',
    });
    const path = `/api/admin/adjustments/${asked.body.id}`;
    const alone = await office.pia.post(`${path}/approve`, {});
    expect([alone.status, alone.body.code]).toEqual([403, 'SecondPersonNeeded']);
    const approved = await Promise.all([1, 2, 3].map(() => office.quinn.post(`${path}/approve`, {})));
    expect(approved.map(({ status, body }) => [status, body.status, body.balance])).toEqual(
      Array(3).fill([200, 'applied', 501]),
    );
    expect(await linesOf(office.ada)).toEqual(['admin_adjustment 501']);
    expect((await office.quinn.post(`${path}/decline`, {})).body).toMatchObject({
      code: 'AlreadyDecided',
      status: 409,
      state: 'approved',
    });
  });

  it('[ADM-03] may be declined, and fail when the credits are gone by then', async () => {
    const declined = await office.adjust(900);
    await office.quinn.post(`/api/admin/adjustments/${declined.body.id}/decline`, {});
    expect((await office.quinn.post(`/api/admin/adjustments/${declined.body.id}/approve`, {})).status).toBe(
      409,
    );
    await office.adjust(500);
    const tooMuch = await office.adjust(-501);
    expect(tooMuch.status).toBe(202);
    expect((await office.quinn.post(`/api/admin/adjustments/${tooMuch.body.id}/approve`, {})).status).toBe(
      422,
    );
    const { items } = (await office.pia.get('/api/admin/adjustments?limit=100')).body;
    const status = (id: string) => items.find((each: { id: string }) => each.id === id).status;
    expect([status(declined.body.id), status(tooMuch.body.id)]).toEqual(['declined', 'failed']);
    expect(await balance(office.ada)).toBe(500);
  });
});
