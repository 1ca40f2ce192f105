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
  api = await startTestProduct({ ...shared, ROLE: 'api' });
  worker = await startChildProduct({ ...shared, ROLE: 'worker' });
}, 120_000);

afterAll(async () => {
  await worker?.remove();
  await api?.stop();
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
