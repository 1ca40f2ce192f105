import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { approvals } from '../../adapters/administration/approvals.js';
import { Projector } from '../../adapters/platform/projections/projector.js';
import { CarryOutApprovals } from '../../application/administration/carry-out-approvals.js';
import { keyed, type HttpClient } from '../support/http-client.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { signedUpAs } from '../support/staff.js';
import { until } from '../support/money-back.js';

describe('what needs a second person', () => {
  let product: TestProduct;
  let pia: HttpClient;
  let quinn: HttpClient;
  let petra: HttpClient;
  let dev: HttpClient;

  const ask = (who: HttpClient, role = 'finance', userId = dev.userId, key?: string) =>
    who.post(`/api/admin/staff/${userId}/roles/${role}`, { reason: 'Closes the months' }, keyed(key));
  const decide = (who: HttpClient, id: string, decision: string, key?: string) =>
    who.post(
      `/api/admin/approvals/${id}/${decision}`,
      decision === 'decline' ? { reason: 'Not yet' } : {},
      keyed(key),
    );
  const rolesOf = async (who: HttpClient) => (await who.get('/api/auth/session')).body.user.roles;
  const listed = async (state: string) =>
    (await quinn.get(`/api/admin/approvals?state=${state}&limit=100`)).body.items;
  const find = async (state: string, id: string) =>
    (await listed(state)).find((each: { id: string }) => each.id === id);
  const events = async (id: string) =>
    (await product.resources.eventStore.readStream(`approval-${id}`)).map(({ type }) => type);

  beforeAll(async () => {
    product = await startTestProduct();
    [pia, quinn, petra] = [
      await signedUpAs(product, 'admin'),
      await signedUpAs(product, 'admin'),
      await signedUpAs(product, 'finance'),
    ];
  }, 60_000);
  afterAll(() => product?.stop());
  beforeEach(async () => {
    dev = await product.signedUp();
  });

  it('[ROLE-10, ADM-31] a role is asked for by one administrator, agreed to by another, and then held', async () => {
    const key = randomUUID();
    const asked = await ask(pia, 'finance', dev.userId, key);
    expect([asked.status, asked.body]).toEqual([202, { id: expect.any(String), status: 'waiting' }]);
    expect((await ask(pia, 'finance', dev.userId, key)).body).toEqual(asked.body);
    const { id } = asked.body;
    expect(await rolesOf(dev)).toEqual([]);
    expect(await find('waiting', id)).toMatchObject({
      work: { kind: 'grant-role', userId: dev.userId, role: 'finance' },
      reason: 'Closes the months',
      requestedBy: pia.userId,
      beneficiary: dev.userId,
      decidedBy: null,
    });
    const agreed = await Promise.all([1, 2, 3].map(() => decide(quinn, id, 'approve')));
    expect(agreed.map(({ status, body }) => [status, body.status])).toEqual(
      Array(3).fill([200, 'carried out']),
    );
    expect(await rolesOf(dev)).toEqual(['finance']);
    expect(await events(id)).toEqual(['ApprovalRequested', 'ApprovalGiven', 'ApprovalCarriedOut']);
    expect(await product.resources.eventStore.readStream(`staff-${dev.userId}`)).toHaveLength(1);
    expect(await find('decided', id)).toMatchObject({ status: 'carried out', decidedBy: quinn.userId });
    expect((await decide(quinn, id, 'decline')).body.code).toBe('AlreadyDecided');
  });

  it('[ADM-31] refused: for oneself, by who asked, by who has something of it, without the role', async () => {
    expect((await ask(pia, 'finance', pia.userId)).body.code).toBe('OwnInterest');
    expect((await ask(pia, 'finance', randomUUID())).status).toBe(404);
    expect((await ask(petra)).status).toBe(403);
    const { id } = (await ask(pia)).body;
    for (const decision of ['approve', 'decline']) {
      expect((await decide(pia, id, decision)).body.code).toBe('SecondPersonNeeded');
      expect((await decide(petra, id, decision)).status).toBe(403);
    }
    const forQuinn = (await ask(pia, 'finance', quinn.userId)).body.id;
    expect((await decide(quinn, forQuinn, 'approve')).body.code).toBe('OwnInterest');
    expect((await decide(quinn, randomUUID(), 'approve')).status).toBe(404);
    expect((await decide(quinn, id, 'withdraw')).body.code).toBe('NotAllowed');
    expect(await events(id)).toEqual(['ApprovalRequested']);
  });

  it('[ADM-31] refused: by an administrator whom the asker made one today', async () => {
    const friend = await product.signedUp();
    const made = (await ask(pia, 'admin', friend.userId)).body.id;
    await decide(quinn, made, 'approve');
    expect(await rolesOf(friend)).toEqual(['admin']);
    const { id } = (await ask(pia)).body;
    expect((await decide(friend, id, 'approve')).body.code).toBe('SecondPersonNeeded');
    expect((await decide(friend, (await ask(quinn)).body.id, 'approve')).body.status).toBe('carried out');
  });

  it('[ADM-31] declined with a reason, or withdrawn, it is not done', async () => {
    const declined = (await ask(pia)).body.id;
    const noReason = await quinn.post(`/api/admin/approvals/${declined}/decline`, {}, keyed());
    expect(noReason.status).toBe(400);
    expect((await decide(quinn, declined, 'decline')).body.status).toBe('declined');
    expect(await find('decided', declined)).toMatchObject({ status: 'declined', note: 'Not yet' });
    const withdrawn = (await ask(pia)).body.id;
    expect((await decide(pia, withdrawn, 'withdraw')).body.status).toBe('withdrawn');
    for (const id of [declined, withdrawn])
      expect((await decide(quinn, id, 'approve')).body.code).toBe('AlreadyDecided');
    expect(await rolesOf(dev)).toEqual([]);
  });

  const append = (id: string, at: string, ...more: object[]) =>
    product.resources.eventStore.append(
      [
        {
          stream: `approval-${id}`,
          expectedVersion: 0,
          events: [
            {
              type: 'ApprovalRequested',
              data: {
                approvalId: id,
                work: { kind: 'grant-role', userId: dev.userId, role: 'finance' },
                by: pia.userId,
                beneficiary: dev.userId,
                reason: 'Closes the months',
                at,
                lapsesAt: new Date(Date.parse(at) + 7 * 86_400_000).toISOString(),
              },
            },
            ...(more as { type: string; data: object }[]),
          ],
        },
      ],
      { actor: pia.userId, correlationId: id },
    );

  it('[ADM-31] is done by a worker where the server died after the consent, once', async () => {
    const id = randomUUID();
    const at = new Date().toISOString();
    await append(id, at, { type: 'ApprovalGiven', data: { approvalId: id, by: quinn.userId, at } });
    await until(async () => (await events(id)).length, 3);
    expect(await rolesOf(dev)).toEqual(['finance']);
    expect((await decide(quinn, id, 'approve')).body.status).toBe('carried out');
    expect(await product.resources.eventStore.readStream(`staff-${dev.userId}`)).toHaveLength(1);
  });

  it('[ADM-31] lapses after a week', async () => {
    const id = randomUUID();
    await append(id, new Date(Date.now() - 7 * 86_400_000).toISOString());
    expect((await decide(quinn, id, 'approve')).body).toMatchObject({
      code: 'AlreadyDecided',
      status: 409,
      state: 'lapsed',
    });
    await product.app.get(CarryOutApprovals, { strict: false }).lapse();
    expect(await find('decided', id)).toMatchObject({ status: 'lapsed', decidedBy: null });
    expect(await events(id)).toEqual(['ApprovalRequested', 'ApprovalLapsed']);
    const { database, eventStore } = product.resources;
    expect(await new Projector(database, eventStore).drift(approvals)).toEqual([
      { table: 'approval', rows: 0 },
    ]);
  });
});
