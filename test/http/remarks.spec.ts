import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Remarks } from '../../application/shared/remarks.js';
import type { HttpClient } from '../support/http-client.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { grantRoles } from '../support/staff.js';
import { wavOf } from '../support/wav.js';

const SAID = 'Zora Quint sent it to us, zora@example.com';

let product: TestProduct;
let admin: HttpClient;
let second: HttpClient;
let creator: HttpClient;
let remarks: Remarks;
let packs: string[];

const rows = async <Row>(sql: string, values: unknown[] = []) =>
  (await product.resources.database.pool.query(sql, values)).rows as Row[];
const draft = async () => {
  const { id } = (await creator.post('/api/creator/packs', { name: 'Two', genre: 'Soul', mood: 'Chill' }))
    .body;
  const form = new FormData();
  form.append(
    'audio',
    new Blob([new Uint8Array(wavOf({ seconds: 1, hertz: 200 + packs.length * 20 }))]),
    'a.wav',
  );
  const { sample } = (await creator.post(`/api/creator/packs/${id}/samples`, undefined, { raw: form })).body;
  packs.push(id);
  return { id, sampleId: sample.id as string };
};
/** Returns the tables that contain the text. */
async function tablesSaying(text: string): Promise<string[]> {
  const tables = await rows<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const [row] = await rows<{ hits: number }>(
      `select count(*)::int as hits from "${name}" t where t::text ilike '%' || $1 || '%'`,
      [text],
    );
    if (row && row.hits > 0) found.push(name);
  }
  return found.sort();
}

beforeAll(async () => {
  product = await startTestProduct();
  remarks = product.app.get(Remarks, { strict: false });
  [admin, creator, second] = [await product.signedUp(), await product.signedUp(), await product.signedUp()];
  await grantRoles(product.resources.database, second.userId, 'admin');
  await grantRoles(product.resources.database, admin.userId, 'admin');
  await creator.post('/api/creator/application', {});
  packs = [];
});
afterAll(() => product?.stop());

describe('what is said about a decision', () => {
  it('[GONE-01, ADM-39] is beside the log, which proves it; its reader reads it where they always did', async () => {
    const [whole, other] = [await draft(), await draft()];
    await admin.post('/api/admin/takedowns', { packId: whole.id, reason: SAID });
    await admin.post('/api/admin/takedowns', { sampleId: other.sampleId, reason: SAID });
    await admin.post(`/api/admin/creators/${creator.userId}/suspend`, { reason: SAID });
    const gift = { userId: creator.userId, credits: 5, reason: SAID };
    const keyed = () => ({ headers: { 'idempotency-key': randomUUID() } });
    expect((await admin.post('/api/admin/adjustments', gift, keyed())).status).toBe(201);
    const role = `/api/admin/staff/${creator.userId}/roles/finance`;
    const asked = await admin.post(role, { reason: SAID }, keyed());
    const declined = `/api/admin/approvals/${asked.body.id}/decline`;
    expect((await second.post(declined, { reason: SAID }, keyed())).status).toBe(200);
    const large = await admin.post('/api/admin/adjustments', { ...gift, credits: 501 }, keyed());
    const refusal = `/api/admin/approvals/${large.body.id}/decline`;
    expect((await second.post(refusal, { reason: SAID }, keyed())).status).toBe(200);
    await grantRoles(product.resources.database, creator.userId, 'finance');
    const revoke = await admin.post(`${role}/revoke`, { reason: SAID }, keyed());
    const agreed = `/api/admin/approvals/${revoke.body.id}/approve`;
    expect((await second.post(agreed, {}, keyed())).body.status).toBe('carried out');
    const requests = (await admin.get('/api/admin/approvals?state=decided')).body.items;
    expect(requests).toMatchObject([
      { reason: SAID },
      { reason: SAID, note: SAID },
      { reason: SAID, note: SAID },
      { reason: SAID, work: { kind: 'adjustment', credits: 5 } },
    ]);
    const events = await rows<{ type: string; remarkId: string; sha256: string }>(
      `select type, data->>'remarkId' as "remarkId", data->>'remarkSha256' as sha256 from event
        where data->>'remarkId' is not null order by position`,
    );
    expect(events.map(({ type }) => type)).toEqual([
      'PackTakenDown',
      'SampleTakenDown',
      'CreatorSuspended',
      'ApprovalRequested',
      'ApprovalRequested',
      'ApprovalDeclined',
      'ApprovalRequested',
      'ApprovalDeclined',
      'ApprovalRequested',
      'StaffRoleRevoked',
    ]);
    expect(await rows(`select type from event where data::text like '%Zora%'`)).toEqual([]);
    for (const { remarkId, sha256 } of events) {
      expect((await remarks.read([remarkId])).get(remarkId)).toBe(SAID);
      const [kept] = await rows<{ salt: Buffer }>('select salt from remark where remark_id = $1', [remarkId]);
      const proof = createHash('sha256')
        .update(kept?.salt ?? '')
        .update(SAID)
        .digest('hex');
      expect(proof).toBe(sha256);
    }
    expect((await creator.get(`/api/creator/packs/${whole.id}`)).body).toMatchObject({
      status: 'taken_down',
      takedownReason: SAID,
    });
    expect((await creator.get(`/api/creator/packs/${other.id}`)).body.samples).toMatchObject([
      { status: 'taken_down', statusReason: SAID },
    ]);
    expect(await creator.post(`/api/creator/packs/${whole.id}/unpublish`, {})).toMatchObject({
      status: 409,
      body: { code: 'PackTakenDown', reason: SAID },
    });
    const refused = await creator.post('/api/creator/application', {});
    expect(refused).toMatchObject({ status: 403, body: { code: 'CreatorSuspended', reason: SAID } });
    expect(refused.body).not.toHaveProperty('remarkId');
    expect((await creator.get('/api/creator')).body).toMatchObject({ status: 'suspended', reason: SAID });
    const listed = (await admin.get('/api/admin/creator-applications?status=suspended')).body.items;
    expect(listed).toMatchObject([{ id: creator.userId, reason: SAID }]);
    const mailed = async () =>
      (
        await rows<{ text: string }>(
          `select text from mailbox where subject = 'Your creator access is suspended'`,
        )
      )[0]?.text;
    while ((await mailed()) === undefined) await pause(50);
    expect(await mailed()).toContain(SAID);
    const told = (await creator.get('/api/me/export')).body.remarks as { text: string }[];
    expect(told.map(({ text }) => text)).toEqual(Array(9).fill(SAID));
  });

  it('[GONE-01, ADM-39] goes with the person that it is about; a rebuild does not bring it back', async () => {
    expect(await tablesSaying('Zora Quint')).toEqual([
      'approval',
      'creator_standing',
      'mailbox',
      'pack',
      'remark',
    ]);
    expect((await creator.delete('/api/me')).status).toBe(204);
    // Mails to administrators belong to their recipients.
    const theirs = [admin.email, second.email];
    await rows('delete from mailbox where recipient = any($1)', [theirs]);
    expect(await tablesSaying('Zora Quint')).toEqual([]);
    expect(await tablesSaying('zora@example.com')).toEqual([]);
    const [left] = await rows<{ texts: number; salts: number }>(
      `select count(text)::int as texts, sum(length(salt))::int as salts from remark where about @> array[$1]`,
      [creator.userId],
    );
    expect(left).toEqual({ texts: 0, salts: 0 });
  });

  it('[GONE-02] is removed after a day where no event came to name it', async () => {
    const of = { stream: `pack-${packs[0]}`, about: ['somebody'] };
    const [old, young] = [await remarks.keep('Never recorded', of), await remarks.keep('Just now', of)];
    const aged = (id: string) =>
      rows(`update remark set said_at = now() - interval '2 days' where remark_id = $1`, [id]);
    const [named] = await rows<{ id: string }>(
      `select data->>'remarkId' as id from event where type = 'PackTakenDown'`,
    );
    await aged(old.remarkId);
    await aged(String(named?.id));
    expect(await remarks.sweep()).toBe(1);
    expect([...(await remarks.read([old.remarkId, young.remarkId])).values()]).toEqual(['Just now']);
    expect(await rows('select remark_id from remark where remark_id = $1', [named?.id])).toHaveLength(1);
  });
});
