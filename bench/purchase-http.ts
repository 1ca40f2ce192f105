/**
 * Compares purchases over HTTP with an authenticated POST that does nothing, on the same server with the same
 * clients in a separate process. A run of purchases ends when read models and reactors have caught up. Processor
 * time includes the server, PostgreSQL and subscriptions. With TEST_S3_ENDPOINT, TEST_S3_ACCESS_KEY_ID and
 * TEST_S3_SECRET_ACCESS_KEY, files are in a bucket.
 *
 *   npm run bench -- bench/purchase-http.ts [rounds]
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
import { SessionMemory } from '../adapters/accounts/session-memory.js';
import { AppModule } from '../bootstrap/app.module.js';
import { readConfig } from '../bootstrap/config.js';
import { PROJECTIONS } from '../bootstrap/projections.js';
import { openResources } from '../bootstrap/resources.js';
import { LimitedExpress } from '../bootstrap/serving.js';
import { Reactors } from '../bootstrap/work.module.js';
import { freePort } from '../adapters/platform/database/embedded/launch.js';
import { startEmbeddedPostgres } from '../adapters/platform/database/embedded/embedded.js';
import { HttpClient } from '../test/support/http-client.js';
import { stock } from '../test/support/stock.js';
import { startClients } from './support/buying-clients.js';
import { cpuMs } from './support/cpu.js';
import { print, sideBySide, type Contender } from './support/measure.js';

/** Numbers of buyers. Each buyer has `CONNECTIONS` connections. */
const BUYERS = [8, 64];
const CONNECTIONS = 4;
const PATIENCE_MS = 120_000;
const GOALS = 'goals: 900 µs a purchase, 1,000/s on four processors, p99 60 ms at 250/s';
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
  ...(process.env.TEST_S3_ENDPOINT && {
    S3_ENDPOINT: process.env.TEST_S3_ENDPOINT,
    S3_BUCKET: `bench-${process.pid}`,
    S3_ACCESS_KEY_ID: process.env.TEST_S3_ACCESS_KEY_ID,
    S3_SECRET_ACCESS_KEY: process.env.TEST_S3_SECRET_ACCESS_KEY,
  }),
});
const resources = await openResources(config);
try {
  @Module({ imports: [AppModule.with(resources)], controllers: [EmptyController] })
  class BenchModule {}
  const app = await NestFactory.create<NestExpressApplication>(
    BenchModule,
    // Between runs, a connection is idle for longer than usual.
    new LimitedExpress(config.serving),
    { ...createOptions, logger: ['error'] },
  );
  configureHttp(app, config);
  await app.init();
  await app.listen(port);
  await app.get(SessionMemory).listen(resources.database);
  const reactors = app.get(Reactors).all;
  await resources.logSubscriptions.start(reactors);
  const followers = [...PROJECTIONS.async, ...reactors].map(({ name }) => name);
  const samples = await stockWithFiles();
  const contenders: Contender[] = [];
  for (const buyers of BUYERS) {
    const tokens: string[] = [];
    for (let n = 0; n < buyers; n += 1) tokens.push(await buyer(`http://127.0.0.1:${port}`));
    const clients = await startClients({ port, origin: config.publicUrl, tokens, connections: CONNECTIONS });
    const inFlight = `${buyers * CONNECTIONS} in flight`;
    contenders.push({
      name: `an authenticated POST that does nothing, ${inFlight}`,
      run: (durationMs) => clients.run({ path: '/api/bench/empty', durationMs }),
    });
    contenders.push({
      name: `a purchase, ${inFlight}`,
      run: async (durationMs) => {
        const bought = await clients.run({ path: '/api/downloads', samples, durationMs });
        const { position } = await resources.eventStore.head();
        if (!(await resources.logSubscriptions.caughtUp(position, PATIENCE_MS, followers)))
          throw new Error('the followers are behind');
        return bought;
      },
    });
  }
  const results = await sideBySide(contenders, {
    rounds: Number(process.argv[2] ?? 5),
    durationMs: 2_000,
    cpuMs: () => cpuMs(server.pid),
  });
  print(results, (contenders[0] as Contender).name);
  console.log(GOALS);
  await app.get(SessionMemory).stop();
  await resources.logSubscriptions.stop();
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

/** Puts samples on sale that share one file. Purchases only check that it exists. */
async function stockWithFiles(): Promise<string[]> {
  const ids = await stock(resources.database, SAMPLES);
  const key = 'Users/junie/Packs/bench/Tone.wav';
  await resources.storage.put(key, Buffer.from('RIFF'), { contentType: 'audio/wav' });
  await resources.database.pool.query(`update sample set original_key = $1`, [key]);
  return ids;
}

/** Creates an account with credits. @returns a session's token */
async function buyer(url: string): Promise<string> {
  const client = await HttpClient.signUp(url);
  await resources.creditExecutor.grantPromotion(
    { userId: client.userId, grantId: client.userId, credits: CREDITS, grantedAt: new Date() },
    { correlationId: 'bench' },
  );
  return client.cookies.get('offcut_session') as string;
}
