import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startChildProduct, type ChildProduct } from '../support/child-product.js';
import { expectLog } from '../support/log.js';
import { MailServer } from '../support/mail-server.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { startTestProduct, type TestProduct } from '../support/product.js';

expectLog(/warn \[Payments\] this process has a payment simulator of its own/);

const PASSWORD = 'a long pass phrase';

const server = new MailServer();
let store: TestDatabase;
let api: TestProduct;
let worker: ChildProduct;

beforeAll(async () => {
  store = await startTestDatabase();
  const shared = { DATABASE_URL: store.url, SMTP_URL: await server.start() };
  worker = await startChildProduct({ ...shared, ROLE: 'worker' });
  // Both have one storage.
  api = await startTestProduct({ ...shared, ROLE: 'api', DATA_DIR: worker.dataDir });
}, 120_000);

afterAll(async () => {
  await api?.stop();
  await worker?.remove();
  await server.stop();
  await store?.close();
});

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let n = 0; n < 1_200 && !(await holds()); n += 1)
    await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await holds()).toBe(true);
}

it('[OPS-150] a confirmation arrives once, with a link that works, though the worker is killed while it sends it', async () => {
  server.isSilent = true;
  const browser = api.browser();
  await browser.post('/api/auth/sign-up', { email: 'ada@example.com', password: PASSWORD });
  await until(() => server.unanswered === 1);
  // Nobody finds in the queue what signs people in.
  const { rows } = await store.database.pool.query('select data from jobs.job where name = $1', ['mail']);
  expect(rows.map(({ data }) => data)).toEqual([
    {
      orderId: expect.any(String),
      letter: 'confirmation',
      email: 'ada@example.com',
      userId: expect.any(String),
      about: {},
    },
  ]);
  await worker.kill();
  server.isSilent = false;
  await worker.restart();
  await until(() => server.mails.length > 0);
  const token = /verify=3D([\w-]+(?:=\n[\w-]+)*)/.exec(server.mails[0] ?? '')?.[1]?.replaceAll('=\n', '');
  expect((await browser.post('/api/auth/verify-email', { token })).status).toBe(204);
  await until(
    async () =>
      (await store.database.pool.query(`select from jobs.job where name = 'mail'`)).rows.length === 0,
  );
  expect(server.mails).toHaveLength(1);
}, 120_000);

it('[OPS-150] a copy of somebody’s data is made whole, though the worker is killed while it makes it', async () => {
  const browser = api.browser();
  await browser.post('/api/auth/sign-in', { email: 'ada@example.com', password: PASSWORD });
  const jobs = async () =>
    (await store.database.pool.query<{ state: string }>(`select state from jobs.job where name = 'export'`))
      .rows;
  // Its certificates are read last, and held up.
  const held = await store.database.pool.connect();
  await held.query('begin');
  await held.query('lock table certificate');
  expect((await browser.post('/api/me/exports')).status).toBe(202);
  await until(async () => (await jobs())[0]?.state === 'active');
  await worker.kill();
  await held.query('rollback');
  held.release();
  await worker.restart();
  await until(async () => (await browser.get('/api/me/exports')).body.items[0].state === 'ready');
  await until(async () => (await jobs()).length === 0);
  const { id } = (await browser.get('/api/me/exports')).body.items[0];
  const { download } = (await browser.get(`/api/me/exports/${id}/file`)).body;
  const copy = await (await fetch(new URL(download.url, api.url))).json();
  expect(copy).toMatchObject({ account: { email: 'ada@example.com' }, certificates: [] });
}, 120_000);
