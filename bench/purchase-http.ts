/**
 * Purchases over HTTP beside an authenticated POST that does nothing, on the same server, with the same clients in
 * a process of their own.
 *
 *   npm run bench -- bench/purchase-http.ts
 */
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import * as z from 'zod';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Route } from '../adapters/platform/http/route.js';
import { endpoint } from '../application/shared/endpoint.js';
import { configureHttp, createOptions } from '../adapters/platform/http/configure.js';
import { AppModule } from '../bootstrap/app.module.js';
import { readConfig } from '../bootstrap/config.js';
import { openResources } from '../bootstrap/resources.js';
import { freePort } from '../adapters/platform/database/embedded/launch.js';
import { startEmbeddedPostgres } from '../adapters/platform/database/embedded/embedded.js';
import { HttpClient } from '../test/support/http-client.js';
import { stock } from '../test/support/stock.js';
import { startClients } from './support/buying-clients.js';
import { cpuMs } from './support/cpu.js';
import { print, sideBySide, type Contender } from './support/measure.js';

const BUYERS = 64;
/** Connections of each buyer. */
const CONNECTIONS = 4;
const CLIENTS = BUYERS * CONNECTIONS;
const SAMPLES = 4_000;
const CREDITS = 1_000_000;

const empty = endpoint('POST /api/bench/empty', {
  summary: 'Does nothing',
  tag: 'Bench',
  access: 'user',
  answers: { 201: z.object({}) },
});

@Controller()
class EmptyController {
  @Route(empty)
  empty() {
    return {};
  }
}

const folder = mkdtempSync(join(tmpdir(), 'offcut-bench-'));
const server = await startEmbeddedPostgres(join(folder, 'postgres'));
const port = await freePort();
const config = readConfig({
  NODE_ENV: 'test',
  PORT: String(port),
  DATA_DIR: folder,
  DATABASE_URL: server.url,
  RATE_LIMIT_SCALE: '1000000',
  DEMO_CONTENT: 'off',
});
const resources = await openResources(config);
try {
  @Module({ imports: [AppModule.with(resources)], controllers: [EmptyController] })
  class BenchModule {}
  const app = await NestFactory.create<NestExpressApplication>(BenchModule, {
    ...createOptions,
    logger: ['error'],
  });
  configureHttp(app, config);
  await app.init();
  await app.listen(port);
  const samples = await stockWithFiles();
  const tokens: string[] = [];
  for (let n = 0; n < BUYERS; n += 1) tokens.push(await buyer(`http://127.0.0.1:${port}`));
  const clients = await startClients({ port, origin: config.publicUrl, tokens, connections: CONNECTIONS });
  const empty: Contender = {
    name: `an authenticated POST that does nothing, ${CLIENTS} in flight`,
    run: (durationMs) => clients.run({ path: '/api/bench/empty', durationMs }),
  };
  const purchase: Contender = {
    name: `a purchase, ${CLIENTS} in flight`,
    run: (durationMs) => clients.run({ path: '/api/downloads', samples, durationMs }),
  };
  const results = await sideBySide([empty, purchase], {
    rounds: 5,
    durationMs: 2_000,
    cpuMs: () => cpuMs(server.pid),
  });
  print(results, empty.name);
  clients.end();
  await app.close();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await resources.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();

/** Every sample has the same file: what counts is that one is there. */
async function stockWithFiles(): Promise<string[]> {
  const ids = await stock(resources.database, SAMPLES);
  const key = 'Users/junie/Packs/bench/Tone.wav';
  await resources.storage.put(key, Buffer.from('RIFF'), { contentType: 'audio/wav' });
  await resources.database.pool.query(`update sample set original_key = $1`, [key]);
  return ids;
}

/** Signs up and has credits. @returns a session's token */
async function buyer(url: string): Promise<string> {
  const client = await HttpClient.signUp(url);
  await resources.creditExecutor.grantPromotion(
    { userId: client.userId, grantId: client.userId, credits: CREDITS, grantedAt: new Date() },
    { correlationId: 'bench' },
  );
  return client.cookies.get('offcut_session') as string;
}
