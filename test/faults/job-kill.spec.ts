import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { OLD_SOUND, SOUND, soundJob } from '../../application/publishing/sounds/copy-check.js';
import { DESCRIPTION } from '../../application/publishing/sounds/describe-sounds.js';
import type { JobKind } from '../../application/shared/job-queue.js';
import { NIGHTLY, SWEEP } from '../../bootstrap/sweeps.js';
import { startChildProduct, type ChildProduct } from '../support/child-product.js';
import { HttpClient } from '../support/http-client.js';
import { expectLog } from '../support/log.js';
import { MailServer } from '../support/mail-server.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { draftPack, upload, wav } from '../support/publishing.js';
import { grantRoles } from '../support/staff.js';
import { until } from '../support/until.js';

expectLog(/warn \[Payments\] this process has a payment simulator of its own/);

const PASSWORD = 'a long pass phrase';

const server = new MailServer();
let store: TestDatabase;
let api: TestProduct;
let worker: ChildProduct;
/** A creator with the role finance. */
let ada: HttpClient;
let bea: HttpClient;
let cleo: HttpClient;
let sampleIds: string[];

const rowsOf = async (statement: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
  (await store.database.pool.query(statement, values)).rows;
/** Whether no job waits, runs or has failed, except the queue's own jobs. */
const isQuiet = async () => (await rowsOf(`select from jobs.job where name not like '\\_\\_%'`)).length === 0;
const linkIn = (mail: string | undefined): string | undefined =>
  /verify=3D([\w-]+(?:=\n[\w-]+)*)/.exec(mail ?? '')?.[1]?.replaceAll('=\n', '');
const mailsTo = ({ email }: HttpClient) => server.mails.filter((mail) => mail.includes(`To: ${email}`));

async function signedUp(email: string): Promise<HttpClient> {
  const client = api.browser();
  await client.post('/api/auth/sign-up', { email, password: PASSWORD });
  return Object.assign(client, { email });
}
async function confirmed(client: HttpClient): Promise<void> {
  await until(() => mailsTo(client).length > 0);
  const token = linkIn(mailsTo(client)[0]);
  expect((await client.post('/api/auth/verify-email', { token })).status).toBe(204);
  const { body } = await client.post('/api/auth/sign-in', { email: client.email, password: PASSWORD });
  client.userId = body.user.id;
}

beforeAll(async () => {
  store = await startTestDatabase();
  const shared = { DATABASE_URL: store.url, SMTP_URL: await server.start() };
  // Long timeouts, so that blocked statements are not cancelled.
  const patient = { DATABASE_STATEMENT_TIMEOUT_MS: '60000', DATABASE_LOCK_TIMEOUT_MS: '60000' };
  worker = await startChildProduct({ ...shared, ...patient, ROLE: 'worker' });
  // Both share one storage.
  api = await startTestProduct({ ...shared, ROLE: 'api', DATA_DIR: worker.dataDir });
  ada = await signedUp('ada@example.com');
  await confirmed(ada);
  await grantRoles(store.database, ada.userId, 'finance');
  await ada.post('/api/creator/application', {});
  const { id } = await draftPack(ada);
  const added = [];
  for (const name of ['New.wav', 'Old.wav'])
    added.push(await upload(ada, `/api/creator/packs/${id}/samples`, { bytes: wav(), name }));
  expect(added.map(({ status }) => status)).toEqual([201, 201]);
  sampleIds = added.map(({ body }) => body.sample.id);
  // Waits for the worker's start-up jobs and the jobs of new sounds.
  await until(isQuiet);
});

afterAll(async () => {
  await api?.stop();
  await worker?.remove();
  await server.stop();
  await store?.close();
});

const versionOf = (index: number) => ({ sampleId: sampleIds[index] as string, audioVersion: 1 });
const ordered = (kind: JobKind<{ name: string }>, name: string) =>
  api.resources.jobs.send(kind, [{ key: name, data: { name } }]);
const forgotten = (index: number) =>
  rowsOf('delete from sound_fingerprint where sample_id = $1', [sampleIds[index]]);
const comparisonsOf = (index: number) =>
  rowsOf('select compared_at is not null as compared from sound_fingerprint where sample_id = $1', [
    sampleIds[index],
  ]);
const JOURNAL = { format: 'hledger' };

interface Amid {
  /** The table that the job needs halfway and cannot lock. Absent: the mail server is silent. */
  waitsFor?: string;
  /** Runs before tables are locked. */
  prepare?: () => Promise<unknown>;
  order(): Promise<unknown>;
  /** Shows that the job was done, and done once. */
  result(): Promise<unknown>;
  once: unknown;
}
const KINDS: Record<string, Amid> = {
  mail: {
    order: async () => {
      server.isSilent = true;
      bea = await signedUp('bea@example.com');
      await until(() => server.unanswered === 1);
      // The queue contains no secret with which a person could sign in.
      expect(await rowsOf(`select data from jobs.job where name = 'mail'`)).toEqual([
        {
          data: {
            orderId: expect.any(String),
            letter: 'confirmation',
            email: bea.email,
            userId: expect.any(String),
            about: {},
          },
        },
      ]);
    },
    result: async () => mailsTo(bea).map((mail) => linkIn(mail) !== undefined),
    once: [true],
  },
  'event-mails': {
    waitsFor: 'receipt',
    prepare: async () => {
      cleo = await signedUp('cleo@example.com');
      await confirmed(cleo);
    },
    order: async () => expect((await cleo.post('/api/creator/application', {})).status).toBe(201),
    result: async () => mailsTo(cleo).filter((mail) => mail.includes('publish on Offcut')).length,
    once: 1,
  },
  export: {
    waitsFor: 'certificate',
    order: async () => expect((await ada.post('/api/me/exports')).status).toBe(202),
    result: async () => {
      const { items } = (await ada.get('/api/me/exports')).body;
      const { download } = (await ada.get(`/api/me/exports/${items[0].id}/file`)).body;
      const copy = (await (await fetch(new URL(download.url, api.url))).json()) as Record<string, object>;
      return [items.length, copy.account, copy.certificates];
    },
    once: [1, expect.objectContaining({ email: 'ada@example.com' }), []],
  },
  'books-export': {
    waitsFor: 'journal_line',
    order: async () => expect((await ada.post('/api/finance/exports', JOURNAL)).status).toBe(202),
    result: async () => (await ada.get('/api/finance/exports')).body.items,
    once: [expect.objectContaining({ state: 'ready' })],
  },
  sweep: {
    waitsFor: 'remark',
    prepare: () =>
      rowsOf(
        `insert into remark (remark_id, salt, text, stream, about, said_at)
         values ('forgotten', '', 'Nobody named it', 'staff-nobody', '{}', now() - interval '2 days')`,
      ),
    order: () => ordered(SWEEP, 'remarks'),
    result: () => rowsOf(`select from remark where remark_id = 'forgotten'`),
    once: [],
  },
  nightly: {
    waitsFor: 'margin_progress',
    // A sum without postings in the journal, which the job discards.
    prepare: () =>
      rowsOf(
        `insert into margin_month (month, plan, account, gain) values ('2020-01', 'starter', 'fees', 1)`,
      ),
    order: () => ordered(NIGHTLY, 'margins of months'),
    result: () => rowsOf('select from margin_month'),
    once: [],
  },
  sound: {
    waitsFor: 'sound_fingerprint',
    prepare: () => forgotten(0),
    order: () => api.resources.jobs.send(SOUND, [soundJob(versionOf(0))]),
    result: () => comparisonsOf(0),
    once: [{ compared: true }],
  },
  description: {
    waitsFor: 'sound_descriptor',
    prepare: () => rowsOf('delete from sound_descriptor where sample_id = $1', [sampleIds[1]]),
    order: () => api.resources.jobs.send(DESCRIPTION, [soundJob(versionOf(1))]),
    result: () =>
      rowsOf('select descriptors is not null as described from sound_descriptor where sample_id = $1', [
        sampleIds[1],
      ]),
    once: [{ described: true }],
  },
  'old-sound': {
    waitsFor: 'sound_fingerprint',
    prepare: () => forgotten(1),
    order: () => api.resources.jobs.send(OLD_SOUND, [soundJob(versionOf(1))]),
    result: () => comparisonsOf(1),
    once: [{ compared: true }],
  },
};
const all = Object.values(KINDS);
const TABLES = [...new Set(all.flatMap(({ waitsFor }) => waitsFor ?? []))];

it('[OPS-150] a job of each kind is done once, though the worker is killed amid all of them', async () => {
  // Encoding has a test of its own.
  const queues = await rowsOf(`select name from jobs.queue where name not like '\\_\\_%'`);
  expect(queues.map(({ name }) => name).sort()).toEqual([...Object.keys(KINDS), 'encode'].sort());

  for (const { prepare } of all) await prepare?.();
  const held = await store.database.pool.connect();
  await held.query(`begin; lock table ${TABLES.join(', ')}`);
  for (const { order } of all) await order();
  const waiting = () =>
    rowsOf('select distinct pid from pg_locks where not granted and relation = any($1::regclass[])', [
      TABLES,
    ]);
  await until(async () => {
    const active = await rowsOf(`select distinct name from jobs.job where state = 'active'`);
    // All except the mail, which waits for its server.
    return active.length === all.length && (await waiting()).length >= all.length - 1;
  });

  await worker.kill();
  // PostgreSQL would finish the statements of a killed client.
  await rowsOf('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [
    (await waiting()).map(({ pid }) => pid),
  ]);
  await held.query('rollback');
  held.release();
  server.isSilent = false;
  await worker.restart();
  await until(isQuiet);

  const results = await Promise.all(
    Object.entries(KINDS).map(async ([name, { result }]) => [name, await result()]),
  );
  expect(results).toEqual(Object.entries(KINDS).map(([name, { once }]) => [name, once]));
  await confirmed(bea);
});
