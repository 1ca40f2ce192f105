/**
 * Sends 100,000 generated attacks to the routes of the API's description: broken text, huge text, wrong types.
 *
 *   npm run bench -- bench/fuzz.ts [requests] [seed]
 *
 * Prints the answers and every fault. Exits with 1 if there is a fault.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../bootstrap/config.js';
import { startProduct } from '../bootstrap/product.js';
import { codesOf, Fuzzer, runAttacks, type ApiDescription } from '../test/support/fuzz.js';
import { HttpClient } from '../test/support/http-client.js';
import { grantRoles } from '../test/support/staff.js';

const REQUESTS = Number(process.argv[2] ?? 100_000);
const SEED = process.argv[3] ?? String(Date.now());
const AT_ONCE = 8;

const folder = mkdtempSync(join(tmpdir(), 'offcut-fuzz-'));
const product = await startProduct(
  readConfig({
    NODE_ENV: 'test',
    PORT: '0',
    DATA_DIR: folder,
    DEMO_CONTENT: 'off',
    RATE_LIMIT_SCALE: '1000000',
  }),
);
let faults: string[] = [];
try {
  const client = await HttpClient.signUp(product.url);
  await grantRoles(product.resources.database, client.userId, 'admin', 'finance');
  await client.post('/api/creator/application', {});
  const pack = await client.post('/api/creator/packs', { name: 'Kicks', genre: 'Trap', mood: 'Dark' });
  const api = (await client.get('/api/openapi.json')).body as ApiDescription;
  const id = pack.body.id as string;
  // The target of staff routes is another user, because they suspend people and end sessions.
  const { userId } = await HttpClient.signUp(product.url);
  const fuzzer = new Fuzzer(api, SEED, { id, packId: id, userId, month: '2026-10' });
  const routes = fuzzer.routes();
  console.log(`${REQUESTS} requests on ${routes.length} routes, seed ${SEED}`);
  function* attacks() {
    for (let sent = 0; sent < REQUESTS; sent += 1) {
      const route = routes[sent % routes.length];
      if (route) yield fuzzer.attack(route);
    }
  }
  const startedAt = performance.now();
  const result = await runAttacks(client, attacks(), codesOf(api), AT_ONCE);
  faults = result.faults;
  const seconds = (performance.now() - startedAt) / 1_000;
  const counts = [...result.statuses]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${status}: ${count}`);
  console.log(`${result.sent} answers in ${seconds.toFixed(0)} s: ${counts.join(', ')}`);
  // A route that forbids nearly everything was hardly tested.
  for (const [refusal, count] of [...result.forbidden].toSorted(([, a], [, b]) => b - a).slice(0, 20))
    console.log(`  forbidden ${count} times: ${refusal}`);
  console.log(`ready: ${String((await client.get('/readyz')).body.ready)}, faults: ${faults.length}`);
  for (const fault of faults.slice(0, 50)) console.log(`  ${fault}`);
} finally {
  await product.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(faults.length === 0 ? 0 : 1);
