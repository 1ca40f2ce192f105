import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CURRENT_CONSENT } from '../../application/subscriptions/values.js';
import { createDatabase } from '../../adapters/platform/database/embedded/embedded.js';
import type { Mail } from '../../application/mail/mailer.js';
import { SentMails } from '../../application/mail/sent-mails.js';
import { SignedHeads } from '../../application/operations/signed-heads.js';
import { readConfig } from '../../bootstrap/config.js';
import { startProduct } from '../../bootstrap/product.js';
import { CommandLine, tone } from '../support/command-line.js';
import { HttpClient, keyed } from '../support/http-client.js';
import { balance, subscribe, comesTo } from '../support/money-back.js';
import { openShop, PASSWORD } from '../support/shop.js';
import { grantRoles } from '../support/staff.js';
import { press } from '../support/stripe.js';

/** The commands of the runbook, in order, as lists of arguments. */
const [, section = ''] = readFileSync('docs/backup.md', 'utf8').split(/^## Recover after a loss$/m);
const STEPS = [...(section.split(/^## /m)[0] ?? '').matchAll(/^ *offcut (.+)$/gm)].map(([, line = '']) =>
  [...line.matchAll(/"([^"]+)"|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain),
);

async function signedIn(url: string, email: string): Promise<HttpClient> {
  const client = new HttpClient(url);
  await client.post('/api/auth/sign-in', { email, password: PASSWORD });
  return client;
}

let cli: CommandLine;
beforeAll(async () => {
  cli = await CommandLine.open();
});
afterAll(() => cli?.close());

it('[BACK-712, BACK-713, BACK-720, BACK-721, BACK-724, BACK-726, BACK-727] the runbook leads from a backup and everything newer to books that agree', async () => {
  const { product } = cli;
  const [path = ''] = await openShop(product, [
    { name: 'Half light', genre: 'Soul', mood: 'Chill', sounds: [{ name: 'Rain' }] },
  ]);
  await subscribe(product);
  const [bob, petra, quinn] = [await product.signedUp(), await product.signedUp(), await product.signedUp()];
  const rita = await product.signedUp();
  const { database } = product.resources;
  await grantRoles(database, petra.userId, 'finance');
  await grantRoles(database, quinn.userId, 'admin');
  await grantRoles(database, rita.userId, 'finance');
  await rita.post('/api/creator/application', {});
  const { handle: ritas } = (await rita.get('/api/creator')).body;
  await HttpClient.mailsSent.get(product.url)?.();
  const file = join(cli.scratch, 'shop.backup');
  const { position } = JSON.parse((await cli.run('backup', file, '--json')).stdout) as { position: number };
  const backedUpAt = new Date().toISOString();

  // All of this is lost: a payment, a purchase, an account, a pack.
  await press((await bob.post('/api/stripe/create-checkout-session', { plan: 'starter' })).body.url, {
    outcome: 'paid',
  });
  await comesTo(() => balance(bob), 50);
  const [, , slug, handle] = path.split('/');
  const [{ id: sampleId }] = (await bob.get(`/api/packs/${handle}/${slug}`)).body.samples;
  await bob.post('/api/me/contracts/consent', { version: CURRENT_CONSENT });
  const bought = await bob.post('/api/downloads', { sampleId, expectedCredits: 1 }, keyed());
  const certificate = (await bob.get(`/api/certificates/${bought.body.certificateId}`)).body;
  const folder = join(cli.scratch, 'Second light');
  mkdirSync(folder);
  tone(join(folder, 'late.wav'), 330);
  expect(await cli.run('import', folder, '--creator', cli.handle)).toMatchObject({ code: 0 });
  await product.app.get(SignedHeads, { strict: false }).signHour();
  await HttpClient.mailsSent.get(product.url)?.();
  await product.app.get(SentMails, { strict: false }).flush();
  const certificates = join(cli.scratch, 'certificates');
  mkdirSync(certificates);
  writeFileSync(join(certificates, 'bob.json'), JSON.stringify(certificate));
  writeFileSync(join(certificates, 'forged.json'), JSON.stringify({ ...certificate, id: sampleId }));
  writeFileSync(join(certificates, 'letter.json'), '"Where are my sounds?"');

  const lost = new URL(product.resources.config.databaseUrl as string);
  const name = `${lost.pathname.slice(1)}_restored`;
  await createDatabase(lost.href, name);
  lost.pathname = `/${name}`;
  const env = {
    NODE_ENV: 'test',
    PORT: '0',
    DATABASE_URL: lost.href,
    DATA_DIR: join(cli.scratch, 'restored'),
    STRIPE_SECRET_KEY: 'sk_test_simulator',
    STRIPE_WEBHOOK_SECRET: 'whsec_unused',
    STRIPE_API_BASE: product.resources.stripeSimulator?.url ?? '',
  };
  const meant: Record<string, string> = {
    'shop.backup': file,
    '2026-11-27T03:00:00Z': backedUpAt,
    certificates,
    '2026-11-26': new Date(Date.parse(backedUpAt) - 86_400_000).toISOString().slice(0, 10),
    '4711': String(position),
    'you@example.com': petra.email,
  };
  const run = async (args: string[]) => {
    const { code, stdout, stderr } = await cli.runWith(env, ...args.map((arg) => meant[arg] ?? arg));
    return { code, said: stdout + stderr };
  };
  const step = async (command: string) => {
    const args = STEPS.shift() ?? [];
    expect(args.join(' ')).toMatch(new RegExp(`^${command}\\b`));
    return { ...(await run(args)), args };
  };

  expect(await step('restore shop.backup')).toMatchObject({ code: 0 });
  // The bucket was not lost.
  cpSync(join(product.dataDir, 'objects'), join(env.DATA_DIR, 'objects'), { recursive: true });

  const missing = await step('restore missing');
  expect(missing.code).toBe(1);
  expect(missing.said).toContain(`Log: ends with event ${position} of `);
  expect(missing.said).toMatch(/Signed heads: 1 contradict the log; at least \d+ events are missing/);
  expect(missing.said).toMatch(/Payments: 1 at Stripe without an event; `offcut stripe backfill --since/);
  expect(missing.said).toContain(`  9.99 USD  ${bob.email}\n`);
  expect(missing.said).toMatch(/Movements: [12] of/);
  expect(missing.said).toMatch(/ bytes {2}Users\/.*\/Second-light\/samples\//i);
  expect(missing.said).toContain('Certificates: 1 of 3 are signed by this shop and missing in the log');
  expect(missing.said).toContain(`  missing  bob.json  ${certificate.id}: Rain (${sampleId}) for `);
  expect(missing.said).toMatch(/ {2}invalid {2}forged\.json {2}The signature does not match/);
  expect(missing.said).toMatch(/ {2}invalid {2}letter\.json /);
  const mails = [...missing.said.matchAll(/^ {2}\S+Z {2}(\w+) {2}event (\d+) {2}(\S+)$/gm)].map(
    ([, about, event, to]) => ({ about, isLost: Number(event) > position, to }),
  );
  expect(mails).toEqual([{ about: 'CreditsGranted', isLost: true, to: bob.email }]);
  expect(missing.said).toContain('Mails: 1 sent since then about events that are gone');

  expect((await step('stripe backfill')).said).toContain('invoices: 1 new');
  // No mail waited in this backup.
  expect(missing.said).toContain('Waiting mails: 0 of the backup');
  await step('jobs discard');
  const asked = await step('restore record');
  expect(asked).toMatchObject({ code: 0, said: expect.stringContaining('1 signed heads after event') });
  const node = await startProduct(readConfig({ ...env, WORK_KINDS: 'mail' }));
  try {
    const second = await signedIn(node.url, quinn.email);
    const [{ id }] = (await second.get('/api/admin/approvals?state=waiting')).body.items;
    const approved = await second.post(`/api/admin/approvals/${id}/approve`, {}, keyed());
    expect(approved.body.status).toBe('carried out');
    const finance = await signedIn(node.url, petra.email);
    const page = await finance.get(`/api/finance/missing-facts?since=${backedUpAt}`);
    expect(page.body).toMatchObject({
      heads: [],
      restores: [{ position }],
      payments: [],
      mails: [{ about: 'CreditsGranted', email: bob.email }],
    });
    const stateOf = async (body: object) =>
      (await finance.post('/api/finance/missing-facts/certificates', body)).body.state;
    expect(await stateOf(certificate)).toBe('missing');
    // Two people record the lost purchase again.
    const ask = (body: object, key = keyed()) =>
      finance.post('/api/finance/missing-facts/purchases', { reason: 'Lost in the restore', ...body }, key);
    const refused = (status: number, code: string) => ({ status, body: { code } });
    expect(await ask({ certificate: { ...certificate, id: sampleId } })).toMatchObject(
      refused(422, 'CertificateInvalid'),
    );
    const other = { ...certificate, licensee: { ...certificate.licensee, id: petra.userId } };
    expect(await ask({ certificate: other })).toMatchObject(refused(422, 'CertificateInvalid'));
    const first = keyed();
    const { status, body: waiting } = await ask({ certificate }, first);
    expect({ status, waiting }).toMatchObject({ status: 202, waiting: { status: 'waiting' } });
    expect(await ask({ certificate }, first)).toMatchObject({ status: 202, body: waiting });
    expect(await ask({ certificate })).toMatchObject(refused(409, 'CertificateWaits'));
    const approve = async (who: HttpClient, requestId: string, key = keyed()) => {
      const role = who === second ? 'admin' : 'finance';
      const { body } = await who.post(`/api/${role}/approvals/${requestId}/approve`, {}, key);
      return body.code ?? body.status;
    };
    expect(await approve(finance, waiting.id)).toBe('SecondPersonNeeded');
    // A member of staff who would get a part of the share does not decide, whenever the split began.
    const { rows } = await node.resources.database.pool.query<{ email: string }>(
      'select email from user_account where user_id = $1',
      [certificate.creator.id],
    );
    const creator = await signedIn(node.url, rows[0]?.email ?? '');
    const sharer = await signedIn(node.url, rita.email);
    const [{ id: packId }] = (await creator.get('/api/creator/packs')).body.items;
    const offer = { creator: `@${ritas}`, bps: 2_500 };
    const { body: split } = await creator.post(`/api/creator/packs/${packId}/splits`, offer, keyed());
    expect((await sharer.post(`/api/splits/${split.id}/accept`, undefined, keyed())).status).toBe(200);
    expect(await approve(sharer, waiting.id)).toBe('not carried out');
    const late = await sharer.post(
      '/api/finance/missing-facts/purchases',
      { certificate, reason: 'Mine' },
      keyed(),
    );
    expect(late).toMatchObject(refused(403, 'OwnInterest'));
    const { body: renewed } = await ask({ certificate });
    expect(await approve(sharer, renewed.id)).toBe('OwnInterest');
    for (const key of [keyed(), keyed()]) expect(await approve(second, renewed.id, key)).toBe('carried out');
    expect(await stateOf(certificate)).toBe('known');
    expect(await ask({ certificate })).toMatchObject(refused(409, 'PurchaseRecorded'));
    expect(await stateOf({ ...certificate, id: sampleId })).toBe('invalid');
    const again = await signedIn(node.url, bob.email);
    expect(await balance(again)).toBe(49);
    const toBob = async (subject: string) => {
      const sent = (await again.get('/dev/mailbox?format=json')).body as (Mail & { to: string })[];
      return sent.filter((mail) => mail.to === bob.email && mail.subject === subject);
    };
    await comesTo(async () => (await toBob('Your purchase of “Rain” is recorded again')).length, 1);
    const [{ text } = { text: '' }] = await toBob('Your purchase of “Rain” is recorded again');
    expect(text).toContain('It cost 1 credit, its present price.');
    expect(text).toContain('/library?downloads');
    expect((await again.get(`/api/certificates/${certificate.id}`)).body).toEqual(certificate);
    const free = await again.post('/api/downloads', { sampleId, expectedCredits: 0 }, keyed());
    expect(free.body).toMatchObject({ charged: 0, certificateId: certificate.id });
    const { items } = (await finance.get('/api/finance/events?type=CertificateAccepted')).body;
    expect(items).toMatchObject([{ data: { certificateId: certificate.id, approvedBy: quinn.userId } }]);
    const trace = await finance.get(`/api/finance/trace/${renewed.id}`);
    expect(trace.status).toBe(200);
  } finally {
    await node.stop();
  }
  expect(await step('doctor')).toMatchObject({ code: 0 });
  const verified = await step('finance verify');
  expect(verified.said.match(/^FAILED.*$/gm)).toBeNull();
  expect(verified).toMatchObject({
    code: 0,
    said: expect.stringContaining(`restored to event ${position} at `),
  });
  expect(STEPS).toEqual([]);

  const { said } = await run(missing.args);
  expect(said).toContain('Payments: 0 at Stripe');
  expect(said).toContain('Certificates: 0 of 3 are signed by this shop and missing in the log');
});
