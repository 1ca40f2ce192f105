import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import type { IncomingMessage } from 'node:http';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { OwnPack, OwnPackCard } from '../../application/publishing/contract.js';
import { writeCatalogue } from '../support/catalogue-folder.js';
import type { HttpClient } from '../support/http-client.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { startTamperingProxy, type TamperingProxy } from '../support/tampering-proxy.js';

const ROOT = resolve(import.meta.dirname, '../..');
const ENTRY = join(ROOT, 'packages/offcut-publish/src/program.ts');

let product: TestProduct;
let proxy: TamperingProxy;
let creator: HttpClient;
let token: string;
let folder: string;
const scratch = mkdtempSync(join(tmpdir(), 'offcut-publish-'));

beforeAll(async () => void (product = await startTestProduct()));
afterAll(async () => {
  await product?.stop();
  rmSync(scratch, { recursive: true, force: true });
});
beforeEach(async () => {
  proxy = await startTamperingProxy(product.url);
  creator = await product.signedUp();
  await creator.becomeCreator();
  token = await tokenWith('packs:write');
  folder = join(mkdtempSync(join(scratch, 'run-')), 'Catalogue');
  await writeCatalogue(folder);
});
afterEach(() => proxy?.close());

const tokenWith = async (...scopes: string[]): Promise<string> =>
  (await creator.post('/api/tokens', { name: 'Studio PC', scopes })).body.token;

interface Ended {
  code: number | null;
  events: { event: string; [fact: string]: unknown }[];
  stderr: string;
}

function start(...args: string[]): { child: ChildProcess; ended: Promise<Ended> } {
  const all = [
    '--import',
    './test/support/typescript.mjs',
    ENTRY,
    folder,
    '--url',
    proxy.url,
    '--json',
    ...args,
  ];
  const env = { ...process.env, NODE_OPTIONS: '', OFFCUT_TOKEN: token };
  const child = spawn(process.execPath, all, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
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

/** Kills a run at the first request that matches. The server does not get that request. */
async function killedAt(matches: (request: IncomingMessage) => boolean): Promise<void> {
  const { child, ended } = start(...STYLE);
  proxy.tamper = (request) => matches(request) && child.kill('SIGKILL');
  await ended;
  proxy.tamper = undefined;
}

const STYLE = ['--genre', 'soul', '--mood', 'Dreamy'];
const publish = (...args: string[]) => start(...STYLE, ...args).ended;
const eventsOf = ({ events }: Ended, name: string) => events.filter(({ event }) => event === name);
const cards = async () => ((await creator.get('/api/creator/packs')).body as { items: OwnPackCard[] }).items;
const packs = async (): Promise<OwnPack[]> => {
  const found = (await cards()).map(({ slug }) => creator.get(`/api/creator/packs/${slug}`));
  return (await Promise.all(found)).map(({ body }) => body).sort((a, b) => (a.title < b.title ? -1 : 1));
};

async function expectWhole(status = 'draft'): Promise<void> {
  const [keys, drums, ...more] = await packs();
  expect(more).toEqual([]);
  expect([keys, drums]).toMatchObject([
    { title: 'Felt Keys', genre: 'Soul', mood: 'Dreamy', status },
    { title: 'Soul Drums', status },
  ]);
  expect(drums?.samples.map(({ name }) => name)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((n) => `Hit ${n}`));
  expect(keys?.samples).toMatchObject([
    { name: 'Cold', hasMidi: false, hasStems: false },
    { name: 'Warm', bpm: 90, key: 'C Minor', hasMidi: true, hasStems: true },
  ]);
}

describe('offcut-publish', () => {
  it('[PUBL-700] lists what would be made, makes drafts in the order of names, and nothing twice', async () => {
    const dry = await publish('--dry-run');
    expect(dry.code).toBe(0);
    expect(eventsOf(dry, 'pack')).toEqual([
      {
        event: 'pack',
        pack: 'Felt Keys',
        status: 'new',
        sounds: 2,
        there: 0,
        midi: 1,
        stems: 1,
        cover: null,
      },
      {
        event: 'pack',
        pack: 'Soul Drums',
        status: 'new',
        sounds: 8,
        there: 0,
        midi: 0,
        stems: 0,
        cover: 'Soul_Drums/cover.png',
      },
    ]);
    expect(eventsOf(dry, 'left-out').map(({ file }) => file)).toEqual([
      'Felt Keys/Not a sound.wav',
      'Soul_Drums/Notes.txt',
    ]);
    expect(await cards()).toEqual([]);
    expect(existsSync(join(folder, '.offcut-publish.json'))).toBe(false);

    const first = await publish();
    expect([first.code, first.stderr]).toEqual([0, '']);
    expect(eventsOf(first, 'done')).toEqual([{ event: 'done', packs: 2, uploaded: 13, known: 0, failed: 0 }]);
    await expectWhole();
    const { artworkUrl } = (await packs())[1] as OwnPack;

    const [keys] = await packs();
    await creator.patch(`/api/creator/packs/${keys?.id}`, { name: 'Felt Keys Two' });
    const again = await publish();
    expect(eventsOf(again, 'done')).toEqual([{ event: 'done', packs: 2, uploaded: 0, known: 10, failed: 0 }]);
    expect((await packs()).map(({ title }) => title)).toEqual(['Felt Keys Two', 'Soul Drums']);
    expect((await packs())[1]?.artworkUrl).toBe(artworkUrl);
  });

  it('[PUBL-701] continues after a kill at any request, without a pack or file twice', async () => {
    for (const at of [4, 5, 7, 9, 12, 16]) {
      let requests = 0;
      await killedAt(() => (requests += 1) === at);
    }
    // The killed processes left a lock of a process that is gone.
    expect((await publish()).code).toBe(0);
    await expectWhole();
  });

  it('[PUBL-701] sorts the sounds of a run that was killed between the uploads and the order', async () => {
    await killedAt(({ url }) => url?.endsWith('/order') === true);
    const [keys] = await packs();
    // The sounds arrived in the opposite order.
    const sampleIds = ['Warm', 'Cold'].map((title) => keys?.samples.find(({ name }) => name === title)?.id);
    expect((await creator.put(`/api/creator/packs/${keys?.id}/order`, { sampleIds })).status).toBe(200);
    expect((await publish()).code).toBe(0);
    await expectWhole();
  });

  it('[PUBL-701] waits out a failing server, and finds the pack whose answer was lost', async () => {
    let failures = 0;
    proxy.tamper = async (request, response) => {
      const isNewPack = request.method === 'POST' && request.url === '/api/creator/packs';
      if (isNewPack && failures === 0) {
        failures += 1;
        const info = { name: 'Felt Keys', genre: 'Soul', mood: 'Dreamy' };
        await creator.post('/api/creator/packs', info);
        request.socket.destroy();
        return true;
      }
      if (!request.url?.includes('/samples') || failures > 2) return false;
      failures += 1;
      response.writeHead(503, { 'retry-after': '1', 'content-type': 'application/json' }).end('{}');
      return true;
    };
    const ended = await publish();
    expect([ended.code, eventsOf(ended, 'waiting').length > 0]).toEqual([0, true]);
    await expectWhole();
  });

  it('[PUBL-702] refuses with one sentence and makes nothing', async () => {
    const refusal = async (...args: string[]) => {
      const { code, stderr } = await start(...args).ended;
      return [code, stderr.trim().split('\n').at(-1)];
    };
    expect(await refusal()).toEqual([
      2,
      'The pack Felt Keys has no genre or mood. Add --genre and --mood, or write them in offcut.csv.',
    ]);
    expect(await refusal('--genre', 'Polka')).toEqual([2, expect.stringMatching(/^--genre is one of Trap/)]);
    writeFileSync(join(folder, 'offcut.csv'), 'file,bpm\nHit_1.wav,90\nGone.wav,fast\n');
    const wrong = await publish();
    expect([wrong.code, wrong.stderr.trim().split('\n')]).toEqual([
      2,
      [
        'offcut.csv, row 3: bpm: A number up to 400, or nothing.',
        'Nothing was made, because offcut.csv has wrong rows.',
      ],
    ]);
    rmSync(join(folder, 'offcut.csv'));
    token = await tokenWith('library:read');
    expect(await refusal(...STYLE)).toEqual([2, expect.stringMatching(/^The token does not allow this\./)]);
    token = 'offcut_nothing';
    expect(await refusal(...STYLE)).toEqual([
      2,
      expect.stringMatching(/^The token was revoked or has ended\./),
    ]);
    expect(await cards()).toEqual([]);
  });

  it('[PUBL-703] [PUB-770] puts packs on sale only with --publish, and reports files that the server refuses', async () => {
    await creator.patch('/api/me', { displayName: 'Junie Okafor' });
    const { pool } = product.resources.database;
    await pool.query('update user_account set email_verified_at = null where user_id = $1', [creator.userId]);
    const unconfirmed = await publish('--publish');
    expect(unconfirmed.code).toBe(1);
    expect(JSON.stringify(eventsOf(unconfirmed, 'failed'))).toContain('Confirm your e-mail address before');
    await expectWhole('draft');
    await creator.patch('/api/me', { email: creator.email });
    await creator.confirmEmail();
    expect((await publish('--publish')).code).toBe(0);
    await expectWhole('published');

    writeFileSync(join(folder, 'Soul_Drums/Hit_9.wav'), 'RIFF\0\0\0\0WAVEfmt nothing');
    const cautious = await publish();
    expect([cautious.code, cautious.stderr.trim()]).toEqual([
      2,
      'The pack Felt Keys is on sale. Add --publish to put its new sounds on sale.',
    ]);
    const refused = await publish('--publish');
    expect(refused.code).toBe(1);
    expect(eventsOf(refused, 'failed')).toMatchObject([{ file: 'Soul_Drums/Hit_9.wav' }]);
    await expectWhole('published');
  });
});
