import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { staffActs } from '../../adapters/administration/staff-acts.js';
import { approvals } from '../../adapters/approvals/approval-rows.js';
import { Projector } from '../../adapters/platform/projections/projector.js';
import { CarryOutApprovals } from '../../application/approvals/decide-on-request.js';
import { balance, linesOf, comesTo } from '../support/money-back.js';
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
    const [listed] = await office.adjustments('decided');
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
    const [listed] = await office.adjustments('waiting');
    expect(listed).toMatchObject({
      id: asked.body.id,
      work: { kind: 'adjustment', userId: office.ada.userId, credits: 501, valueMicroUsd: 0 },
      requestedBy: office.pia.userId,
      requestedByName: expect.any(String),
      status: 'waiting',
    });
    const { id } = asked.body;
    const alone = await office.decide(office.pia, id, 'approve');
    expect([alone.status, alone.body.code]).toEqual([403, 'SecondPersonNeeded']);
    const approved = await Promise.all([1, 2, 3].map(() => office.decide(office.quinn, id, 'approve')));
    expect(approved.map(({ status, body }) => [status, body.status])).toEqual(
      Array(3).fill([200, 'carried out']),
    );
    expect(await balance(office.ada)).toBe(501);
    expect(await linesOf(office.ada)).toEqual(['admin_adjustment 501']);
    expect((await office.decide(office.quinn, id, 'decline')).body).toMatchObject({
      code: 'AlreadyDecided',
      status: 409,
      state: 'carried out',
    });
  });

  it('[ADM-03] may be declined, and fail when the credits are gone by then', async () => {
    const declined = await office.adjust(900);
    await office.decide(office.quinn, declined.body.id, 'decline');
    expect((await office.decide(office.quinn, declined.body.id, 'approve')).status).toBe(409);
    await office.adjust(500);
    const tooMuch = await office.adjust(-501);
    expect(tooMuch.status).toBe(202);
    const approved = await office.decide(office.quinn, tooMuch.body.id, 'approve');
    expect(approved.body.status).toBe('not carried out');
    const items = await office.adjustments('decided');
    const found = ({ body }: typeof tooMuch) => items.find(({ id }: { id: string }) => id === body.id);
    expect(found(declined)).toMatchObject({ status: 'declined', note: 'Not this time' });
    expect(found(tooMuch)).toMatchObject({ status: 'not carried out', note: 'InsufficientCredits' });
    expect(await balance(office.ada)).toBe(500);
  });

  it('[ADM-630] from before they were a kind of approval are shown, and decided or lapse if they still wait', async () => {
    const { eventStore, database } = office.product.resources;
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    const old = async (days: number, credits: number, ...decided: [type: string, more?: object][]) => {
      const adjustmentId = randomUUID();
      const by = office.pia.userId as string;
      const at = daysAgo(days);
      const asked = { userId: office.ada.userId, credits, valueMicroUsd: 0, explanation: 'An old prize' };
      const events = [
        { type: 'AdjustmentRequested', data: { adjustmentId, ...asked, by, at } },
        ...decided.map(([type, more]) => ({
          type,
          data: { adjustmentId, by: office.quinn.userId, at, ...more },
        })),
      ];
      await eventStore.append([{ stream: `adjustment-${adjustmentId}`, expectedVersion: 0, events }], {
        actor: by,
        correlationId: adjustmentId,
      });
      return adjustmentId;
    };
    const [alone, approved, declined, failed] = [
      await old(9, 5, ['AdjustmentMadeAlone', { by: office.pia.userId }]),
      await old(9, 501, ['AdjustmentApproved']),
      await old(9, 600, ['AdjustmentDeclined', { reason: 'No prize' }]),
      await old(9, -700, ['AdjustmentApproved'], ['AdjustmentFailed', { balance: 1 }]),
    ];
    const [waiting, second, withdrawn, stale] = [
      await old(6, 502),
      await old(6, 503),
      await old(6, 504),
      await old(8, 505),
    ];
    // A node that decided before the upgrade may have died before it moved the credits.
    await comesTo(() => balance(office.ada), 506);
    expect((await office.adjustments('waiting'))[0]).toMatchObject({
      id: withdrawn,
      work: { kind: 'adjustment', userId: office.ada.userId, credits: 504, valueMicroUsd: 0 },
      reason: 'An old prize',
      requestedBy: office.pia.userId,
      beneficiary: office.ada.userId,
    });
    expect((await office.decide(office.pia, waiting, 'approve')).body.code).toBe('SecondPersonNeeded');
    const decided = [
      await office.decide(office.quinn, waiting, 'approve'),
      await office.decide(office.quinn, second, 'decline'),
      await office.decide(office.pia, withdrawn, 'withdraw'),
      await office.decide(office.quinn, stale, 'approve'),
    ];
    expect(decided.map(({ body }) => (body.status === 409 ? body.state : body.status))).toEqual([
      'carried out',
      'declined',
      'withdrawn',
      'lapsed',
    ]);
    await office.product.app.get(CarryOutApprovals, { strict: false }).lapse();
    expect(await balance(office.ada)).toBe(506 + 502);
    const listed = await office.adjustments('decided');
    const outcome = (id: string) => listed.find((each: { id: string }) => each.id === id);
    expect([alone, approved, declined, failed].map((id) => outcome(id)?.status)).toEqual([
      'carried out',
      'carried out',
      'declined',
      'not carried out',
    ]);
    expect(outcome(alone)).toMatchObject({ decidedBy: null });
    expect(outcome(approved)).toMatchObject({ decidedBy: office.quinn.userId });
    expect(outcome(declined)).toMatchObject({ note: 'No prize' });
    expect(outcome(stale)).toMatchObject({ status: 'lapsed', decidedBy: null });
    expect((await eventStore.readStream(`adjustment-${waiting}`)).map(({ type }) => type)).toEqual([
      'AdjustmentRequested',
      'ApprovalGiven',
      'ApprovalCarriedOut',
    ]);
    expect(await eventStore.readStream(`approval-${waiting}`)).toEqual([]);
    const acts = async () => {
      const { items } = (await office.quinn.get(`/api/admin/audit?person=${office.ada.userId}`)).body;
      return items.map(({ did, credits }: { did: string; credits: number }) => `${did} ${credits}`);
    };
    await comesTo(async () => (await acts()).includes('lapsed 505'), true);
    expect(await acts()).toEqual(
      expect.arrayContaining(['alone 5', 'approved 501', 'declined 600', 'failed -700', 'approved 502']),
    );
    const projector = new Projector(database, eventStore);
    for (const projection of [approvals, staffActs])
      for (const { rows } of await projector.drift(projection)) expect(rows).toBe(0);
    // Texts about a person are forgotten with the account, also those in older events.
    expect((await office.ada.delete('/api/me')).status).toBe(204);
    const forgotten = (await office.adjustments('decided')).filter(
      ({ beneficiary }: { beneficiary: string }) => beneficiary === office.ada.userId,
    );
    expect(forgotten).toHaveLength(8);
    for (const each of forgotten) expect(each).toMatchObject({ reason: '', note: null });
    expect(await projector.drift(approvals)).toEqual([{ table: 'approval', rows: 0 }]);
  });
});
