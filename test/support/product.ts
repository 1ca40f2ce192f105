import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PagesModule } from '../../application/pages/contract.js';
import { setTimeout as pause } from 'node:timers/promises';
import { IndexSubscription } from '../../adapters/catalogue/search/index-subscription.js';
import type { Database } from '../../adapters/platform/database/database.js';
import { EVENT_MAILS, MAIL } from '../../application/mail/outbox.js';
import { readConfig } from '../../bootstrap/config.js';
import { startProduct, type Product } from '../../bootstrap/product.js';
import { Reactors } from '../../bootstrap/work.module.js';
import { SignedHeads } from '../../application/operations/signed-heads.js';
import { HttpClient } from './http-client.js';
import { releaseBooks, watchFiles } from './invariants.js';
import { startTestDatabase } from './postgres.js';
import { LIMIT_MS } from './until.js';

export interface TestProduct extends Product {
  dataDir: string;
  browser(): HttpClient;
  signedUp(email?: string): Promise<HttpClient>;
}

/**
 * Starts the whole product in this process, with a database and folder of its own and without demo content.
 * @param options.web also serves the built client, or the given folder as if it were one
 * @param options.replica reads the catalogue over connections named `replica`, which refuse writes as a
 * standby does
 * @param options.isNeverReady does not wait for the search index, which some tests prevent
 */
export async function startTestProduct(
  env: Record<string, string> = {},
  options: { web?: boolean | string; replica?: boolean; isNeverReady?: boolean } = {},
): Promise<TestProduct> {
  const test = await startTestDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'offcut-product-'));
  const config = readConfig({
    NODE_ENV: 'test',
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: test.url,
    AUTO_APPROVE_CREATORS: 'on',
    RATE_LIMIT_SCALE: '1000',
    // Only the tests of origins state them.
    REQUIRE_ORIGIN: 'off',
    // Without sweeps, which would run every five minutes in the middle of a test. A test of a sweep calls it.
    WORK_KINDS: 'mail,export',
    // No worker compares sounds here.
    COPY_CHECK_WAIT_MS: '0',
    // Longer than in production, because tests run on busy machines. The real limits have tests of their own.
    DATABASE_CONNECT_TIMEOUT_MS: '20000',
    DATABASE_STATEMENT_TIMEOUT_MS: '20000',
    DATABASE_LOCK_TIMEOUT_MS: '20000',
    PURCHASE_TIMEOUT_MS: '40000',
    // Another process learns of a change only a moment later, so sessions are not cached.
    SESSION_MEMORY_MS: '0',
    ...(options.replica && { DATABASE_REPLICA_URL: readOnly(test.url) }),
    ...env,
  });
  const product = await startProduct(
    config,
    options.web ? { webFolder: options.web === true ? builtClient() : options.web } : {},
  );
  if (config.searchIndex && !options.isNeverReady)
    await product.app.get(IndexSubscription, { strict: false }).built();
  const heads = product.app.get(SignedHeads, { strict: false });
  HttpClient.mailsSent.set(product.url, () => jobsDone(test.database, [MAIL, EVENT_MAILS]));
  watchFiles(test.database, { storage: product.resources.storage, heads });
  return {
    ...product,
    dataDir,
    browser: () => new HttpClient(product.url),
    signedUp: (email) => HttpClient.signUp(product.url, email),
    stop: async () => {
      // The check needs the running product.
      await releaseBooks(test.database).finally(async () => {
        await product.stop();
        await test.close();
        rmSync(dataDir, { recursive: true, force: true });
      });
    },
  };
}

/** Waits until no job of these kinds is open, at most a minute. The outcome of a job can be visible before it ends. */
export async function jobsDone({ pool }: Database, kinds: readonly { name: string }[]): Promise<void> {
  const names = kinds.map(({ name }) => name);
  for (const end = performance.now() + LIMIT_MS; performance.now() < end; await pause(20)) {
    const { rowCount } = await pool.query(
      `select from jobs.job where name = any($1) and state in ('created', 'active', 'retry') limit 1`,
      [names],
    );
    if (rowCount === 0) return;
  }
  throw new Error(`After ${LIMIT_MS} ms a job is still open: ${names.join(' or ')}`);
}

/** Waits until every projection and every reactor has handled the whole log. */
export async function caughtUp({ app, resources: { eventStore, logSubscriptions } }: TestProduct) {
  const { position } = await eventStore.head();
  const reactors = app.get(Reactors, { strict: false }).all.map(({ name }) => name);
  const handled =
    (await logSubscriptions.caughtUp(position, LIMIT_MS)) &&
    (await logSubscriptions.caughtUp(position, LIMIT_MS, reactors));
  if (!handled) throw new Error(`Not every projection and reactor handled the log up to ${position}`);
}

function readOnly(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set('application_name', 'replica');
  url.searchParams.set('options', '-c default_transaction_read_only=on');
  return url.href;
}

/**
 * Creates a client with the built pages but without server rendering, so that a browser starts with an empty
 * page.
 * @param folder where to create it
 */
export function undrawnClient(folder: string, screens: Record<string, string[]> = {}): string {
  const web = join(folder, 'web');
  mkdirSync(join(web, 'assets'), { recursive: true });
  mkdirSync(`${web}-server`);
  cpSync('web/index.html', join(web, 'index.html'));
  cpSync(`${builtClient()}-server/pages-for-server.mjs`, `${web}-server/pages-for-server.mjs`);
  writeFileSync(join(web, 'screens.json'), JSON.stringify(screens));
  return web;
}

/** Imports the page declarations of the built client. */
export const builtPages = (): Promise<PagesModule> =>
  import(pathToFileURL(`${builtClient()}-server/pages-for-server.mjs`).href) as Promise<PagesModule>;

/** Returns the folder of the built client, or of the build in OFFCUT_TEST_WEB_BUILD. */
function builtClient(): string {
  const folder = process.env.OFFCUT_TEST_WEB_BUILD ?? join(process.cwd(), 'dist/web');
  if (!existsSync(join(folder, 'index.html')))
    throw new Error('The web client is not built: npm run build:web');
  return folder;
}
