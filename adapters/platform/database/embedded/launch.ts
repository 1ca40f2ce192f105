import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { asUser, serverUser, startFailure, type Binaries } from './binaries.js';

const PATIENCE_MS = 30_000;
const LOG_LENGTH = 20_000;
const PASSING = /shared memory block|Address already in use|could not bind/;

/** Starts the server. Retries while processes of a killed server still use its memory or port. */
export async function launchPatiently(
  binaries: Binaries,
  data: string,
  options: { settings?: string[]; port?: number },
): Promise<{ server: ChildProcess; port: number }> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const port = options.port ?? (await freePort());
    try {
      return { server: await launch(binaries, data, port, options.settings ?? []), port };
    } catch (error) {
      const log = (error as Error).message;
      if (!PASSING.test(log) || Date.now() > deadline) throw startFailure(log, data);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}

async function launch(
  binaries: Binaries,
  data: string,
  port: number,
  settings: string[],
): Promise<ChildProcess> {
  const own = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'shared_buffers=128MB'];
  const given = ['-D', data, '-p', String(port), ...[...own, ...settings].flatMap((each) => ['-c', each])];
  const { command, args, ...user } = asUser(serverUser(data), binaries.postgres, given);
  // The server gets its own process group: Ctrl-C reaches only us, and we end the server after the last write.
  const server = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
    cwd: '/',
    ...user,
  });
  await new Promise<void>((resolve, reject) => {
    let log = '';
    server.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      // Keep only the end of the log: during recovery, every refused connection adds a line.
      log = (log + chunk).slice(-LOG_LENGTH);
      if (log.includes('ready to accept connections')) resolve();
    });
    server.once('error', reject);
    server.once('close', () => reject(new Error(log.trim())));
  });
  return server;
}

/** These ports lie below those of outgoing connections, which could take a free port before the server does. */
const PORTS = [15_000, 32_000] as const;
const TRIES = 100;

export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(...PORTS);
    if (await isFree(port)) return port;
  }
  throw new Error(`no port between ${PORTS.join(' and ')} is free`);
}

export const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
