import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { freePort } from '../../adapters/platform/database/embedded/launch.js';
import { AlertQueries } from '../../application/ledger/queries.js';
import { refuseWrongStripe } from '../../bootstrap/check-stripe.js';
import { checkStripeAccount } from '../../cli/stripe-check.command.js';
import { setUpStripe } from '../../cli/stripe-setup.command.js';
import { STRIPE_LIMITS } from '../../adapters/vendors/stripe/stripe-client.js';
import type { StripeSimulator } from '../../simulators/stripe/server.js';
import { expectLog } from '../support/log.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { onboard, press, sdkFor, startSilentServer, startStripeSimulator } from '../support/stripe.js';

let simulator: StripeSimulator;
let product: TestProduct;

beforeAll(async () => {
  simulator = await startStripeSimulator({ webhookSecret: 'whsec_of_nobody' });
  const port = String(await freePort());
  const publicUrl = `http://localhost:${port}`;
  const key = { secretKey: 'sk_test_own', apiBase: simulator.url };
  const said: string[] = [];
  await setUpStripe(
    { stripe: { ...key, webhookSecret: 'none yet' }, stripeLimits: STRIPE_LIMITS, publicUrl },
    { dryRun: false, rotateSecrets: false, removeReplaced: false },
    (line) => said.push(line),
  );
  product = await startTestProduct({
    PORT: port,
    STRIPE_API_BASE: simulator.url,
    STRIPE_SECRET_KEY: key.secretKey,
    STRIPE_WEBHOOK_SECRET: said.at(-1)?.replace('STRIPE_WEBHOOK_SECRET=', '') as string,
  });
});
afterAll(async () => {
  await product?.stop();
  await simulator?.close();
});

it('[OPS-162] what setup made and printed is enough: credits and connected accounts come by webhook', async () => {
  const listener = await product.signedUp();
  const plan = { plan: 'starter', userId: listener.userId };
  const { body } = await listener.post('/api/stripe/create-checkout-session', plan);
  await press(body.url, { outcome: 'paid' });
  expect((await listener.get('/api/credits')).body.balance).toBe(50);
  await listener.post('/api/creator/application', {});
  const { url } = (await listener.post('/api/stripe/connect/create-account', {})).body;
  await onboard(url, 'completed');
  const { pool } = product.resources.database;
  const { rows } = await pool.query('select payouts_enabled from connect_account where creator_id = $1', [
    listener.userId,
  ]);
  expect(rows).toEqual([{ payouts_enabled: true }]);
});

const check = (config: object = {}) =>
  refuseWrongStripe(product.app, {
    ...product.resources,
    config: { ...product.resources.config, ...config },
  });
const alerts = async () =>
  (await product.app.get(AlertQueries, { strict: false }).list()).items.map(({ key }) => key);

it('[OPS-165] at its start production is told of what is amiss, until it is mended', async () => {
  expectLog(/warn \[Payments\] account: it cannot take payments yet/);
  const hook = (chargesEnabled: string) =>
    fetch(`${simulator.url}/_test/platform`, {
      method: 'POST',
      body: new URLSearchParams({ chargesEnabled }),
    });
  await hook('false');
  await check();
  await check();
  expect(await alerts()).toEqual(['payment-settings-account']);
  await hook('true');
  await check();
  expect(await alerts()).toEqual([]);
});

it('[OPS-164] the command prints a line for each thing, and exits by whether all is well', async () => {
  const said: string[] = [];
  const well = () =>
    checkStripeAccount({ ...product.resources, app: product.app }, { json: false }, (line) =>
      said.push(line),
    );
  expect(await well()).toBe(true);
  expect(said.length).toBeGreaterThan(10);
  expect(said.filter((line) => !line.startsWith('ok '))).toEqual([]);
  await sdkFor(simulator).webhookEndpoints.del(
    (await sdkFor(simulator).webhookEndpoints.list()).data[0]?.id ?? '',
  );
  expect(await well()).toBe(false);
  expect(said.filter((line) => line.startsWith('FAILED'))).toEqual([
    expect.stringContaining('there is none; run `offcut stripe setup` to correct it'),
  ]);
});

it('[BOOK-805] the command says which permission a key lacks that may not request or download reports', async () => {
  const refuse = (path: string) =>
    fetch(`${simulator.url}/_test/refuse`, {
      method: 'POST',
      body: new URLSearchParams({ times: '1', status: '403', code: 'more_permissions_required', path }),
    });
  const said = async () => {
    const lines: string[] = [];
    const place = { ...product.resources, app: product.app };
    await checkStripeAccount(place, { json: false }, (line) => lines.push(line));
    return lines.filter((line) => / reports: /.test(line));
  };
  const runs = async () => (await sdkFor(simulator).reporting.reportRuns.list()).data.length;
  expect(await said()).toEqual([expect.stringMatching(/^ok .*may request and download balance reports/)]);
  for (const path of ['/v1/reporting/report_types', '/v1/reporting/report_runs', '/v1/files']) {
    await refuse(path);
    expect([path, await said()]).toEqual([
      path,
      [expect.stringMatching(/^FAILED.*permissions "Reporting: write" and "Files: read"/)],
    ]);
  }
  expect(await runs()).toBe(0);
});

it('[OPS-165] it does not start with a key of test mode, and does while Stripe is away', async () => {
  await expect(check({ production: true })).rejects.toThrow(/STRIPE_SECRET_KEY cannot be used.*test mode/);
  expectLog(/warn \[Payments\] Stripe does not answer/);
  const silent = await startSilentServer();
  const stripe = { secretKey: 'sk_live_own', webhookSecret: 'whsec_own', apiBase: silent.url };
  const stripeLimits = { ...STRIPE_LIMITS, timeoutMs: 100, retries: 0 };
  await check({ production: true, stripe, stripeLimits });
  await silent.close();
});
