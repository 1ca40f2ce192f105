import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Projector } from '../../adapters/platform/projections/projector.js';
import { staffRoles } from '../../adapters/accounts/postgres-staff.js';
import { printStaff, resetFactors } from '../../cli/staff.command.js';
import type { Tools } from '../../cli/tools.js';
import { CommandLine } from '../support/command-line.js';
import type { HttpClient } from '../support/http-client.js';
import { caughtUp } from '../support/product.js';
import { grantRoles } from '../support/staff.js';

let cli: CommandLine;
let pia: HttpClient;

beforeAll(async () => {
  cli = await CommandLine.open();
  pia = await cli.product.signedUp('pia@example.com');
});

afterAll(async () => {
  await cli?.close();
});

const rolesOf = async (who: HttpClient) => (await who.get('/api/auth/session')).body.user.roles;

describe('[ROLE-06] offcut staff', () => {
  it('done: makes the first administrator, as a fact of the operator that acts on the next request', async () => {
    expect((await cli.run('staff', 'list')).stdout).toContain('No staff yet');
    expect((await pia.get('/api/admin/creator-applications')).status).toBe(403);
    const granted = await cli.run('staff', 'grant', 'PIA@example.com', 'admin');
    expect([granted.code, granted.stderr]).toEqual([0, '']);
    expect(await rolesOf(pia)).toEqual(['admin']);
    expect((await pia.get('/api/admin/creator-applications')).status).toBe(200);
    const [fact] = await cli.product.resources.eventStore.readStream(`staff-${pia.userId}`);
    expect(fact).toMatchObject({
      type: 'StaffRoleGranted',
      data: { userId: pia.userId, role: 'admin', by: 'system:operator' },
      metadata: { actor: 'system:operator' },
    });
    expect((await cli.run('staff', 'list')).stdout).toContain('pia@example.com');
  });

  it('repeated: records nothing', async () => {
    expect((await cli.run('staff', 'grant', 'pia@example.com', 'admin')).code).toBe(0);
    expect((await cli.run('staff', 'revoke', 'pia@example.com', 'finance')).code).toBe(0);
    expect(await cli.product.resources.eventStore.readStream(`staff-${pia.userId}`)).toHaveLength(1);
  });

  it('[ROLE-11] once there is an administrator, a further role waits until one agrees, asked for once', async () => {
    const { eventStore } = cli.product.resources;
    const quinn = await cli.product.signedUp('quinn@example.com');
    const grant = () => cli.run('staff', 'grant', 'quinn@example.com', 'admin', '--reason', 'Night shift');
    const asked = (await grant()).stdout;
    expect(asked).toContain('once an administrator agrees');
    expect(asked).toContain('staff grant quinn@example.com admin --break-glass');
    expect((await grant()).code).toBe(0);
    expect(await rolesOf(quinn)).toEqual([]);
    const { items } = (await pia.get('/api/admin/approvals')).body;
    expect(items).toMatchObject([
      { reason: 'Night shift', requestedBy: 'system:operator', requestedByName: 'Offcut' },
    ]);
    const headers = { 'idempotency-key': randomUUID() };
    const agreed = await pia.post(`/api/admin/approvals/${items[0].id}/approve`, {}, { headers });
    expect(agreed.body.status).toBe('carried out');
    expect(await rolesOf(quinn)).toEqual(['admin']);
    expect(await eventStore.readStream(`staff-${quinn.userId}`)).toMatchObject([
      { data: { by: 'system:operator', approvedBy: pia.userId } },
    ]);
  });

  it('[ADM-35] prints who did what, as lines and as a table', async () => {
    await caughtUp(cli.product);
    const lines = (await cli.run('staff', 'audit')).stdout.trim().split('\n');
    expect(lines.map((line) => /(asked|approved|alone)/.exec(line)?.[0])).toEqual([
      'approved',
      'asked',
      'alone',
    ]);
    expect(lines[1]).toContain('"Night shift"');
    const csv = (await cli.run('staff', 'audit', '--did', 'alone', '--format', 'csv')).stdout.trim();
    expect(csv.split('\n')).toHaveLength(2);
    expect((await cli.run('staff', 'audit', '--from', 'yesterday')).code).toBe(2);
  });

  it('[SIGN-14] removes what somebody has lost, signs them out, and says who has no second factor', async () => {
    const { app, database, config, eventStore } = { ...cli.product, ...cli.product.resources };
    const tools = { app, config } as unknown as Tools;
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line);
    const roy = await cli.product.signedUp('roy@example.com');
    await grantRoles(database, roy.userId, 'finance');
    await database.pool.query(
      `insert into authenticator_app (user_id, confirmed, sealed_secret, created_at) values ($1, true, '', now())`,
      [roy.userId],
    );
    await printStaff(tools, { json: false }, print);
    const lineOf = (email: string) => lines.findLast((line) => line.includes(email));
    expect(lineOf('roy@')).not.toContain('no second factor');
    expect(lineOf('pia@')).toContain('no second factor');
    await resetFactors(tools, { email: 'roy@example.com', reason: 'Lost the phone' }, print);
    await printStaff(tools, { json: false }, print);
    expect(lineOf('finance  roy@')).toContain('no second factor');
    expect((await roy.get('/api/auth/session')).body.user).toBeNull();
    expect(await eventStore.readStream(`security-${roy.userId}`)).toMatchObject([
      { type: 'FactorsReset', data: { userId: roy.userId, by: 'system:operator' } },
    ]);
    await expect(resetFactors(tools, { email: 'nobody@example.com', reason: 'x' }, print)).rejects.toThrow(
      'no account has the address',
    );
  });

  it('takes a role back, of several only the one named', async () => {
    await grantRoles(cli.product.resources.database, pia.userId, 'finance');
    expect(await rolesOf(pia)).toEqual(['admin', 'finance']);
    expect((await cli.run('staff', 'revoke', 'pia@example.com', 'admin')).code).toBe(0);
    expect(await rolesOf(pia)).toEqual(['finance']);
    const { database, eventStore } = cli.product.resources;
    expect(await new Projector(database, eventStore).drift(staffRoles)).toEqual([
      { table: 'staff_role', rows: 0 },
    ]);
  });

  it('refused: an address that was not confirmed, where mails go out', async () => {
    const { database } = cli.product.resources;
    const confirm = (at: string) =>
      database.pool.query(
        `update user_account set email_verified_at = ${at} where email = 'pia@example.com'`,
      );
    const grant = () =>
      cli.runWith({ SMTP_URL: 'smtp://127.0.0.1:1' }, 'staff', 'grant', 'pia@example.com', 'admin');
    await confirm('null');
    expect(await grant()).toMatchObject({ code: 1, stderr: expect.stringContaining('not confirmed') });
    expect(await rolesOf(pia)).toEqual(['finance']);
    await confirm('now()');
    expect((await grant()).stdout).toContain('once an administrator agrees');
    expect(await rolesOf(pia)).toEqual(['finance']);
  });

  it.each([
    ['nobody', ['staff', 'grant', 'nobody@example.com', 'admin'], 1],
    ['an unknown role', ['staff', 'grant', 'pia@example.com', 'owner'], 2],
    ['no address', ['staff', 'grant', 'pia', 'admin'], 2],
    ['nothing', ['staff'], 2],
  ])('refused: %s', async (_, args, code) => {
    expect((await cli.run(...args)).code).toBe(code);
  });
});
