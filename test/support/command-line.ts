import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
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
/** The command line in processes of its own, beside a running product with one creator. */
export class CommandLine {
  private constructor(
    readonly product: TestProduct,
    readonly creator: HttpClient,
    readonly handle: string,
    /** Removed at the end. */
    readonly scratch: string,
  ) {}

  static async open(): Promise<CommandLine> {
    const product = await startTestProduct();
    const creator = await product.signedUp();
    await creator.post('/api/creator/application', {});
    const { handle } = (await creator.get('/api/creator')).body as { handle: string };
    return new CommandLine(product, creator, handle, mkdtempSync(join(tmpdir(), 'offcut-cli-')));
  }

  start(...args: string[]): ChildProcess {
    return this.startWith({}, ...args);
  }

  private startWith(more: Record<string, string>, ...args: string[]): ChildProcess {
    const env = {
      ...process.env,
      NODE_ENV: 'test',
      DATA_DIR: this.product.dataDir,
      DATABASE_URL: this.product.resources.config.databaseUrl,
      NODE_OPTIONS: '',
      ...more,
    };
    return spawn(process.execPath, [ENTRY, ...args], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  run(...args: string[]): Promise<Ended> {
    return ended(this.start(...args));
  }

  /** With further settings in its environment. */
  runWith(env: Record<string, string>, ...args: string[]): Promise<Ended> {
    return ended(this.startWith(env, ...args));
  }

  async ownPack(slug: string): Promise<PackSeen> {
    return (await this.creator.get(`/api/creator/packs/${slug}`)).body as PackSeen;
  }

  async close(): Promise<void> {
    await this.product.stop();
    rmSync(this.scratch, { recursive: true, force: true });
  }
}

export function ended(child: ChildProcess): Promise<Ended> {
  const result: Ended = { code: null, stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => (result.stdout += chunk));
  child.stderr?.on('data', (chunk) => (result.stderr += chunk));
  return new Promise((done) => child.once('close', (code) => done({ ...result, code })));
}

/** A second of a tone: a real, if dull, WAV. */
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
