/**
 * Starts one PostgreSQL for the whole run; each test file creates a database of its own in it. It is the
 * embedded one, the one in TEST_POSTGRES_BIN, or with TEST_POSTGRES=docker the one of the compose file. If
 * TEST_DATABASE_URL is set, that running server is used instead.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/**
 * More connections than any test file opens. A `Database` takes at most 34; a product takes four more for
 * jobs and notifications. No file has more than four of them at a time, child processes included.
 */
const CONNECTIONS_OF_A_WORKER = 160;
/** A migrated database that test files copy. A copy takes a tenth of the time of the migrations. */
const TEMPLATE = 'offcut_template';

export default async function startSharedPostgres({ maxWorkers }) {
  if (process.env.TEST_DATABASE_URL) return;
  // No data outlives the run, so waiting for the disk would only cost time.
  const settings = ['fsync=off', `max_connections=${maxWorkers * CONNECTIONS_OF_A_WORKER}`];
  if (process.env.TEST_POSTGRES === 'docker') return startContainer(settings);
  const folder = mkdtempSync(join(tmpdir(), 'offcut-tests-'));
  const template = `template=${TEMPLATE}`;
  const args = ['--import', here('typescript.mjs'), here('hold-postgres.ts'), folder, template, ...settings];
  // The channel closes when this process ends in any way; then the server ends too.
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const said = await new Promise((resolve) => {
    child.stdout.setEncoding('utf8').once('data', resolve);
    child.once('exit', (code) => resolve(`ended with ${code}`));
  });
  const [url] = said.trim().split(' ');
  if (!url?.startsWith('postgres://')) throw new Error(`No PostgreSQL for the tests: ${said.trim()}`);
  process.env.TEST_DATABASE_URL = url;
  process.env.TEST_DATABASE_TEMPLATE = TEMPLATE;
  globalThis.sharedPostgres = child;
}

async function startContainer(settings) {
  const { GenericContainer, Wait } = await import('testcontainers');
  const [, image] = /image: (postgres:\S+)/.exec(readFileSync('docker-compose.yml', 'utf8'));
  const container = await new GenericContainer(image)
    .withEnvironment({
      POSTGRES_USER: 'offcut',
      POSTGRES_PASSWORD: 'offcut',
      POSTGRES_INITDB_ARGS: '--encoding=UTF8 --locale=C',
    })
    .withCommand(['postgres', ...settings.flatMap((setting) => ['-c', setting])])
    .withExposedPorts(5432)
    // The first message comes after it created the cluster, the second when it serves.
    .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/, 2))
    .start();
  const address = `${container.getHost()}:${container.getMappedPort(5432)}`;
  process.env.TEST_DATABASE_URL = `postgres://offcut:offcut@${address}/offcut`;
  globalThis.postgresContainer = container;
}
