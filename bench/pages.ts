/**
 * Pages that everybody may see over HTTP, the same bytes three ways: a plain Nest controller that reads them from
 * PostgreSQL, once whole from one row and once as the product puts them together; and the product, which answers
 * visitors from memory and asks the log first whether it may.
 *
 *   npm run bench -- bench/pages.ts
 */
import 'reflect-metadata';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Controller, Get, Module, Query } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CatalogueModule } from '../adapters/catalogue/catalogue.module.js';
import { Database } from '../adapters/platform/database/database.js';
import { createDatabase, startEmbeddedPostgres } from '../adapters/platform/database/embedded/embedded.js';
import { migrate } from '../adapters/platform/database/migrate.js';
import { PostgresPackQueries } from '../adapters/catalogue/pack-queries.js';
import { PacksQuery } from '../application/catalogue/contract.js';
import { SystemClock } from '../application/shared/clock.js';
import { startTestApp } from '../test/support/app.js';
import { growCatalogue } from './support/big-catalogue.js';
import { print, sideBySide, type Contender } from './support/measure.js';

const SAMPLES = 10_000;
const CONNECTIONS = 32;
const PATHS = ['/api/packs?limit=7', '/api/sounds'];

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'offcut-bench-'));
const server = await startEmbeddedPostgres(folder);
await createDatabase(server.url, 'pages');
const url = new URL(server.url);
url.pathname = '/pages';
const database = new Database(url.href);
try {
  await migrate(database);
  await database.pool.query('create table bench_page (path text primary key, body json)');
  await growCatalogue(database, 0, SAMPLES);
  const plain = await plainNest(new PostgresPackQueries(database, new SystemClock()));
  const product = await startTestApp({
    database,
    imports: [CatalogueModule],
    config: { searchIndex: false },
  });
  for (const path of PATHS) {
    await database.pool.query('insert into bench_page values ($1, $2)', [
      path,
      await (await fetch(product.url + path)).text(),
    ]);
    const whole = `${plain.url}/api/whole?path=${encodeURIComponent(path)}`;
    const bodies = await Promise.all(
      [plain.url + path, product.url + path, whole].map(async (address) => (await fetch(address)).text()),
    );
    if (new Set(bodies).size > 1) throw new Error(`${path} differs`);
    console.log(`${path}, ${((bodies[0]?.length ?? 0) / 1_000).toFixed(1)} kB, ${CONNECTIONS} connections`);
    const name = 'a plain Nest controller reading one row';
    print(
      await sideBySide([
        asked(name, whole),
        asked('a plain Nest controller reading the catalogue', plain.url + path),
        asked('Offcut, for visitors', product.url + path),
      ]),
      name,
    );
  }
  await product.close();
  await plain.close();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await database.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();

function asked(name: string, address: string): Contender {
  return {
    name,
    run: async (durationMs) => {
      const { stdout } = await run(
        process.execPath,
        [
          '--import',
          './test/support/typescript.mjs',
          'bench/support/visitors.ts',
          address,
          String(CONNECTIONS),
          String(durationMs),
        ],
        { maxBuffer: 64 * 1024 * 1024 },
      );
      return JSON.parse(stdout) as { done: number; latenciesMs: number[] };
    },
  };
}

async function plainNest(reader: PostgresPackQueries): Promise<{ url: string; close(): Promise<void> }> {
  class PlainController {
    packs(query: Record<string, string>) {
      return reader.list(PacksQuery.parse(query));
    }

    sounds() {
      return reader.sounds();
    }

    async whole({ path }: Record<string, string>) {
      const text = 'select body from bench_page where path = $1';
      return (await database.pool.query({ name: 'whole', text, values: [path] })).rows[0].body;
    }
  }
  class PlainModule {}
  // Written out: the loader of the bench knows types, not decorators.
  const handler = (name: 'packs' | 'sounds' | 'whole') =>
    Object.getOwnPropertyDescriptor(PlainController.prototype, name) as PropertyDescriptor;
  Controller('api')(PlainController);
  Get('packs')(PlainController.prototype, 'packs', handler('packs'));
  Query()(PlainController.prototype, 'packs', 0);
  Get('sounds')(PlainController.prototype, 'sounds', handler('sounds'));
  Get('whole')(PlainController.prototype, 'whole', handler('whole'));
  Query()(PlainController.prototype, 'whole', 0);
  Module({ controllers: [PlainController] })(PlainModule);
  const app = await NestFactory.create(PlainModule, { logger: false });
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => app.close() };
}
