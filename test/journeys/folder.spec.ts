import { beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { violationNames } from '../support/accessibility.js';
import { DESKTOP, type Page } from '../support/browser.js';
import type { HttpClient } from '../support/http-client.js';
import { listenerWith, Visits } from '../support/shop.js';
import { stock } from '../support/stock.js';

const LIBRARY = '/library?downloads';
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** What the tests change in a page. */
interface Changed extends Window {
  showDirectoryPicker?: () => Promise<FileSystemDirectoryHandle>;
  /** Bytes after which a file stops coming. */
  stallAfter?: number;
  /** Bytes that the disk still takes. */
  free?: number;
  /** Copies that are never finished, as in a tab that was killed. */
  neverCloses?: string;
  /** Changes to files until the page dies. */
  changesLeft?: number;
}

/** Offers a folder of the browser's own storage as the chosen one, because no test can use the picker. */
function prepare(): void {
  const changed = window as unknown as Changed;
  changed.showDirectoryPicker = async () =>
    (await navigator.storage.getDirectory()).getDirectoryHandle('Samples', { create: true });
  const real = window.fetch;
  window.fetch = async (input, init) => {
    const answer = await real(input, init);
    const { stallAfter } = changed;
    const isFile = answer.url !== '' && new URL(answer.url).pathname.startsWith('/media/signed');
    if (stallAfter === undefined || !isFile || !answer.body) return answer;
    const first = new Uint8Array(await answer.arrayBuffer()).slice(0, stallAfter);
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue(first);
        init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason));
      },
    });
    return new Response(body, answer);
  };
  const { write, close } = FileSystemWritableFileStream.prototype;
  FileSystemWritableFileStream.prototype.write = async function (chunk) {
    const { data = chunk } = chunk as { data?: unknown };
    if (changed.free !== undefined && data instanceof Uint8Array) {
      changed.free -= data.length;
      if (changed.free < 0) throw new DOMException('full', 'QuotaExceededError');
    }
    return write.call(this, chunk);
  };
  const { createWritable } = FileSystemFileHandle.prototype;
  FileSystemFileHandle.prototype.createWritable = async function (options) {
    const copy = await createWritable.call(this, options);
    if (changed.neverCloses === this.name) copy.close = () => new Promise(() => {});
    else copy.close = () => close.call(copy);
    return copy;
  };
}

/** Kills the page after a number of changes to files: no later step in the folder returns. */
function mortal(changes: number): void {
  const changed = window as unknown as Changed;
  changed.changesLeft = changes;
  const never = new Promise(() => {});
  type Steps = Record<
    string,
    (this: { name?: string; file?: string }, ...given: unknown[]) => Promise<unknown>
  >;
  const steps = [
    [FileSystemDirectoryHandle, 'getFileHandle', 'removeEntry'],
    [FileSystemFileHandle, 'createWritable', 'move'],
    [FileSystemWritableFileStream, 'write', 'close'],
  ] as const;
  for (const [{ prototype }, ...methods] of steps)
    for (const method of methods) {
      const all = prototype as unknown as Steps;
      const real = all[method];
      all[method] = async function (...given) {
        if (changed.changesLeft === 0) return never;
        // On a slow disk, the page must not say that it is done before the lock file is gone.
        if (method === 'removeEntry' && given[0] === '.offcut-sync.lock')
          await new Promise((resolve) => setTimeout(resolve, 300));
        const result = await real?.apply(this, given);
        const file = this.file ?? (this instanceof FileSystemDirectoryHandle ? given[0] : this.name);
        if (method === 'createWritable') Object.assign(result as object, { file });
        const changes = method !== 'getFileHandle' || (given[1] as { create?: true } | undefined)?.create;
        if (changes && !String(file).startsWith('.offcut-sync.')) changed.changesLeft! -= 1;
        return changed.changesLeft === 0 ? never : result;
      };
    }
}

/** The files in the folder and their hashes, without the hidden ones. */
const filesIn = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle('Samples', { create: true });
    const found: Record<string, string> = {};
    for await (const [name, handle] of folder as unknown as AsyncIterable<[string, FileSystemFileHandle]>) {
      if (name.startsWith('.')) continue;
      const digest = await crypto.subtle.digest('SHA-256', await (await handle.getFile()).arrayBuffer());
      found[name] = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
    }
    return found;
  });
const put = (page: Page, name: string, text: string) =>
  page.evaluate(
    async ([file = '', content = '']) => {
      const root = await navigator.storage.getDirectory();
      const folder = await root.getDirectoryHandle('Samples', { create: true });
      const copy = await (await folder.getFileHandle(file, { create: true })).createWritable();
      await copy.write(content);
      await copy.close();
    },
    [name, text],
  );
/** Playwright's own wait takes the promise of a condition for its answer. */
async function until(page: Page, holds: () => Promise<boolean>): Promise<void> {
  while (!(await page.evaluate(holds))) await pause(20);
}
const change = (page: Page, changes: Partial<Changed>) =>
  page.evaluate((given) => void Object.assign(window, given), changes);
const panelOf = (page: Page) => page.getByRole('region', { name: 'Folder', exact: true });
const shows = (page: Page, text: string | RegExp) => panelOf(page).getByText(text).first().waitFor();
const press = (page: Page, name: string) => panelOf(page).getByRole('button', { name }).click();

describe('the folder of the downloads', () => {
  const visits = Visits.forTests();
  let creator: HttpClient;
  let round = 0;

  beforeAll(async () => {
    creator = await visits.product.signedUp();
  });

  const sql = (text: string, values: unknown[]) => visits.product.resources.database.pool.query(text, values);

  /** A listener who bought sounds of these titles. */
  async function buyerOf(sounds: Record<string, Buffer>): Promise<{ ada: HttpClient; ids: string[] }> {
    round += 1;
    const { database, storage } = visits.product.resources;
    const count = Object.keys(sounds).length;
    const ids = await stock(database, count, { prefix: `f${round}-`, creatorId: creator.userId });
    const ada = await listenerWith(visits.product, count);
    await ada.put('/api/library/file-names', { template: '{title}' });
    for (const [n, [title, bytes]] of Object.entries(sounds).entries()) {
      const id = ids[n] ?? '';
      await storage.put(`Users/x/${id}`, bytes, { contentType: 'audio/wav' });
      await sql(
        `update sample set original_sha256 = $2, original_bytes = $3, title = $4, bpm = 90 where sample_id = $1`,
        [id, sha256(bytes), bytes.length, title],
      );
      const headers = { 'idempotency-key': randomUUID() };
      const bought = await ada.post('/api/downloads', { sampleId: id, expectedCredits: 1 }, { headers });
      expect(bought.status).toBe(201);
    }
    return { ada, ids };
  }

  async function libraryOf(ada: HttpClient, options = DESKTOP): Promise<Page> {
    const page = await visits.open(ada, options, 'profile');
    await page.addInitScript(prepare);
    await page.goto(LIBRARY);
    await shows(page, 'Keep your downloads in a folder');
    return page;
  }

  it('[SYNC-700] keeps purchases with MIDI by template, renames, and touches no other file', async () => {
    const [kick, loop] = [randomBytes(3_000), randomBytes(4_000)];
    const { ada, ids } = await buyerOf({ Kick: kick, loop });
    const midi = Buffer.from('MThd');
    const path = `Packs/p/midi/${ids[0]}`;
    const attachment = JSON.stringify({ path, sha256: sha256(midi), sizeBytes: midi.length });
    await sql(`update sample set has_midi = true, midi = $2 where sample_id = $1`, [ids[0], attachment]);
    const { storage } = visits.product.resources;
    await storage.put(`Users/${creator.userId}/${path}`, midi, { contentType: 'audio/midi' });
    const downloadTimes = async () =>
      (await ada.get('/api/library/downloads')).body.items.map((row: { createdAt: string }) => row.createdAt);
    const times = await downloadTimes();
    const page = await libraryOf(ada);
    await put(page, 'LOOP.wav', 'my own');
    await press(page, 'Choose a folder');
    await shows(page, '3 files, 3 new');
    const own = sha256(Buffer.from('my own'));
    const first = { 'Kick.wav': sha256(kick), 'Kick.mid': sha256(midi), 'LOOP.wav': own };
    expect(await filesIn(page)).toEqual({ ...first, 'loop (2).wav': sha256(loop) });
    expect(await violationNames(page)).toEqual([]);
    // The times of the purchases stay, so the Library keeps its order.
    expect(await downloadTimes()).toEqual(times);
    // The names of two files swap, and one differs in case only.
    await sql(
      `update sample set title = case title when 'Kick' then 'loop (2)' else 'KICK' end where sample_id = any($1)`,
      [ids],
    );
    await press(page, 'Check again');
    await shows(page, '3 files, 3 renamed');
    expect(await filesIn(page)).toEqual({
      'loop (2).wav': sha256(kick),
      'loop (2).mid': sha256(midi),
      'KICK.wav': sha256(loop),
      'LOOP.wav': own,
    });
    await press(page, 'Check again');
    await shows(page, /^3 files$/);
    await sql(`update sample set title = 'Kick' where title = 'KICK' and sample_id = any($1)`, [ids]);
    await ada.put('/api/library/file-names', { template: '{title} {bpm}' });
    await press(page, 'Check again');
    await shows(page, '3 files, 3 renamed');
    await press(page, 'Check again');
    await shows(page, /^3 files$/);
    await sql(`update sample set title = 'kick' where title = 'Kick' and sample_id = any($1)`, [ids]);
    await press(page, 'Check again');
    await shows(page, '3 files, 1 renamed');
    expect(Object.keys(await filesIn(page)).sort()).toEqual([
      'LOOP.wav',
      'kick 90.wav',
      'loop (2) 90.mid',
      'loop (2) 90.wav',
    ]);
    await press(page, 'Check again');
    await shows(page, /^3 files$/);
  });

  it('[SYNC-701] continues after a closed tab and a full disk, and never shows a broken file', async () => {
    const bytes = randomBytes(6_000_000);
    const { ada } = await buyerOf({ Drone: bytes });
    const page = await libraryOf(ada);
    await change(page, { stallAfter: 5_000_000 });
    await press(page, 'Choose a folder');
    await shows(page, 'Drone.wav');
    await until(page, async () => {
      const root = await navigator.storage.getDirectory();
      const folder = await root.getDirectoryHandle('Samples');
      for await (const [name, handle] of folder as unknown as AsyncIterable<[string, FileSystemFileHandle]>)
        if (name.endsWith('.part') && (await handle.getFile()).size > 0) return true;
      return false;
    });
    expect(await filesIn(page)).toEqual({});
    const next = await page.context().newPage();
    await page.close();
    await next.addInitScript(prepare);
    await next.addInitScript(() => {
      const { prototype } = FileSystemHandle as unknown as { prototype: Record<string, unknown> };
      let state = 'prompt';
      let answer = 'denied';
      prototype.queryPermission = async () => state;
      prototype.requestPermission = async () => {
        const given = answer;
        answer = 'granted';
        return (state = given);
      };
    });
    const ranges: string[] = [];
    next.on('response', (answer) => {
      if (answer.url().includes('/media/signed')) ranges.push(answer.headers()['content-range'] ?? 'whole');
    });
    await next.goto(LIBRARY);
    await press(next, 'Continue');
    await shows(next, 'Nothing was changed. To go on, allow this page to edit the folder.');
    await change(next, { free: 100 });
    await press(next, 'Continue');
    await shows(next, 'The disk is full. Free some space, and try again.');
    expect(await filesIn(next)).toEqual({});
    // The browser cannot rename, and the tab is killed while the file is copied to its final name.
    await next.evaluate(() => {
      const refuse = async () => {
        throw new DOMException('outside its own storage', 'InvalidModificationError');
      };
      Object.assign(FileSystemFileHandle.prototype, { move: refuse });
    });
    await change(next, { free: undefined, neverCloses: 'Drone.wav' });
    await press(next, 'Try again');
    await until(next, async () => {
      const root = await navigator.storage.getDirectory();
      const folder = await root.getDirectoryHandle('Samples');
      return folder.getFileHandle('Drone.wav').then(
        () => true,
        () => false,
      );
    });
    expect(ranges).toEqual([expect.stringMatching(/^bytes [1-9]\d{6}-/), expect.stringMatching(/^bytes /)]);
    const last = await next.context().newPage();
    await next.close();
    await last.addInitScript(prepare);
    await last.goto(LIBRARY);
    await shows(last, '“Samples” is up to date');
    expect(await filesIn(last)).toEqual({ 'Drone.wav': sha256(bytes) });
  });

  it('[SYNC-702] says what hinders it, one tab works at a time, and sign-out forgets the folder', async () => {
    const { ada } = await buyerOf({ Hum: randomBytes(2_000) });
    const page = await libraryOf(ada);
    await page.evaluate(() => {
      const closed = new Promise((_, reject) =>
        Object.assign(window, { closePicker: () => reject(new DOMException('closed', 'AbortError')) }),
      );
      let isOpen = false;
      // As in Chromium, a second picker is refused while one is open.
      const open = async () => {
        if (isOpen) throw new DOMException('File picker already active.', 'NotAllowedError');
        isOpen = true;
        return closed;
      };
      Object.assign(window, { chosen: window, showDirectoryPicker: open });
    });
    await press(page, 'Choose a folder');
    await press(page, 'Choose a folder');
    await shows(page, 'Everything you buy arrives there');
    await page.evaluate(() => (window as unknown as { closePicker: () => void }).closePicker());
    await shows(page, 'No folder was chosen. Choose one, and allow this page to edit it.');
    await page.reload();
    await change(page, { stallAfter: 1_000 });
    await press(page, 'Choose a folder');
    await shows(page, 'Hum.wav');
    const second = await page.context().newPage();
    await second.addInitScript(prepare);
    await second.goto(LIBRARY);
    await shows(second, 'Another tab brings “Samples” up to date');
    await page.close();
    await shows(second, '“Samples” is up to date');
    // offcut-sync holds the folder.
    await put(second, '.offcut-sync.lock', 'studio 1');
    await press(second, 'Check again');
    await shows(second, 'offcut-sync or another browser works in this folder (studio 1).');
    await put(second, '.offcut-sync.lock', '');
    await second.context().setOffline(true);
    await press(second, 'Try again');
    await shows(second, 'You are offline. It continues once you are back.');
    await second.context().setOffline(false);
    await shows(second, '“Samples” is up to date');
    const plain = await visits.open(ada);
    await plain.addInitScript(() => delete (window as unknown as Changed).showDirectoryPicker);
    await plain.addInitScript(() => Reflect.deleteProperty(Window.prototype, 'showDirectoryPicker'));
    await plain.goto(LIBRARY);
    await plain.getByText('To keep all downloads in a folder of your computer').waitFor();
    // Files that were being fetched when the connection broke would reload the page during the next press.
    await second.reload();
    await shows(second, '“Samples” is up to date');
    await second.getByRole('button', { name: 'Account menu' }).click();
    await second.getByRole('menuitem', { name: 'Sign Out' }).click();
    await until(second, async () =>
      (await indexedDB.databases()).every(({ name }) => name !== 'offcut-folder'),
    );
  });

  it('[SYNC-703] shows whole files only, after whichever change the tab is killed', async () => {
    const [one, two] = [randomBytes(3_000), randomBytes(4_000)];
    const { ada, ids } = await buyerOf({ One: one, Two: two });
    const page = await libraryOf(ada);
    const witness = await page.context().newPage();
    await witness.goto('/robots.txt');
    await put(witness, '.offcut-a.sound.b.part.crswap', 'of a killed browser');
    await change(page, { stallAfter: 0 });
    await press(page, 'Choose a folder');
    await shows(page, /(One|Two)\.wav/);
    await page.close();
    /** @returns whether the page brought the folder up to date before it died */
    const lives = async (changes: number) => {
      const next = await witness.context().newPage();
      await next.addInitScript(mortal, changes);
      await next.addInitScript(prepare);
      await next.goto(LIBRARY);
      await until(next, async () => {
        const isDone = document.body.innerText.includes('“Samples” is up to date');
        return isDone || (window as unknown as Changed).changesLeft === 0;
      });
      const survived = await next.evaluate(() => (window as unknown as Changed).changesLeft !== 0);
      await next.close();
      for (const found of Object.values(await filesIn(witness)))
        expect([sha256(one), sha256(two)]).toContain(found);
      return survived;
    };
    let changes = 1;
    while (changes < 19 && !(await lives(changes))) changes += 1;
    expect(await filesIn(witness)).toEqual({ 'One.wav': sha256(one), 'Two.wav': sha256(two) });
    // Each file is created, opened, written, committed and moved.
    expect(changes).toBeGreaterThan(5);
    await sql(
      `update sample set title = case title when 'One' then 'Two' else 'One' end where sample_id = any($1)`,
      [ids],
    );
    let moves = 0;
    while (moves < 9 && !(await lives(1))) moves += 1;
    expect(moves).toBe(4);
    expect(await filesIn(witness)).toEqual({ 'One.wav': sha256(two), 'Two.wav': sha256(one) });
    const hidden = await witness.evaluate(async () => {
      const names: string[] = [];
      const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('Samples');
      for await (const name of (folder as unknown as { keys(): AsyncIterable<string> }).keys())
        names.push(name);
      return names.filter((name) => name.startsWith('.'));
    });
    expect(hidden).toEqual(['.offcut-sync.json']);
  });
});
