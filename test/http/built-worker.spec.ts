import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

/** Builds the service worker for clients that have only their page and public files. */
const BUILD = `
  const { default: configOf } = await import('./vite.config.ts');
  const { plugins } = configOf({ command: 'build', mode: 'production' });
  const { writeBundle } = plugins.flat().find(({ name }) => name === 'offcut:worker');
  for (const dir of process.argv.slice(1)) await writeBundle({ dir }, {});
`;

let folder: string;
/** The workers of four releases. */
let workers: string[];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'offcut-worker-'));
  const releases = ['nothing', 'nothing-again', 'theme.js', 'favicon.svg'].map((changed) => {
    const dir = join(folder, changed);
    mkdirSync(join(dir, 'assets'), { recursive: true });
    for (const name of ['index.html', 'theme.js', 'favicon.svg'])
      writeFileSync(join(dir, name), name === changed ? 'changed' : name);
    return dir;
  });
  const loader = ['--import', './test/support/typescript.mjs', '--input-type=module'];
  execFileSync(process.execPath, [...loader, '-e', BUILD, ...releases]);
  workers = releases.map((dir) => readFileSync(join(dir, 'sw.js'), 'utf8'));
});
afterAll(() => rmSync(folder, { recursive: true }));

it('[PWA-930] a release that changes only a file without a hash in its name gets a cache of its own', () => {
  const [first, ...later] = workers.map((worker) => /offcut-shell-[\w-]{10}/.exec(worker)?.[0]);
  expect(first).toBeDefined();
  expect(later.map((cache) => cache === first)).toEqual([true, false, false]);
  expect(new Set(later).size).toBe(3);
});

it('[PWA-930] the browser revalidates such files before the worker stores them', async () => {
  const stored: unknown[] = [];
  const installed: Promise<void>[] = [];
  const install = { waitUntil: (work: Promise<void>) => installed.push(work) };
  runInNewContext(workers[0] ?? '', {
    self: {
      skipWaiting: () => undefined,
      addEventListener: (type: string, listener: (event: typeof install) => void) =>
        type === 'install' && listener(install),
    },
    caches: { open: () => ({ addAll: (files: unknown[]) => void stored.push(...files) }) },
    Request: class {
      constructor(
        readonly path: string,
        readonly init: RequestInit,
      ) {}
    },
  });
  await Promise.all(installed);
  expect(stored).toEqual([
    expect.stringMatching(/^\/assets\/offline-[\w-]{10}\.html$/),
    { path: '/theme.js', init: { cache: 'no-cache' } },
    { path: '/favicon.svg', init: { cache: 'no-cache' } },
  ]);
});
