import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { freePort } from '../../adapters/platform/database/embedded/launch.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';

/** Instructions of the last stage of the Dockerfile, one per line. */
const instructions = readFileSync('Dockerfile', 'utf8')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split(/^FROM .*\n/m)
  .at(-1)
  ?.split('\n')
  .filter(Boolean) as string[];
const all = (name: string): string[] =>
  instructions.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
/** Only the last instruction of these kinds takes effect. */
const exec = (name: string): string[] => JSON.parse(/\[.*\]$/.exec(all(name).at(-1) ?? '')?.[0] ?? '[]');

const ENV = Object.fromEntries(
  all('ENV').flatMap((line) => [...line.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value])),
) as Record<string, string>;

let root: string;
let store: TestDatabase;
const children: ChildProcess[] = [];

/** Returns the packages that `npm prune --omit=dev` keeps. */
function packagesOfProduction(): string[] {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  return Object.entries(packages)
    .filter(([path, { dev }]) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && !dev && existsSync(path))
    .map(([path]) => path);
}

/** Places the files below `root` as in the image. */
function layOut(): void {
  const workdir = join(root, all('WORKDIR').at(-1) as string);
  for (const line of all('COPY')) {
    const words = line.split(/\s+/);
    const [from = '', to = ''] = words.filter((word) => !word.startsWith('--'));
    // The build stage contains the built repository without development files.
    const source = from.replace('/offcut/', '');
    const target = to.startsWith('/') ? join(root, to) : join(workdir, to === './' ? source : to);
    mkdirSync(dirname(target), { recursive: true });
    if (source === 'node_modules')
      for (const path of packagesOfProduction()) {
        const own = join(target, path.slice('node_modules/'.length));
        mkdirSync(dirname(own), { recursive: true });
        symlinkSync(join(process.cwd(), path), own);
      }
    else cpSync(source, target, { recursive: true });
    const mode = words.find((word) => word.startsWith('--chmod='));
    if (mode) chmodSync(target, Number.parseInt(mode.slice('--chmod='.length), 8));
  }
}

/** Maps paths of the image to paths below `root`. */
const here = (path: string): string => path.replaceAll(/(^|\s)(\/offcut\/)/g, `$1${root}$2`);

function run([program = '', ...args]: string[], env: Record<string, string>, stdio: 'pipe' | 'ignore') {
  const child = spawn(program, args, {
    cwd: join(root, all('WORKDIR').at(-1) as string),
    env: {
      ...ENV,
      // The same as in docker-compose.yml, because production requires keys and TLS.
      NODE_ENV: 'development',
      DEMO_CONTENT: 'off',
      MIGRATE: 'never',
      DATABASE_URL: store.url,
      DATA_DIR: join(root, 'data'),
      PATH: [join(root, 'usr/local/bin'), dirname(process.execPath), process.env.PATH].join(delimiter),
      ...env,
    },
    stdio: ['ignore', stdio, stdio],
  });
  children.push(child);
  return child;
}

async function ended(child: ChildProcess): Promise<{ code: number | null; text: string }> {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, text };
}
const offcut = (...args: string[]) => ended(run(['offcut', ...args], {}, 'pipe'));

beforeAll(async () => {
  store = await startTestDatabase();
  root = mkdtempSync(join(tmpdir(), 'offcut-image-'));
  layOut();
  // The image's root is a folder here.
  const shim = join(root, 'usr/local/bin/offcut');
  writeFileSync(shim, here(readFileSync(shim, 'utf8')));
});
afterAll(async () => {
  for (const child of children.filter(
    ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
  )) {
    child.kill('SIGKILL');
    await once(child, 'close');
  }
  await store?.close();
  rmSync(root, { recursive: true, force: true });
});

it('[OPS-269] the image has what the product needs to run, and nothing for its development', () => {
  const folder = join(root, 'offcut');
  expect(readdirSync(folder).sort()).toEqual(['dist', 'legal', 'node_modules', 'package.json']);
  expect(readdirSync(join(folder, 'dist'))).toEqual(expect.arrayContaining(['server', 'web', 'web-server']));
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as Record<'dependencies' | 'devDependencies', object>;
  const has = (name: string) => existsSync(join(folder, 'node_modules', name));
  expect(Object.keys(dependencies).filter((name) => !has(name))).toEqual([]);
  const tools = ['jest', 'oxlint', 'vite'];
  expect(tools.filter((name) => !(name in devDependencies))).toEqual([]);
  expect(tools.filter(has)).toEqual([]);
});

it('[OPS-269] `offcut` in the image starts the command line', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const said = await offcut('version');
  expect(said).toEqual({ code: 0, text: expect.stringContaining(version) });
  // The check before nodes of a new version start.
  expect(await offcut('migrate', '--check')).toEqual({
    code: 0,
    text: 'The database has the schema of this version.\n',
  });
  expect((await offcut('no-such-command')).code).not.toBe(0);
});

it('[OPEN-702] the image is built on one exact Node, the one that the packages bring, and says what it is', () => {
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    devDependencies: { node: string };
  };
  const bases = [...readFileSync('Dockerfile', 'utf8').matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
  const base = `node:${devDependencies.node}-bookworm-slim`;
  expect(bases).toEqual([bases[0], bases[0]]);
  expect(bases[0]).toMatch(new RegExp(`^${base}@sha256:[0-9a-f]{64}$`));
  const labels = all('LABEL').join(' ');
  for (const name of ['title', 'version', 'revision', 'base.name'])
    expect(labels).toContain(`org.opencontainers.image.${name}="`);
  expect(labels).toContain(`/${base}"`);
});

/** Returns the addresses on a server that a page or stylesheet loads. */
const loadedBy = (text: string): string[] =>
  [...text.matchAll(/(?:<script[^>]* src|<link[^>]* href)="([^"]+)"|url\(['"]?(\/[^'")]+)/g)].map(
    ([, link, file]) => (link ?? file) as string,
  );

it('[OPEN-703] the image serves every file of the client, of the API browser and of the payment simulator', async () => {
  const [port, simulator] = [await freePort(), await freePort()];
  const env = { ROLE: 'api', PORT: String(port), DATA_DIR: join(root, 'data-files') };
  const refused: string[] = [];
  const get = async (address: string): Promise<string> => {
    const answer = await fetch(address);
    const text = await answer.text();
    if (!answer.ok || text === '') refused.push(`${answer.status} ${address}`);
    return text;
  };
  for (const [command, line] of [
    [run(exec('CMD'), env, 'pipe'), 'Offcut runs at'],
    [run(['offcut', 'stripe', 'simulator', '--port', String(simulator)], env, 'pipe'), 'simulator runs at'],
  ] as const) {
    const end = ended(command);
    await new Promise<void>((resolve, reject) => {
      command.stdout?.on('data', (chunk: Buffer) => chunk.includes(line) && resolve());
      void end.then(({ code, text }) => reject(new Error(`ended with ${code}: ${text}`)));
    });
  }
  const shop = `http://127.0.0.1:${port}`;
  const client = readdirSync(join(root, 'offcut/dist/web'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(br|gz|zst)$|^index\.html$|^screens\.json$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).split('/dist/web')[1] as string);
  const browser = loadedBy(await get(`${shop}/api/docs`)).map(
    (link) => new URL(link, `${shop}/api/docs/`).pathname,
  );
  expect([client.length, browser.length].every((count) => count > 1)).toBe(true);
  for (const path of [...client, ...browser]) await get(shop + path);
  const payment = `http://127.0.0.1:${simulator}`;
  const fonts = loadedBy(await (await fetch(`${payment}/checkout/unknown`)).text());
  expect(fonts).toHaveLength(2);
  for (const path of fonts) await get(payment + path);
  expect(refused).toEqual([]);
});

it.each(['all', 'api', 'worker'])(
  '[OPS-269] the health check of the image holds while it runs as ROLE=%s, and not before or after',
  async (role) => {
    const env = { ROLE: role, PORT: String(await freePort()), DATA_DIR: join(root, `data-${role}`) };
    const isHealthy = async () => (await ended(run(exec('HEALTHCHECK'), env, 'ignore'))).code === 0;
    expect(await isHealthy()).toBe(false);
    const product = run(exec('CMD'), env, 'pipe');
    const end = ended(product);
    let text = '';
    await new Promise<void>((resolve, reject) => {
      product.stdout?.on('data', (chunk) => {
        text += chunk;
        if (text.includes('Offcut runs at')) resolve();
      });
      void end.then(({ code, text: said }) => reject(new Error(`ended with ${code}: ${said}`)));
    });
    expect(await isHealthy()).toBe(true);
    const page = await fetch(`http://127.0.0.1:${env.PORT}/`);
    expect([page.status, (await page.text()).includes('<h1')]).toEqual(
      role === 'worker' ? [404, false] : [200, true],
    );
    product.kill('SIGTERM');
    expect((await end).code).toBe(0);
    expect(await isHealthy()).toBe(false);
  },
);
