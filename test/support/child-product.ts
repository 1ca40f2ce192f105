import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isFree } from '../../adapters/platform/database/embedded/launch.js';
import { HttpClient } from './http-client.js';

const MAIN = join(process.cwd(), 'dist/server/bootstrap/main.js');
const START_LIMIT_MS = 90_000;
/** Below the ports that `freePort` gives, so that no other program takes the port of a product that restarts. */
const FIRST_PORT = 10_000;
const PORTS_PER_WORKER = 1_000;
const WORKERS = 5;

let started = 0;
async function ownPort(): Promise<number> {
  for (;;) {
    const nth = (process.pid + started++) % PORTS_PER_WORKER;
    const worker = Number(process.env.JEST_WORKER_ID) % WORKERS;
    const port = FIRST_PORT + worker * PORTS_PER_WORKER + nth;
    if (await isFree(port)) return port;
  }
}

/**
 * The built product in a process of its own, as `npm start` runs it: embedded database, folder, simulator.
 */
export interface ChildProduct {
  url: string;
  dataDir: string;
  /** All output so far. */
  log(): string;
  /** Kills it, as a power cut would. The next start takes over its database server. */
  kill(): Promise<void>;
  /** Kills the database server, as a power cut would. */
  killDatabase(): void;
  /** Starts it again on the same folder. */
  restart(): Promise<void>;
  /** Sends SIGINT, as Ctrl-C does. @returns its exit code */
  interrupt(): Promise<number | null>;
  /** Sends SIGTERM, as a container's host does. @returns its exit code */
  terminate(): Promise<number | null>;
  remove(): Promise<void>;
  browser(): HttpClient;
}

export async function startChildProduct(env: Record<string, string> = {}): Promise<ChildProduct> {
  if (!existsSync(MAIN)) throw new Error('The product is not built: npm run build');
  const dataDir = mkdtempSync(join(tmpdir(), 'offcut-child-'));
  let child: ChildProcess;
  let log = '';
  let url = '';
  const port = String(await ownPort());

  const start = async (): Promise<void> => {
    child = spawn(process.execPath, [MAIN], {
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        PORT: port,
        DATA_DIR: dataDir,
        DEMO_CONTENT: 'off',
        RATE_LIMIT_SCALE: '1000',
        REQUIRE_ORIGIN: 'off',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const startedAt = log.length;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`not up in time:\n${log}`)), START_LIMIT_MS);
      const read = (chunk: Buffer): void => {
        log += chunk.toString();
        const said = /Offcut runs at (\S+)/.exec(log.slice(startedAt));
        if (!said) return;
        url = said[1] as string;
        clearTimeout(timer);
        resolve();
      };
      child.stdout?.on('data', read);
      child.stderr?.on('data', read);
      child.once('exit', (code) => {
        clearTimeout(timer);
        reject(new Error(`ended with ${code} before it was up:\n${log}`));
      });
    });
  };
  const ended = (signal: NodeJS.Signals): Promise<number | null> =>
    new Promise((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve(child.exitCode);
      child.once('exit', (code) => resolve(code));
      child.kill(signal);
    });

  await start();
  return {
    get url() {
      return url;
    },
    dataDir,
    log: () => log,
    kill: async () => void (await ended('SIGKILL')),
    killDatabase: () => {
      const [pid] = readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n');
      process.kill(Number(pid), 'SIGKILL');
    },
    restart: start,
    interrupt: () => ended('SIGINT'),
    terminate: () => ended('SIGTERM'),
    remove: async () => {
      await ended('SIGINT');
      rmSync(dataDir, { recursive: true, force: true });
    },
    browser: () => new HttpClient(url),
  };
}
