import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { DownloadPage } from '../../application/library/contract.js';
import type { Purchase } from '../../packages/offcut-sync/src/shop.js';
import type { HttpClient } from '../support/http-client.js';
import { breaksBooks } from '../support/invariants.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { stock } from '../support/stock.js';
import { startTamperingProxy, type TamperingProxy } from '../support/tampering-proxy.js';
import { until } from '../support/until.js';

const ROOT = resolve(import.meta.dirname, '../..');
const ENTRY = join(ROOT, 'packages/offcut-sync/src/main.ts');

let product: TestProduct;
let creator: HttpClient;
let proxy: TamperingProxy;
let ada: HttpClient;
let token: string;
let tokenId: string;
let samples: string[];
let folder: string;
let round = 0;
const scratch = mkdtempSync(join(tmpdir(), 'offcut-sync-'));

beforeAll(async () => {
  product = await startTestProduct();
  creator = await product.signedUp();
});
afterAll(async () => {
  await product?.stop();
  rmSync(scratch, { recursive: true, force: true });
});
beforeEach(async () => {
  round += 1;
  proxy = await startTamperingProxy(product.url);
  const { database, creditExecutor } = product.resources;
  samples = await stock(database, 4, { prefix: `y${round}-`, creatorId: creator.userId });
  for (const [n, id] of samples.entries()) await original(id, bytesOf(id), `Sound ${n}`);
  ada = await product.signedUp();
  const grant = { userId: ada.userId, grantId: randomUUID(), credits: 10, grantedAt: new Date() };
  await creditExecutor.grantPromotion(grant, { correlationId: 'test' });
  await ada.put('/api/library/file-names', { template: '{title}' });
  const scopes = ['library:read', 'library:download'];
  ({ token, id: tokenId } = (await ada.post('/api/tokens', { name: 'Studio PC', scopes })).body);
  folder = mkdtempSync(join(scratch, 'folder-'));
});
afterEach(() => proxy?.close());

const bytesOf = (id: string) => Buffer.from(`RIFF ${id} `.repeat(50_000));
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const sample = (n = 0) => samples[n] as string;
const sql = (text: string, values: unknown[]) => product.resources.database.pool.query(text, values);

async function original(id: string, bytes: Buffer, title?: string): Promise<void> {
  await product.resources.storage.put(`Users/x/${id}`, bytes, { contentType: 'audio/wav' });
  await sql(
    `update sample set original_sha256 = $2, original_bytes = $3, title = coalesce($4, title) where sample_id = $1`,
    [id, sha256(bytes), bytes.length, title ?? null],
  );
}

async function attach(id: string, kind: 'midi' | 'stems', bytes: Buffer): Promise<void> {
  const path = `Packs/p/${kind}/${id}`;
  const attachment = JSON.stringify({ path, sha256: sha256(bytes), sizeBytes: bytes.length });
  await sql(`update sample set has_${kind} = true, ${kind} = $2 where sample_id = $1`, [id, attachment]);
  await product.resources.storage.put(`Users/${creator.userId}/${path}`, bytes, {
    contentType: 'audio/midi',
  });
}

async function buy(...ids: string[]): Promise<void> {
  for (const sampleId of ids) {
    const headers = { 'idempotency-key': randomUUID() };
    expect((await ada.post('/api/downloads', { sampleId, expectedCredits: 1 }, { headers })).status).toBe(
      201,
    );
  }
}

interface Ended {
  code: number | null;
  events: { event: string; [fact: string]: unknown }[];
  stderr: string;
}

function start(
  args: string[] = [],
  { imports = [] as string[] } = {},
): { child: ChildProcess; ended: Promise<Ended> } {
  const loads = ['./test/support/typescript.mjs', ...imports].flatMap((file) => ['--import', file]);
  const child = spawn(process.execPath, [...loads, ENTRY, folder, '--url', proxy.url, '--json', ...args], {
    cwd: ROOT,
    env: { ...process.env, NODE_OPTIONS: '', OFFCUT_TOKEN: token },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const ended = new Promise<Ended>((done) =>
    child.once('close', (code) => {
      const lines = stdout.split('\n').filter(Boolean);
      done({ code, events: lines.map((line) => JSON.parse(line)), stderr });
    }),
  );
  return { child, ended };
}

const sync = (...args: string[]) => start(args).ended;
const visible = () =>
  readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .sort();
const partials = () => readdirSync(folder).filter((name) => /^\.offcut-y.*\.part$/.test(name));
const holds = (name: string) => readFileSync(join(folder, name));
const eventsOf = ({ events }: Ended, name: string) => events.filter(({ event }) => event === name);
const counted = (ended: Ended) => eventsOf(ended, 'done').at(-1);

describe('offcut-sync', () => {
  it('[DL-706] keeps every purchase with MIDI and stems, under names that every system takes', async () => {
    for (const [n, title] of ['NUL', '../a/b: c?', 'Kick', 'KICK'].entries())
      await sql('update sample set title = $2 where sample_id = $1', [sample(n), title]);
    await attach(sample(2), 'midi', Buffer.from('MThd'));
    await attach(sample(3), 'midi', Buffer.from('MThd 2'));
    await attach(sample(2), 'stems', Buffer.from('PK stems'));
    await buy(...samples);
    const first = await sync();
    expect([first.code, first.stderr]).toEqual([0, '']);
    expect(visible()).toEqual([
      'KICK (2).mid',
      'KICK (2).wav',
      'Kick.mid',
      'Kick.wav',
      'NUL_.wav',
      'a b c.wav',
    ]);
    expect(holds('KICK (2).wav').equals(bytesOf(sample(3)))).toBe(true);
    expect(String(holds('KICK (2).mid'))).toBe('MThd 2');
    // [DL-708] Stems need an active Studio plan.
    expect(eventsOf(first, 'skipped')).toMatchObject([{ kind: 'stems', file: 'Kick (stems).zip' }]);
    expect(counted(await sync())).toMatchObject({ downloaded: 0, renamed: 0, failed: 0 });
    breaksBooks(product.resources.database, 'no invoice paid for the plan', ['subscriptions']);
    await sql(
      `insert into subscription (user_id, subscription_id, plan, status, current_period_end, version) values ($1, $1, 'studio', 'active', now() + interval '9 days', 1)`,
      [ada.userId],
    );
    await sync();
    expect(String(holds('Kick (stems).zip'))).toBe('PK stems');
    const listed: DownloadPage = (await ada.get('/api/library/downloads')).body;
    // The program has its own type of a row, because it imports nothing of the server.
    const rows: Purchase[] = listed.items;
    expect(rows).toHaveLength(4);
  });

  it('[DL-706] renames when the template changes, and moves files that swap names', async () => {
    await sql(`update sample set title = 'A', bpm = 80 where sample_id = $1`, [sample(0)]);
    await sql(`update sample set title = '80', bpm = 90 where sample_id = $1`, [sample(1)]);
    await attach(sample(0), 'midi', Buffer.from('MThd'));
    await buy(sample(0), sample(1));
    await sync();
    expect(visible()).toEqual(['80.wav', 'A.mid', 'A.wav']);
    const renamed = await sync('--template', '{bpm}');
    expect(counted(renamed)).toMatchObject({ downloaded: 0, renamed: 3 });
    expect(visible()).toEqual(['80.mid', '80.wav', '90.wav']);
    expect(holds('80.wav').equals(bytesOf(sample(0)))).toBe(true);
    expect(holds('90.wav').equals(bytesOf(sample(1)))).toBe(true);
  });

  it('[DL-706] touches no file that it did not write, knows its own without a record, and keeps a former version', async () => {
    await buy(sample(0), sample(1));
    writeFileSync(join(folder, 'sound 0.WAV'), 'my own');
    await sync();
    expect(visible()).toEqual(['Sound 0 (2).wav', 'Sound 1.wav', 'sound 0.WAV']);
    rmSync(join(folder, '.offcut-sync.json'));
    const again = await sync();
    expect(eventsOf(again, 'found')).toHaveLength(2);
    expect(counted(again)).toMatchObject({ downloaded: 0 });
    writeFileSync(join(folder, 'Sound 1.wav'), 'cut by hand');
    const replaced = randomBytes(1_000);
    await original(sample(0), replaced);
    expect((await sync()).code).toBe(0);
    expect(visible()).toEqual([
      'Sound 0 (2) (former).wav',
      'Sound 0 (2).wav',
      'Sound 1 (2).wav',
      'Sound 1.wav',
      'sound 0.WAV',
    ]);
    expect(holds('Sound 0 (2).wav').equals(replaced)).toBe(true);
    expect(holds('Sound 0 (2) (former).wav').equals(bytesOf(sample(0)))).toBe(true);
    expect([String(holds('Sound 1.wav')), String(holds('sound 0.WAV'))]).toEqual(['cut by hand', 'my own']);
    expect(counted(await sync())).toMatchObject({ downloaded: 0, renamed: 0 });
  });

  it('[DL-707] continues after kill -9 where it stopped, and never shows a part of a file', async () => {
    await buy(sample(0));
    proxy.stallAfter = { path: /^\/media\/signed/, bytes: 100_000 };
    const { child, ended } = start();
    await until(() => partials().some((name) => statSync(join(folder, name)).size === 100_000));
    child.kill('SIGKILL');
    await ended;
    expect(visible()).toEqual([]);
    proxy.stallAfter = undefined;
    expect((await sync()).code).toBe(0);
    expect(proxy.seen.at(-1)).toMatchObject({ range: 'bytes=100000-' });
    expect(holds('Sound 0.wav').equals(bytesOf(sample(0)))).toBe(true);
    expect(partials()).toEqual([]);
  });

  it('[DL-707] ends with 1 on a full disk, keeps what has arrived, and finishes once there is space', async () => {
    await buy(sample(0));
    const full = `data:text/javascript,${encodeURIComponent(`
      import { open } from 'node:fs/promises';
      const handle = await open('package.json');
      const { appendFile } = Object.getPrototypeOf(handle);
      let free = 200_000;
      // Like a disk, it takes what fits.
      Object.getPrototypeOf(handle).appendFile = async function (chunk) {
        await appendFile.call(this, chunk.subarray(0, free));
        free -= chunk.length;
        if (free < 0) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
      };
      await handle.close();`)}`;
    const ended = await start([], { imports: [full] }).ended;
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('The disk is full.');
    expect([visible(), partials().length]).toEqual([[], 1]);
    expect((await sync()).code).toBe(0);
    expect(proxy.seen.map(({ range }) => range)).toContain('bytes=200000-');
    expect(holds('Sound 0.wav').equals(bytesOf(sample(0)))).toBe(true);
  });

  it.each([
    ['as long', bytesOf('other')],
    ['longer', Buffer.concat([bytesOf('longer'), bytesOf('longer')])],
  ])(
    '[DL-707] fetches a file again that was replaced by one %s after it was listed',
    async (_, replacement) => {
      const former = Buffer.alloc(bytesOf('other').length, 'x');
      await original(sample(0), former);
      await buy(sample(0));
      proxy.stallAfter = { path: /^\/media\/signed/, bytes: 100_000 };
      const { child, ended } = start();
      await until(() => partials().some((name) => statSync(join(folder, name)).size === 100_000));
      child.kill('SIGKILL');
      await ended;
      proxy.stallAfter = undefined;
      // The list is read before the replacement, the file after it.
      proxy.tamper = async ({ url = '' }) => {
        if (!url.startsWith('/media/signed')) return false;
        proxy.tamper = undefined;
        await original(sample(0), replacement);
        return false;
      };
      const fetched = await sync();
      expect([fetched.code, eventsOf(fetched, 'failed').length]).toEqual([0, 1]);
      expect(visible()).toEqual(['Sound 0.wav']);
      expect(holds('Sound 0.wav').equals(replacement)).toBe(true);
      expect(partials()).toEqual([]);
    },
  );

  it('[DL-708] ends with 2 and the next step when the token is revoked between two files or lacks a scope', async () => {
    await buy(sample(0), sample(1));
    proxy.tamper = async ({ url = '' }) => {
      if (url === `/api/downloads/${sample(1)}/file`) await ada.delete(`/api/tokens/${tokenId}`);
      return false;
    };
    const revoked = await sync();
    expect(revoked.code).toBe(2);
    expect(revoked.stderr).toContain('The token was revoked or has ended. Create a token with the scopes');
    expect(visible()).toEqual(['Sound 0.wav']);
    expect(holds('Sound 0.wav').equals(bytesOf(sample(0)))).toBe(true);
    ({ token } = (await ada.post('/api/tokens', { name: 'x', scopes: ['catalogue:read'] })).body);
    const narrow = await sync();
    expect([narrow.code, narrow.stderr]).toEqual([2, expect.stringContaining('does not allow this')]);
  });

  it('[DL-708] waits as Retry-After asks, up to a limit', async () => {
    await buy(sample(0));
    let seconds = '1';
    let refusals = 1;
    proxy.tamper = ({ url = '' }, response) => {
      if (!url.startsWith('/api/library/downloads') || refusals === 0) return false;
      refusals -= 1;
      response.writeHead(429, { 'retry-after': seconds }).end('{}');
      return true;
    };
    const waited = await sync();
    expect([waited.code, eventsOf(waited, 'waiting')]).toMatchObject([0, [{ seconds: 1 }]]);
    seconds = '100000';
    refusals = 1;
    const refused = await sync();
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('Run again later.')]);
  });

  it('[DL-708] ends with 2 on a wrong option, a strange server and a folder where another one works', async () => {
    for (const [args, said] of [
      [['--template', '{tempo}'], 'There is no {tempo}'],
      [['--speed'], 'offcut-sync <folder>'],
      [['--url', 'localhost'], '--url is no address'],
      [['--every', '0'], '--every takes'],
      [['--url', `${proxy.url}/nowhere`], 'Check --url.'],
    ] as const) {
      const { code, stderr } = await sync(...args);
      expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
    }
    await buy(sample(0));
    proxy.stallAfter = { path: /^\/media\/signed/, bytes: 10 };
    const { child, ended } = start();
    await until(() => partials().length > 0);
    const second = await sync();
    expect([second.code, second.stderr]).toEqual([2, expect.stringContaining('Another offcut-sync works')]);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(1);
  });

  it('[DL-706] with --watch brings a new purchase, and ends with 0 when it is stopped', async () => {
    const { child, ended } = start(['--watch', '--every', '1']);
    await until(() => proxy.seen.some(({ path }) => path.startsWith('/api/library/downloads')));
    await buy(sample(0));
    await until(() => visible().includes('Sound 0.wav'));
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
    expect(readdirSync(folder)).not.toContain('.offcut-sync.lock');
  });

  it('[DL-709] is one file without imports of packages', async () => {
    const out = join(scratch, 'built');
    const run = (...args: string[]) =>
      new Promise<{ code: number | null; output: string }>((done) => {
        const child = spawn(process.execPath, args, { cwd: join(ROOT, 'packages/offcut-sync') });
        let output = '';
        for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
        child.once('close', (code) => done({ code, output }));
      });
    const built = await run(join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', '--outDir', out);
    expect([built.code, readdirSync(out)]).toEqual([0, ['offcut-sync.mjs']]);
    const source = readFileSync(join(out, 'offcut-sync.mjs'), 'utf8');
    const imported = [...source.matchAll(/^import .* from "([^"]+)"/gm)].map(([, name]) => name);
    expect(imported.filter((name) => !name?.startsWith('node:'))).toEqual([]);
    expect(await run(join(out, 'offcut-sync.mjs'))).toMatchObject({
      code: 2,
      output: expect.stringContaining('offcut-sync <folder> --url'),
    });
  });
});
