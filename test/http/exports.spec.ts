import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { ExportContents } from '../../application/exports/export-contents.js';
import { PreparedExports } from '../../application/exports/prepared-exports.js';
import type { HttpClient } from '../support/http-client.js';
import { expectLog } from '../support/log.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { signedUpAs } from '../support/staff.js';
import { until, valueOnce } from '../support/until.js';

interface Listed {
  id: string;
  filename: string;
  state: string;
  sizeBytes: number | null;
  expiresAt: string | null;
}

let product: TestProduct;
let exports: PreparedExports;
let ada: HttpClient;
let petra: HttpClient;

beforeAll(async () => {
  product = await startTestProduct();
  exports = product.app.get(PreparedExports, { strict: false });
  ada = await product.signedUp('ada@example.com');
  petra = await signedUpAs(product, 'finance');
  await product.resources.creditExecutor.grantPromotion(
    { userId: ada.userId, grantId: randomUUID(), credits: 3, grantedAt: new Date() },
    { correlationId: 'test' },
  );
});
afterEach(() => void jest.restoreAllMocks());
afterAll(() => product?.stop());

const listed = async (who: HttpClient, of: 'me' | 'finance'): Promise<Listed[]> =>
  (await who.get(`/api/${of}/exports`)).body.items;

/** Waits until a user's newest file is in that state, and returns it. */
const newestOnce = async (state: string, who: HttpClient, of: 'me' | 'finance' = 'me'): Promise<Listed> =>
  (await valueOnce(
    async () => (await listed(who, of))[0],
    (newest) => newest?.state === state,
  )) as Listed;

async function order(who: HttpClient, of: 'me' | 'finance' = 'me', body?: object): Promise<Listed> {
  const answer = await who.post(`/api/${of}/exports`, body);
  expect(answer.status).toBe(202);
  return answer.body;
}

async function fetched(who: HttpClient, path: string): Promise<Response> {
  const { status, body } = await who.get(path);
  expect(status).toBe(200);
  return fetch(new URL(body.download.url, product.url));
}

const kept = async (prefix = 'exports/'): Promise<string[]> =>
  (await product.resources.storage.list({ prefix })).objects.map(({ key }) => key);

/** Holds exports: files are begun, but do not end before `release`. */
function held() {
  let begun = 0;
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  jest.spyOn(ExportContents.prototype, 'write').mockImplementation(async function* () {
    begun += 1;
    yield '{';
    await isReleased;
    yield '}';
  });
  return { release, begun: () => begun };
}

const sql = (text: string, values: unknown[] = []) => product.resources.database.pool.query(text, values);

it('[OPS-261] a copy of somebody’s data is made by a worker and told by mail; its owner alone fetches it', async () => {
  const ordered = await order(ada);
  expect(ordered).toMatchObject({ filename: 'offcut-export.json', expiresAt: null });
  const { id, sizeBytes, expiresAt } = await newestOnce('ready', ada);
  expect(id).toBe(ordered.id);
  expect(Date.parse(expiresAt ?? '') - Date.now()).toBeGreaterThan(6.9 * 86_400_000);
  const file = await fetched(ada, `/api/me/exports/${id}/file`);
  expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="offcut-export\.json"/);
  const bytes = Buffer.from(await file.arrayBuffer());
  expect(bytes).toHaveLength(sizeBytes as number);
  const copy = JSON.parse(bytes.toString()) as Record<string, unknown>;
  const { exportedAt: _, mails: __, notices, ...now } = (await ada.get('/api/me/export')).body;
  expect(copy).toMatchObject(now);
  expect(Object.keys(copy)).toContain('exportedAt');
  expect(notices).toEqual([expect.objectContaining({ subject: 'Your export offcut-export.json is ready' })]);
  expect(copy.credits).toEqual([expect.objectContaining({ delta: 3 })]);
  const mails = async () =>
    (
      (await product.browser().get('/dev/mailbox?format=json')).body as { to: string; subject: string }[]
    ).filter(({ to, subject }) => to === ada.email && subject === 'The copy of your data is ready');
  await until(async () => (await mails()).length > 0);
  expect(await mails()).toHaveLength(1);
  // Petra cannot access it, although she has the role finance.
  for (const whose of ['me', 'finance']) {
    expect((await petra.get(`/api/${whose}/exports/${id}/file`)).status).toBe(404);
    expect((await petra.delete(`/api/${whose}/exports/${id}`)).status).toBe(404);
  }
  expect(await listed(petra, 'me')).toEqual([]);
  expect((await product.browser().get(`/api/me/exports/${id}/file`)).status).toBe(401);
});

it('[OPS-261] so is the journal, as it is answered at once, for finance', async () => {
  const inTime = 'from=2026-01-01&to=2099-12-31';
  const whole = (await petra.get('/api/finance/export?format=csv')).body as string;
  expect(whole.split('\n').length).toBeGreaterThan(2);
  await order(petra, 'finance', { format: 'csv' });
  const { id, filename } = await newestOnce('ready', petra, 'finance');
  expect(filename).toBe('journal.csv');
  const file = await fetched(petra, `/api/finance/exports/${id}/file`);
  expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(await file.text()).toBe(whole);
  const span = await order(petra, 'finance', { format: 'json', from: '2026-01-01', to: '2099-12-31' });
  expect(span.filename).toMatch(/^journal-2026-01-01-/);
  await newestOnce('ready', petra, 'finance');
  const answered = (await petra.get(`/api/finance/export?format=json&${inTime}`)).body;
  expect(await (await fetched(petra, `/api/finance/exports/${span.id}/file`)).json()).toEqual(answered);
  const none = await order(petra, 'finance', { format: 'csv', to: '2020-01-01' });
  await newestOnce('ready', petra, 'finance');
  const header = await (await fetched(petra, `/api/finance/exports/${none.id}/file`)).text();
  expect(header.trim().split('\n')).toHaveLength(1);
  const colleague = await signedUpAs(product, 'finance');
  expect(await listed(colleague, 'finance')).toEqual([]);
  expect((await colleague.get(`/api/finance/exports/${id}/file`)).status).toBe(404);
  expect((await colleague.delete(`/api/finance/exports/${id}`)).status).toBe(404);
  expect((await ada.post('/api/finance/exports', { format: 'csv' })).status).toBe(403);
  expect((await petra.post('/api/finance/exports', { format: 'xls' })).status).toBe(400);
});

it('[OPS-262] what is being made is not made twice; it can be removed, and the worker ends', async () => {
  const { begun, release } = held();
  const first = await order(ada);
  expect((await order(ada)).id).toBe(first.id);
  // Another user's file is made at the same time.
  const other = await order(petra);
  expect(other.id).not.toBe(first.id);
  while (begun() < 2) await pause(10);
  expect((await ada.get(`/api/me/exports/${first.id}/file`)).status).toBe(404);
  expect((await ada.delete(`/api/me/exports/${first.id}`)).status).toBe(204);
  expect((await ada.delete(`/api/me/exports/${first.id}`)).status).toBe(404);
  expect((await listed(ada, 'me')).map(({ id }) => id)).not.toContain(first.id);
  release();
  await newestOnce('ready', petra);
  const running = async () => (await sql(`select 1 from jobs.job where name = 'export'`)).rows;
  await until(async () => (await running()).length === 0);
  expect((await kept()).filter((key) => key.includes(first.id))).toEqual([]);
  await order(ada);
  await newestOnce('ready', ada);
});

it('[OPS-262] one that cannot be made says so after the last attempt', async () => {
  expectLog(/^warn \[Jobs\] the export \S+ failed \(attempt 1\): no room$/);
  jest.spyOn(ExportContents.prototype, 'write').mockImplementation(() => {
    throw new Error('no room');
  });
  const { id } = await order(ada);
  const attempts = async () =>
    (await sql(`select retry_count from jobs.job where singleton_key = $1`, [id])).rows;
  const failedOnce = async () =>
    (await sql(`select 1 from jobs.job where singleton_key = $1 and state = 'retry'`, [id])).rows.length > 0;
  await until(failedOnce);
  expect(await attempts()).toHaveLength(1);
  expect((await listed(ada, 'me'))[0]).toMatchObject({ id, state: 'preparing' });
  const last = { data: { exportId: id }, isLast: true, signal: new AbortController().signal };
  await expect(exports.make(last)).rejects.toThrow('no room');
  expect((await listed(ada, 'me'))[0]).toMatchObject({ id, state: 'failed', sizeBytes: null });
  // Another attempt may still succeed.
  jest.restoreAllMocks();
  await exports.make(last);
  expect((await listed(ada, 'me'))[0]).toMatchObject({ id, state: 'ready' });
  expect((await ada.delete(`/api/me/exports/${id}`)).status).toBe(204);
});

it('[OPS-268] one whose job an administrator cancels says that it was not made, leaves nothing, and is not made after all', async () => {
  let begun = false;
  jest.spyOn(ExportContents.prototype, 'write').mockImplementation(async function* () {
    for (begun = true; ; await pause(10)) yield ' ';
  });
  const admin = await signedUpAs(product, 'admin');
  const { id } = await order(ada);
  while (!begun) await pause(10);
  const { running } = (await admin.get('/api/admin/jobs')).body as {
    running: { id: string; name: string }[];
  };
  const job = running.find(({ name }) => name === id);
  expect((await admin.post(`/api/admin/jobs/${job?.id}/cancel`)).status).toBe(204);
  // The worker checks between small pieces, so it stops at the next piece after it has learned of the
  // cancellation.
  const { expiresAt } = await newestOnce('failed', ada);
  expect(expiresAt).not.toBeNull();
  // The sweep would give a new job to an export that lost its job in another way.
  await exports.sweep();
  expect((await sql(`select 1 from jobs.job where singleton_key = $1`, [id])).rows).toEqual([]);
  expect((await kept()).filter((key) => key.endsWith(id))).toEqual([]);
  expect((await listed(ada, 'me'))[0]).toMatchObject({ id, state: 'failed', sizeBytes: null });
  expect((await ada.delete(`/api/me/exports/${id}`)).status).toBe(204);
});

it('[OPS-263] files are removed after their time, and so are those that belong to nobody', async () => {
  const { id } = await order(ada);
  await newestOnce('ready', ada);
  const before = await kept();
  expect(before.filter((key) => key.endsWith(id))).toHaveLength(1);
  await sql(`update prepared_export set expires_at = now() where export_id = $1`, [id]);
  expect((await ada.get(`/api/me/exports/${id}/file`)).status).toBe(404);
  expect((await listed(ada, 'me')).map((each) => each.id)).not.toContain(id);
  const orphan = `exports/${ada.userId}/${randomUUID()}`;
  await product.resources.storage.put(orphan, Buffer.from('{}'), { contentType: 'application/json' });
  await exports.sweep();
  expect(await kept()).toEqual(before.filter((key) => !key.endsWith(id)));
  expect((await sql('select 1 from prepared_export where export_id = $1', [id])).rows).toEqual([]);
});

it('[OPS-263] what lost its job gets another, for a day', async () => {
  const { begun, release } = held();
  const { id } = await order(ada);
  while (begun() < 1) await pause(10);
  await sql(`delete from jobs.job where singleton_key = $1`, [id]);
  await sql(`update prepared_export set ordered_at = now() - interval '23 hours' where export_id = $1`, [id]);
  await exports.sweep();
  expect((await sql(`select 1 from jobs.job where singleton_key = $1`, [id])).rows).toHaveLength(1);
  await sql(`update prepared_export set ordered_at = now() - interval '25 hours' where export_id = $1`, [id]);
  await exports.sweep();
  const state = async () =>
    (await sql('select state from prepared_export where export_id = $1', [id])).rows[0];
  expect(await state()).toEqual({ state: 'failed' });
  release();
  expect((await ada.delete(`/api/me/exports/${id}`)).status).toBe(204);
});

it('[OPS-263] erasing somebody takes their files along', async () => {
  const gone = await product.signedUp('gone@example.com');
  await order(gone);
  await newestOnce('ready', gone);
  const folder = `exports/${gone.userId}/`;
  expect(await kept(folder)).toHaveLength(1);
  const others = (await kept()).filter((key) => !key.startsWith(folder));
  expect((await gone.delete('/api/me')).status).toBe(204);
  expect(await kept()).toEqual(others);
  expect((await sql('select 1 from prepared_export where user_id = $1', [gone.userId])).rows).toEqual([]);
});
