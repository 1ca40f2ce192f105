/**
 * Development server: `npm run dev`. The server restarts when one of its sources changes, and Vite sends changes of
 * the client to open pages. Vite's address serves both.
 *
 *   npm run dev -- --debug                     listens for a debugger on 9229
 *   npm run dev -- --debug 127.0.0.1:9230      listens elsewhere
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { ensure, giveUp, ROOT } from './ensure.mjs';

const { env } = process;

/** The database outlives restarts of the server, so that they take two seconds and interrupt no recovery. */
async function openDatabase() {
  const { startEmbeddedPostgres } =
    await import('../dist/server/adapters/platform/database/embedded/embedded.js');
  return startEmbeddedPostgres(join(resolve(ROOT, env.DATA_DIR || '.data'), 'postgres'), { restart: true });
}

function start(script, args, settings) {
  return spawn(process.execPath, [join(ROOT, 'node_modules', script), ...args], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...env, ...settings },
  });
}

function startServer(database) {
  // No shell in between, because it would not forward signals.
  const args = ['start', '--watch', '--no-shell', '--preserveWatchOutput', ...process.argv.slice(2)];
  return start('@nestjs/cli/bin/nest.js', args, {
    PUBLIC_URL: env.PUBLIC_URL || `http://localhost:${env.CLIENT_PORT || 5173}`,
    ...(database && { DATABASE_URL: database.url, DEMO_CONTENT: env.DEMO_CONTENT || 'on' }),
  });
}

const startClient = () =>
  start('vite/bin/vite.js', ['--clearScreen', 'false'], {
    API_ORIGIN: `http://127.0.0.1:${env.PORT || 3000}`,
  });

async function main() {
  await ensure();
  const database = env.DATABASE_URL ? undefined : await openDatabase();
  try {
    const both = [startServer(database), startClient()];
    const endBoth = () => both.forEach((each) => each.kill('SIGTERM'));
    // Ctrl-C reaches both children, but `kill` reaches only this process. Waits for both: the server still writes.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, endBoth);
    await Promise.all(both.map((each) => once(each, 'exit').then(endBoth)));
  } finally {
    await database?.stop();
  }
}

main().then(() => process.exit(), giveUp);
