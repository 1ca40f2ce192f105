import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { format } from 'node:util';
import { ConsoleLogger, Logger } from '@nestjs/common';
import { runOffcut } from '../../cli/commands.js';
import type { HttpClient } from './http-client.js';
import { startTestProduct, type TestProduct } from './product.js';

export const ROOT = resolve(import.meta.dirname, '../..');
const ENTRY = 'dist/server/cli/cli.js';

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface PackSeen {
  title: string;
  genre: string;
  status: string;
  samples: Array<{
    name: string;
    filename: string;
    bpm: number;
    key: string | null;
    creditCost: number;
    instruments: string[];
  }>;
}
/** The command line, in this process or in child processes, beside a running product with one creator. */
export class CommandLine {
  /** The previous command. */
  private last: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly product: TestProduct,
    readonly creator: HttpClient,
    readonly handle: string,
    /** A folder that `close` removes. */
    readonly scratch: string,
  ) {}

  static async open(): Promise<CommandLine> {
    const product = await startTestProduct();
    const creator = await product.signedUp();
    await creator.becomeCreator();
    const { handle } = (await creator.get('/api/creator')).body as { handle: string };
    return new CommandLine(product, creator, handle, mkdtempSync(join(tmpdir(), 'offcut-cli-')));
  }

  private get environment(): Record<string, string | undefined> {
    return {
      NODE_ENV: 'test',
      DATA_DIR: this.product.dataDir,
      DATABASE_URL: this.product.resources.config.databaseUrl,
    };
  }

  /** Starts the command in a child process, which a test can interrupt. */
  start(...args: string[]): ChildProcess {
    return spawn(process.execPath, [ENTRY, ...args], {
      cwd: ROOT,
      env: { ...process.env, ...this.environment, NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  run(...args: string[]): Promise<Ended> {
    return this.runWith({}, ...args);
  }

  /**
   * Runs with additional environment variables. Commands run one after the other, because they print through
   * this process's console.
   */
  runWith(env: Record<string, string>, ...args: string[]): Promise<Ended> {
    const run = this.last.then(() => runHere({ ...this.environment, ...env }, args));
    this.last = run.catch(() => undefined);
    return run;
  }

  async ownPack(slug: string): Promise<PackSeen> {
    return (await this.creator.get(`/api/creator/packs/${slug}`)).body as PackSeen;
  }

  async close(): Promise<void> {
    await this.product.stop();
    rmSync(this.scratch, { recursive: true, force: true });
  }
}

/** Runs a command in this process, through the function that a process of its own would call. */
async function runHere(env: Record<string, string | undefined>, args: string[]): Promise<Ended> {
  const before = Object.fromEntries(Object.keys(env).map((name) => [name, process.env[name]]));
  const { log, error } = console;
  const result: Ended = { code: null, stdout: '', stderr: '' };
  setEnvironment(env);
  process.exitCode = undefined;
  console.log = (...words) => void (result.stdout += `${format(...words)}\n`);
  console.error = (...words) => void (result.stderr += `${format(...words)}\n`);
  try {
    result.code = await runOffcut(args);
    return result;
  } finally {
    Object.assign(console, { log, error });
    process.exitCode = undefined;
    setEnvironment(before);
    // The command has set its own logger, which the product would keep.
    Logger.overrideLogger(new ConsoleLogger({ logLevels: ['error', 'warn'] }));
  }
}

function setEnvironment(env: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(env))
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
}

export function ended(child: ChildProcess): Promise<Ended> {
  const result: Ended = { code: null, stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => (result.stdout += chunk));
  child.stderr?.on('data', (chunk) => (result.stderr += chunk));
  return new Promise((done) => child.once('close', (code) => done({ ...result, code })));
}

/** Writes a WAV file with one second of a tone. */
export function tone(path: string, hertz: number): void {
  const frames = 44_100;
  const bytes = Buffer.alloc(44 + frames * 2);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(36 + frames * 2, 4);
  bytes.write('WAVEfmt ', 8);
  [
    [16, 16, 4],
    [20, 1, 2],
    [22, 1, 2],
    [24, 44_100, 4],
    [28, 88_200, 4],
    [32, 2, 2],
    [34, 16, 2],
    [40, frames * 2, 4],
  ].forEach(([at, value, size]) => bytes.writeUIntLE(value as number, at as number, size as number));
  bytes.write('data', 36);
  for (let i = 0; i < frames; i++)
    bytes.writeInt16LE(Math.round(12_000 * Math.sin((2 * Math.PI * hertz * i) / 44_100)), 44 + i * 2);
  writeFileSync(path, bytes);
}
