import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StripeSimulator } from '../../simulators/stripe/server.js';

const CLI = join(process.cwd(), 'dist/server/cli/cli.js');

/** `offcut stripe simulator` in a process of its own. */
export interface ChildSimulator extends Pick<StripeSimulator, 'url'> {
  /** The settings that it prints for the processes that share it. */
  settings: Record<string, string>;
  hook(name: string, fields?: object): Promise<void>;
  /** Kills it, as a power cut would, and starts it again on its folder and port. Resolves when so many processes follow its clock. */
  restart(followers?: number): Promise<void>;
  remove(): Promise<void>;
}

export async function startChildSimulator(webhookUrl: string): Promise<ChildSimulator> {
  const dataDir = mkdtempSync(join(tmpdir(), 'offcut-simulator-'));
  let child: ChildProcess;
  const ended = (signal: NodeJS.Signals): Promise<unknown> =>
    new Promise((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve(undefined);
      child.once('exit', resolve);
      child.kill(signal);
    });
  const start = (port: string): Promise<Record<string, string>> => {
    const args = [
      CLI,
      'stripe',
      'simulator',
      '--port',
      port,
      '--data-dir',
      dataDir,
      '--webhook-url',
      webhookUrl,
    ];
    child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let log = '';
    return new Promise((resolve, reject) => {
      const read = (chunk: Buffer): void => {
        log += chunk.toString();
        if (!log.includes('Ctrl-C stops it.')) return;
        resolve(
          Object.fromEntries(
            [...log.matchAll(/^(STRIPE_\w+)=(\S+)$/gm)].map(([, name, value]) => [name, value]),
          ),
        );
      };
      child.stdout?.on('data', read);
      child.stderr?.on('data', read);
      child.once('exit', (code) => reject(new Error(`the simulator ended with ${code}:\n${log}`)));
    });
  };
  const settings = await start('0');
  const url = settings['STRIPE_API_BASE'] as string;
  return {
    url,
    settings,
    hook: async (name, fields = {}) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${url}/_test/${name}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(fields),
      });
      if (!answer.ok) throw new Error(`${name}: ${answer.status} ${await answer.text()}`);
    },
    restart: async (followers = 0) => {
      await ended('SIGKILL');
      await start(new URL(url).port);
      for (;;) {
        const clock = (await (await fetch(`${url}/_test/clock`)).json()) as { followers: number };
        if (clock.followers >= followers) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    remove: async () => {
      await ended('SIGINT');
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
