import { randomUUID, sign } from 'node:crypto';
import { CommandBus } from '@nestjs/cqrs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { changeStaff, type StaffRequest } from '../../cli/staff.command.js';
import type { Tools } from '../../cli/tools.js';
import { staffActs } from '../../adapters/administration/staff-acts.js';
import { approvals } from '../../adapters/approvals/approval-rows.js';
import { Projector } from '../../adapters/platform/projections/projector.js';
import { OPERATOR, RevokeStaffRole } from '../../application/accounts/staff/staff-roles.js';
import { RequestApproval, CarryOutApprovals } from '../../application/approvals/decide-on-request.js';
import { WRITE_OFF } from '../../application/payouts/write-off-debt.js';
import { ParkedEvents } from '../../adapters/platform/event-log/parked-events.js';
import { requestRestore } from '../../cli/restore.command.js';
import { skipParked } from '../../cli/projections.command.js';
import { Reconcile } from '../../application/ledger/reconcile.js';
import { ed25519Keys } from '../../application/shared/proof/ed25519.js';
import { keyed, type HttpClient } from '../support/http-client.js';
import { caughtUp, startTestProduct, type TestProduct } from '../support/product.js';
import { refundBy, subscribe, comesTo } from '../support/money-back.js';
import { grantRoles, signedUpAs } from '../support/staff.js';

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
  /** Returns the subjects of a user's mails. */
  const subjects = async (who: HttpClient): Promise<string[]> => {
    const mails = (await product.browser().get('/dev/mailbox?format=json')).body;
    return mails.flatMap((mail: { to: string; subject: string }) =>
      mail.to === who.email ? [mail.subject] : [],
    );
  };
  const events = async (id: string) =>
    (await product.resources.eventStore.readStream(`approval-${id}`)).map(({ type }) => type);

  const onCommandLine = async (request: StaffRequest): Promise<string> => {
    const printed: string[] = [];
    const tools = { ...product.resources, app: product.app } as unknown as Tools;
    await changeStaff(tools, request, (line) => printed.push(line));
    return printed.join('\n');
  };

  const revokeAsOperator = (userId: string) =>
    product.app.get(CommandBus, { strict: false }).execute(new RevokeStaffRole(userId, 'admin', OPERATOR));

  beforeAll(async () => {
    product = await startTestProduct();
    [pia, quinn, petra] = [
      await signedUpAs(product, 'admin'),
      await signedUpAs(product, 'admin'),
      await signedUpAs(product, 'finance'),
    ];
  });
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

  it('[ADM-31, ADM-38] refused: by an administrator whom the asker made one today', async () => {
    const friend = await product.signedUp();
    const made = (await ask(pia, 'admin', friend.userId)).body.id;
    await decide(quinn, made, 'approve');
    expect(await rolesOf(friend)).toEqual(['admin']);
    const { id } = (await ask(pia)).body;
    expect((await decide(friend, id, 'approve')).body.code).toBe('SecondPersonNeeded');
    expect((await decide(friend, (await ask(quinn)).body.id, 'approve')).body.status).toBe('carried out');
    const gift = { userId: dev.userId, credits: 501, reason: 'A prize' };
    const adjustment = (await pia.post('/api/admin/adjustments', gift, keyed())).body.id;
    expect((await decide(friend, adjustment, 'approve')).body.code).toBe('SecondPersonNeeded');
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

  /** Records that this administrator has refunded this much alone today. */
  const refundedAlone = (who: HttpClient, usd: number) =>
    product.resources.eventStore.append(
      [
        {
          stream: `refunder-${who.userId}`,
          expectedVersion: 0,
          events: [
            {
              type: 'RefundCounted',
              data: {
                refundId: randomUUID(),
                by: who.userId,
                amountMicroUsd: usd * 1_000_000,
                limitMicroUsd: 200_000_000,
                at: new Date().toISOString(),
              },
            },
          ],
        },
      ],
      { actor: who.userId, correlationId: 'test' },
    );
  const refundsOf = async (who: HttpClient) =>
    (await product.resources.eventStore.readStream(`credits-${who.userId}`)).flatMap(({ type, data }) =>
      type === 'InvoiceRefunded' ? [data] : [],
    );

  it('[ADM-32, ADM-34] a refund beyond 200 USD of a day waits, and gives back what is unspent then', async () => {
    const zoe = await signedUpAs(product, 'admin');
    const { ada, invoiceId } = await subscribe(product);
    await refundedAlone(zoe, 195);
    const key = randomUUID();
    const waits = await refundBy(zoe, invoiceId, key);
    expect([waits.status, waits.body]).toEqual([202, { id: expect.any(String), status: 'waiting' }]);
    expect((await refundBy(zoe, invoiceId, key)).body).toEqual(waits.body);
    expect(await refundsOf(ada)).toEqual([]);
    const { id } = waits.body;
    expect(await find('waiting', id)).toMatchObject({
      work: { kind: 'refund', of: { invoiceId }, amountMicroUsd: 9_990_000 },
      beneficiary: ada.userId,
    });
    expect((await decide(zoe, id, 'approve')).body.code).toBe('SecondPersonNeeded');
    const agreed = await Promise.all([1, 2, 3].map(() => decide(quinn, id, 'approve')));
    expect(agreed.map(({ body }) => body.status)).toEqual(Array(3).fill('carried out'));
    expect(await refundsOf(ada)).toMatchObject([
      { netMicroUsd: 9_990_000, requested: { by: zoe.userId, approvedBy: quinn.userId } },
    ]);
    expect((await refundBy(zoe, invoiceId)).body.code).toBe('NothingToRefund');
    // Who decides about Ada later sees the refund with its own reason.
    const gift = { userId: ada.userId, credits: 501, reason: 'Sorry' };
    const { body } = await zoe.post('/api/admin/adjustments', gift, keyed());
    const earlier = async () => (await quinn.get(`/api/admin/approvals/${body.id}`)).body.person.earlier;
    await comesTo(async () => (await earlier()).length, 1);
    expect(await earlier()).toMatchObject([{ kind: 'refund', microUsd: 9_990_000, reason: 'Asked for it' }]);
  });

  it('[ADM-42, ADM-43] what one person may do alone is changed by two, and holds from then on', async () => {
    const limits = async () => (await quinn.get('/api/admin/limits')).body;
    const first = {
      adjustmentCredits: 500,
      adjustmentMicroUsd: 50_000_000,
      refundsMicroUsd: 200_000_000,
      writeOffMicroUsd: 20_000_000,
    };
    expect(await limits()).toEqual({
      ...first,
      changedAt: null,
      changedByName: null,
      approvedByName: null,
      requestId: null,
    });
    const reason = 'More refunds than before';
    const asked = (who: HttpClient, body: object) =>
      who.post('/api/admin/limits', { ...first, reason, ...body }, keyed());
    for (const body of [
      { refundsMicroUsd: 2_000_010_000 },
      { writeOffMicroUsd: 15 },
      { adjustmentCredits: -1 },
    ])
      expect((await asked(pia, body)).body.code).toBe('InvalidRequest');
    expect((await asked(petra, {})).status).toBe(403);
    const lower = await asked(pia, { adjustmentCredits: 10, refundsMicroUsd: 5_000_000 });
    expect([lower.status, lower.body.status]).toEqual([202, 'waiting']);
    const { id } = lower.body;
    expect((await limits()).requestId).toBe(id);
    expect((await decide(pia, id, 'approve')).body.code).toBe('SecondPersonNeeded');
    expect((await petra.post(`/api/finance/approvals/${id}/approve`, {}, keyed())).body.code).toBe(
      'NotAllowed',
    );
    const agreed = await Promise.all([decide(quinn, id, 'approve'), decide(quinn, id, 'approve')]);
    expect(agreed.map(({ body }) => body.status)).toEqual(['carried out', 'carried out']);
    expect(await limits()).toMatchObject({
      adjustmentCredits: 10,
      refundsMicroUsd: 5_000_000,
      changedAt: expect.any(String),
      requestId: null,
    });
    const changes = await product.resources.eventStore.readStream('limits-alone');
    expect(changes.map(({ data }) => data)).toMatchObject([
      { by: pia.userId, approvedBy: quinn.userId, limits: { adjustmentCredits: 10 }, reason: '' },
    ]);
    const zoe = await signedUpAs(product, 'admin');
    const give = (credits: number) =>
      zoe.post('/api/admin/adjustments', { userId: dev.userId, credits, reason: 'Welcome' }, keyed());
    expect([(await give(10)).status, (await give(1)).status]).toEqual([201, 202]);
    const { invoiceId } = await subscribe(product);
    expect((await refundBy(zoe, invoiceId)).status).toBe(202);
    const acts = async () => (await quinn.get('/api/admin/audit?kind=limits')).body.items;
    await comesTo(async () => (await acts()).length, 2);
    expect((await acts())[1]).toMatchObject({
      did: 'asked',
      note: reason,
      subject: expect.stringContaining('10 credits'),
    });
    const back = await asked(quinn, {});
    expect((await decide(pia, back.body.id, 'approve')).body.status).toBe('carried out');
  });

  it('[ADM-32] simultaneous refunds do not pass the limit together, and nobody refunds themself', async () => {
    const zoe = await signedUpAs(product, 'admin');
    await refundedAlone(zoe, 189);
    const paid = [await subscribe(product), await subscribe(product)];
    const asked = await Promise.all(paid.map(({ invoiceId }) => refundBy(zoe, invoiceId)));
    expect(asked.map(({ status }) => status).sort()).toEqual([201, 202]);
    const own = await subscribe(product);
    await grantRoles(product.resources.database, own.ada.userId, 'admin');
    expect((await refundBy(own.ada, own.invoiceId)).body.code).toBe('OwnInterest');
  });

  it('[ADM-34] who decides sees names, worth, balance, what the asker gave today and the person before this', async () => {
    const zoe = await signedUpAs(product, 'admin');
    const adjust = (credits: number) =>
      zoe.post('/api/admin/adjustments', { userId: dev.userId, credits, reason: 'Contest' }, keyed());
    expect((await adjust(400)).status).toBe(201);
    const { id } = (await adjust(600)).body;
    expect(await find('waiting', id)).toMatchObject({ work: { kind: 'adjustment', credits: 600 } });
    expect((await quinn.get(`/api/admin/approvals/${id}`)).body).toMatchObject({
      reason: 'Contest',
      requestedBy: zoe.userId,
      shopMicroUsd: 600 * 239_600,
      balance: { before: 400, after: 1_000 },
      asker: { limitCredits: 500, limitMicroUsd: 50_000_000, given: [{ kind: 'adjustment', credits: 400 }] },
      person: { disputes: 0, earlier: [{ credits: 400, reason: 'Contest' }] },
    });
    expect((await decide(quinn, id, 'decline')).body.status).toBe('declined');
    expect(await find('decided', id)).toMatchObject({ status: 'declined', decidedBy: quinn.userId });
    expect((await quinn.get(`/api/admin/approvals/${randomUUID()}`)).status).toBe(404);
    const other = (await adjust(600)).body.id;
    expect((await decide(zoe, other, 'approve')).body.code).toBe('SecondPersonNeeded');
    expect((await decide(quinn, other, 'approve')).body.status).toBe('carried out');
    expect((await dev.get('/api/credits')).body.balance).toBe(1_000);
  });

  it('[ADM-36] mails other administrators what waits, and the asker why it was declined', async () => {
    const asked = (await ask(pia)).body.id;
    await decide(quinn, asked, 'decline');
    await comesTo(
      async () => (await subjects(quinn)).includes('Waits for a second person: Grant the role finance'),
      true,
    );
    await comesTo(async () => (await subjects(pia)).includes('Your request: Grant the role finance'), true);
    await pia.post(
      '/api/admin/adjustments',
      { userId: dev.userId, credits: 777, reason: 'Contest' },
      keyed(),
    );
    const mailed = async () => {
      const mails = (await product.browser().get('/dev/mailbox?format=json')).body as Record<
        string,
        string
      >[];
      const waits = 'Waits for a second person: Give 777 credits';
      return mails
        .find(({ to, subject }) => to === quinn.email && subject === waits)
        ?.text?.includes('Contest');
    };
    await comesTo(mailed, true);
    expect((await subjects(petra)).filter((subject) => /role|credits/.test(subject))).toEqual([]);
  });

  it("[ROLE-12, ROLE-520] who holds what is listed; a role is taken with a reason by two, never the last administrator's", async () => {
    const { id } = (await ask(pia, 'finance')).body;
    await decide(quinn, id, 'approve');
    const roles = async () => (await pia.get('/api/admin/staff')).body.items;
    expect(await roles()).toContainEqual(
      expect.objectContaining({ userId: dev.userId, role: 'finance', grantedBy: pia.userId }),
    );
    const revoke = (who: HttpClient, userId: string, role: string) =>
      who.post(`/api/admin/staff/${userId}/roles/${role}/revoke`, { reason: 'Left the team' }, keyed());
    expect((await revoke(petra, dev.userId, 'finance')).status).toBe(403);
    const asked = await revoke(quinn, dev.userId, 'finance');
    expect(asked).toMatchObject({ status: 202, body: { status: 'waiting' } });
    expect(await rolesOf(dev)).toEqual(['finance']);
    expect((await decide(quinn, asked.body.id, 'approve')).body.code).toBe('SecondPersonNeeded');
    expect((await decide(pia, asked.body.id, 'approve')).body.status).toBe('carried out');
    expect(await rolesOf(dev)).toEqual([]);
    const { rows: facts } = await product.resources.database.pool.query(
      `select data from event where type = 'StaffRoleRevoked' order by position desc limit 1`,
    );
    expect(facts[0].data).toMatchObject({ by: quinn.userId, approvedBy: pia.userId });
    expect((await revoke(quinn, dev.userId, 'finance')).body).toMatchObject({ revoked: false });
    await comesTo(async () => (await subjects(dev)).includes('The role finance was taken'), true);
    const others = (await roles()).filter(
      (member: { role: string; userId: string }) => member.role === 'admin' && member.userId !== quinn.userId,
    );
    const toRevoke = await revoke(quinn, pia.userId, 'admin');
    // The holder of the role cannot approve its removal; finance can.
    expect((await decide(pia, toRevoke.body.id, 'approve')).body.code).toBe('OwnInterest');
    const agreed = `/api/finance/approvals/${toRevoke.body.id}/approve`;
    expect((await petra.post(agreed, {}, keyed())).body.status).toBe('carried out');
    for (const { userId } of others) await revokeAsOperator(userId);
    expect((await revoke(quinn, quinn.userId, 'admin')).body.code).toBe('LastAdministrator');
    for (const { userId } of others) await grantRoles(product.resources.database, userId, 'admin');
  });

  it('[ADM-40] finance sees and decides the kinds that are its own, with the same facts and rules', async () => {
    const debt = async () => {
      const approvalId = randomUUID();
      const work = { kind: 'write-off', creatorId: dev.userId, amountMicroUsd: 21_000_000 } as const;
      const requested = { approvalId, work, by: WRITE_OFF, beneficiary: dev.userId, reason: 'Owed for long' };
      await product.app.get(CommandBus, { strict: false }).execute(new RequestApproval(requested));
      return approvalId;
    };
    const [first, second, role] = [await debt(), await debt(), (await ask(pia)).body.id];
    const listed = (await petra.get('/api/finance/approvals')).body.items;
    expect(listed.map(({ id }: { id: string }) => id).sort()).toEqual([first, second].sort());
    expect(await petra.get(`/api/finance/approvals/${first}`)).toMatchObject({
      status: 200,
      body: { reason: 'Owed for long', requestedByName: 'Offcut', beneficiary: dev.userId },
    });
    expect((await petra.get(`/api/finance/approvals/${role}`)).status).toBe(404);
    const inFinance = (who: HttpClient, id: string, decision: string) =>
      who.post(
        `/api/finance/approvals/${id}/${decision}`,
        decision === 'decline' ? { reason: 'Will be paid' } : {},
        keyed(),
      );
    expect((await inFinance(pia, first, 'approve')).status).toBe(403);
    for (const decision of ['approve', 'decline'])
      expect((await inFinance(petra, role, decision)).body.code).toBe('NotAllowed');
    expect((await inFinance(petra, first, 'decline')).body.status).toBe('declined');
    expect((await inFinance(petra, second, 'approve')).body.status).toBe('carried out');
    const decided = (await petra.get('/api/finance/approvals?state=decided')).body.items;
    expect(decided).toContainEqual(
      expect.objectContaining({ id: first, note: 'Will be paid', decidedBy: petra.userId }),
    );
    const asked = 'Waits for a second person: Write off 21.00 USD';
    for (const who of [petra, quinn]) await comesTo(async () => (await subjects(who)).includes(asked), true);
  });

  it('[ROLE-13] of administrators who give their roles up at once, or leave meanwhile, one is left', async () => {
    const { database } = product.resources;
    const admins = async (): Promise<string[]> => {
      const { rows } = await database.pool.query(`select user_id from staff_role where role = 'admin'`);
      return rows.map(({ user_id }) => user_id);
    };
    const giveUp = (who: HttpClient) =>
      who.post(`/api/admin/staff/${who.userId}/roles/admin/revoke`, { reason: 'Left the team' }, keyed());
    const zoe = await signedUpAs(product, 'admin');
    const others = (await admins()).filter((id) => ![pia.userId, zoe.userId].includes(id));
    for (const id of others) await revokeAsOperator(id);
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all([giveUp(pia), giveUp(zoe)]);
      expect(await admins()).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      for (const { userId } of [pia, zoe]) await grantRoles(database, userId, 'admin');
    }
    await Promise.all([zoe.delete('/api/me'), giveUp(pia)]);
    expect(await admins()).toHaveLength(1);
    await grantRoles(database, pia.userId, 'admin');
    if ((await admins()).includes(zoe.userId)) await revokeAsOperator(zoe.userId);
    await expect(
      onCommandLine({ action: 'revoke', email: String(pia.email), role: 'admin', reason: 'Left' }),
    ).rejects.toThrow('only administrator');
    expect(await pia.delete('/api/me')).toMatchObject({ status: 409, body: { code: 'LastAdministrator' } });
    for (const id of others) await grantRoles(database, id, 'admin');
  });

  it('[ROLE-14] breaking the glass grants a role at once, as a fact with a reason; finance is told', async () => {
    const grant = { action: 'grant', email: String(dev.email), role: 'finance', reason: '' } as const;
    expect(await onCommandLine({ ...grant, breakGlass: 'Everybody is ill' })).toContain(
      'without an approval',
    );
    expect(await onCommandLine({ ...grant, breakGlass: 'Everybody is ill' })).toContain('already');
    expect(await rolesOf(dev)).toEqual(['finance']);
    expect(await product.resources.eventStore.readStream(`staff-${dev.userId}`)).toMatchObject([
      { type: 'GlassBroken', data: { by: 'system:operator', role: 'finance', reason: '' } },
      { type: 'StaffRoleGranted', data: { by: 'system:operator' } },
    ]);
    const alerts = (await petra.get('/api/finance/alerts')).body.items;
    expect(alerts.filter(({ item }: { item: string }) => item === dev.userId)).toMatchObject([
      { kind: 'break-glass' },
    ]);
    const acts = async () =>
      (await quinn.get(`/api/admin/audit?kind=break-glass&person=${dev.userId}`)).body.items;
    await comesTo(async () => (await acts())[0]?.note, 'Everybody is ill');
    expect(await acts()).toMatchObject([{ did: 'alone', subject: 'finance', byName: 'Offcut' }]);
  });

  it('[ADM-35] everything that staff did is listed by person, kind and day, and as a table', async () => {
    const zoe = await signedUpAs(product, 'admin');
    const acts = async (query: string) => (await quinn.get(`/api/admin/audit?${query}`)).body.items;
    const told = (items: { kind: string; did: string }[]) => items.map(({ kind, did }) => `${kind} ${did}`);
    const adjust = (credits: number) =>
      zoe.post('/api/admin/adjustments', { userId: dev.userId, credits, reason: '=Contest' }, keyed());
    await adjust(10);
    const { id } = (await adjust(600)).body;
    await decide(quinn, id, 'approve');
    const role = (await ask(zoe)).body.id;
    await decide(quinn, role, 'approve');
    const wanted = [
      'grant-role approved',
      'grant-role asked',
      'adjustment approved',
      'adjustment asked',
      'adjustment alone',
    ];
    await comesTo(async () => told(await acts(`person=${dev.userId}`)), wanted);
    const [, , agreed] = await acts(`person=${dev.userId}`);
    expect(agreed).toMatchObject({
      by: quinn.userId,
      credits: 600,
      askedByName: expect.any(String),
      waitedMs: expect.any(Number),
      waits: false,
    });
    expect(told(await acts(`person=${zoe.userId}&kind=adjustment`))).toEqual([
      'adjustment asked',
      'adjustment alone',
    ]);
    expect(told(await acts(`person=${zoe.userId}&did=asked`))).toEqual([
      'grant-role asked',
      'adjustment asked',
    ]);
    const today = new Date().toISOString().slice(0, 10);
    expect(await acts(`person=${dev.userId}&from=${today}&to=${today}`)).toHaveLength(5);
    expect(await acts(`person=${dev.userId}&to=2020-01-01`)).toEqual([]);
    const first = (await quinn.get(`/api/admin/audit?person=${dev.userId}&limit=2`)).body;
    const rest = await acts(`person=${dev.userId}&cursor=${first.nextCursor}`);
    expect(told([...first.items, ...rest])).toEqual(wanted);
    const csv = await quinn.get(`/api/admin/audit.csv?person=${dev.userId}`);
    expect(csv.headers.get('content-type')).toContain('text/csv');
    expect(csv.body.trim().split('\r\n')).toHaveLength(6);
    expect(csv.body).toContain("'=Contest");
    expect((await petra.get('/api/admin/audit')).status).toBe(403);
    // Notes about a person disappear with the account.
    expect((await dev.delete('/api/me')).status).toBe(204);
    await caughtUp(product);
    const left = await acts(`person=${dev.userId}`);
    expect(
      left.map(({ note, beneficiaryName }: { note: string; beneficiaryName: string }) => [
        note,
        beneficiaryName,
      ]),
    ).toEqual(Array(6).fill([null, 'Former member']));
    expect(await find('decided', role)).toMatchObject({ reason: '', beneficiaryName: 'Former member' });
    const { database, eventStore } = product.resources;
    expect(await new Projector(database, eventStore).drift(staffActs)).toEqual([
      { table: 'staff_act', rows: 0 },
    ]);
  });

  it('[OPS-109] an administrator has a subscription skip an event, and the log says why', async () => {
    const { database, eventStore } = product.resources;
    const tools = { ...product.resources, app: product.app } as Tools;
    const { position } = await eventStore.head();
    await new ParkedEvents(database).park(
      'purge-media',
      { position, stream: 's', version: 1, type: 'Noted' },
      'nobody can handle this',
    );
    const said: string[] = [];
    const skip = (by: HttpClient, at = position) =>
      skipParked(
        tools,
        { name: 'purge-media', position: at, reason: 'A cache that is gone', by: by.email },
        (line) => said.push(line),
      );
    await expect(skip(petra)).rejects.toThrow('is not an administrator');
    await expect(skip(pia, position + 1)).rejects.toThrow('has not set aside');
    await skip(pia);
    expect(said).toEqual([`purge-media skips Noted at position ${position} (s, version 1) and goes on.`]);
    expect(await eventStore.readStream('log-subscription-purge-media')).toMatchObject([
      {
        type: 'ParkedEventSkipped',
        data: { subscription: 'purge-media', position, reason: 'A cache that is gone', by: pia.userId },
        metadata: { actor: pia.userId },
      },
    ]);
    await expect(skip(pia)).rejects.toThrow('has not set aside');
  });

  it('[FIN-561, FIN-562] two people record a restored backup, which excuses the heads of the lost events', async () => {
    const { eventStore, signingKeys, storage } = product.resources;
    const { position } = await eventStore.head();
    // Pretends that the log had 900 more events, which the backup lacks.
    const signedAt = new Date();
    const hour = signedAt.toISOString().slice(0, 13);
    const members = [hour, position + 900, 'ab'.repeat(32), null, signedAt.toISOString()];
    const { secret } = (await signingKeys.of('log-heads')).signingAt(signedAt);
    const signature = sign(null, Buffer.from(JSON.stringify(members)), ed25519Keys(secret).privateKey);
    const [, ahead, hash, previous, at] = members;
    const head = {
      hour,
      position: ahead,
      hash,
      previous,
      signedAt: at,
      signature: signature.toString('base64url'),
    };
    await storage.put(`log-heads/${hour}.json`, Buffer.from(JSON.stringify(head)), {
      contentType: 'application/json',
    });
    const rule17 = async () => {
      const found = await product.app.get(Reconcile, { strict: false }).run();
      return {
        holds: found.invariants.find(({ number }) => number === 17)?.holds,
        restores: found.heads.restores,
      };
    };
    expect(await rule17()).toEqual({ holds: false, restores: [] });
    const tools = { ...product.resources, app: product.app } as Tools;
    const said: string[] = [];
    const request = (by: HttpClient, end = position) =>
      requestRestore(tools, { position: end, reason: 'The disk of the primary died', by: by.email }, (line) =>
        said.push(line),
      );
    await expect(request(dev)).rejects.toThrow('has no role');
    await expect(request(petra, position + 900)).rejects.toThrow('nothing to record');
    await request(petra);
    expect(said[0]).toBe(`1 signed heads after event ${position} contradict the log: ${hour}`);
    await expect(request(pia)).rejects.toThrow('already waits');
    const work = { kind: 'record-restore', position, heads: [hour] };
    const { id } = (await listed('waiting')).find((each: { work: object }) => 'heads' in each.work);
    expect(await find('waiting', id)).toMatchObject({ work, reason: 'The disk of the primary died' });
    const alone = await petra.post(`/api/finance/approvals/${id}/approve`, {}, keyed());
    expect(alone.body.code).toBe('SecondPersonNeeded');
    expect(await rule17()).toEqual({ holds: false, restores: [] });
    expect((await decide(quinn, id, 'approve')).body.status).toBe('carried out');
    expect(await rule17()).toEqual({
      holds: true,
      restores: [{ at: expect.any(String), position, heads: [hour] }],
    });
    expect(await eventStore.readStream('log-restores')).toMatchObject([
      {
        type: 'LogRestored',
        data: { approvalId: id, position, heads: [hour], by: petra.userId, approvedBy: quinn.userId },
      },
    ]);
    const acts = async () => (await quinn.get('/api/admin/audit?kind=record-restore')).body.items;
    await comesTo(async () => (await acts()).length, 2);
    expect(await acts()).toMatchObject([
      { did: 'approved', subject: String(position) },
      { did: 'asked', subject: String(position) },
    ]);
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
    await comesTo(async () => (await events(id)).length, 3);
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
