import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../adapters/platform/database/embedded/launch.js';
import { HttpClient } from '../support/http-client.js';
import { processesOf } from '../support/processes.js';

let folder: string;
let url: string;
let dev: ChildProcess;
let log = '';

/** Copies this built checkout, so that the test edits no real sources. */
function checkOut(into: string): void {
  const left = new Set(['node_modules', '.git', '.data', 'coverage', 'test', 'docs']);
  // Builds compare the exact times of their sources, which `cp` keeps.
  execFileSync('cp', ['-a', ...readdirSync('.').filter((name) => !left.has(name)), into]);
  // Vite's cache below node_modules must be separate too.
  mkdirSync(join(into, 'node_modules'));
  for (const name of readdirSync('node_modules').filter((each) => each !== '.vite' && each !== '.cache'))
    symlinkSync(join(process.cwd(), 'node_modules', name), join(into, 'node_modules', name));
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) {
    if (dev.exitCode !== null) throw new Error(`ended early:\n${log}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const edit = (file: string, from: string, to: string): void => {
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'offcut-development-'));
  checkOut(folder);
  const port = await freePort();
  url = `http://localhost:${port}`;
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PORT: String(await freePort()),
    CLIENT_PORT: String(port),
    DATA_DIR: join(folder, '.data'),
    DEMO_CONTENT: 'off',
  };
  dev = spawn(process.execPath, ['bin/dev.mjs'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [dev.stdout, dev.stderr]) stream?.on('data', (chunk) => (log += chunk));
  await until(() => log.includes('Offcut runs at'));
});

afterAll(() => {
  if (dev.exitCode === null) dev.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

describe('npm run dev', () => {
  it('[DEV-01] puts client and server behind one address, where a session lasts', async () => {
    expect(log).toContain(`Offcut runs at ${url}`);
    const page = await fetch(url, { headers: { accept: 'text/html' } });
    expect(await page.text()).toContain('/@vite/client');
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const somebody = await HttpClient.signUp(url);
    // Without a session and its origin this is refused.
    expect((await somebody.post('/api/auth/sign-out')).status).toBe(204);
  });

  it('[DEV-01] starts the server again when a source of it changes, on the same data', async () => {
    const somebody = await HttpClient.signUp(url);
    edit('bootstrap/main.ts', 'Offcut runs at', 'Offcut runs anew at');
    await until(() => log.includes('Offcut runs anew at'));
    expect((await somebody.post('/api/auth/sign-out')).status).toBe(204);
  });

  it('[DEV-01] hands a changed part of a page to the pages that are open', async () => {
    const part = '/src/screens/home/footer.tsx';
    // Loads the module and listens, as a page does.
    expect(await (await fetch(url + part)).text()).toContain('Discover');
    const client = await (await fetch(`${url}/@vite/client`)).text();
    const token = /wsToken = "([^"]+)"/.exec(client)?.[1];
    const socket = new WebSocket(`${url.replace('http', 'ws')}/?token=${token}`, 'vite-hmr');
    const told: string[] = [];
    socket.addEventListener('message', ({ data }) => told.push(data as string));
    await until(() => told.some((message) => message.includes('"connected"')));
    edit(`web${part}`, "'Discover'", "'Discover more'");
    await until(() => told.some((message) => message.includes('"update"') && message.includes(part)));
    socket.close();
  });

  it('[DEV-01] ends with everything it started', async () => {
    const ended = new Promise((resolve) => dev.once('exit', resolve));
    dev.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(processesOf(folder)).toEqual([]);
  });
});
