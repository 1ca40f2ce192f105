/**
 * Compares three ways to serve the same bytes of public pages over HTTP. Two are a plain Nest controller that reads
 * PostgreSQL: the whole answer from one row, or composed as the product does. The third is the product, which
 * answers visitors from memory after asking the log whether it may. It is measured at rest and during purchases.
 *
 *   npm run bench -- bench/pages.ts
 */
import 'reflect-metadata';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
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
import { catalogueSearch } from '../adapters/catalogue/search/catalogue-search.js';
import { PostgresEventStore } from '../adapters/platform/event-log/postgres-event-store.js';
import { LogSubscriptions } from '../adapters/platform/event-log/subscriptions.js';
import { PackQueries } from '../adapters/catalogue/pack-queries.js';
import { PacksQuery } from '../application/catalogue/contract.js';
import { SystemClock } from '../application/shared/clock.js';
import { startTestApp } from '../test/support/app.js';
import { recordPurchases } from '../test/support/catalogue.js';
import { SAMPLES_OF_PACK, growCatalogue } from './support/big-catalogue.js';
import { print, sideBySide, type Contender } from './support/measure.js';

const SAMPLES = 10_000;
const CONNECTIONS = 32;
const SALES_PER_SECOND = 15;
const PATHS = ['/api/packs?limit=7', '/api/sounds'];

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'offcut-bench-'));
const server = await startEmbeddedPostgres(folder);
await createDatabase(server.url, 'pages');
const url = new URL(server.url);
url.pathname = '/pages';
const database = new Database(url.href);
const eventStore = new PostgresEventStore(database, new SystemClock());
try {
  await migrate(database);
  await database.pool.query('create table bench_page (path text primary key, body json)');
  await growCatalogue(database, 0, SAMPLES);
  const plain = await plainNest(new PackQueries(database, new SystemClock()));
  const product = await startTestApp({
    database,
    imports: [CatalogueModule],
    config: { searchIndex: false },
    clock: new SystemClock(),
  });
  const subscriptions = new LogSubscriptions(database, eventStore, [catalogueSearch], console);
  await subscriptions.start([]);
  const whole = (path: string): string => `${plain.url}/api/whole?path=${encodeURIComponent(path)}`;
  for (const path of PATHS) {
    await database.pool.query('insert into bench_page values ($1, $2)', [
      path,
      await (await fetch(product.url + path)).text(),
    ]);
    const bodies = await Promise.all(
      [plain.url + path, product.url + path, whole(path)].map(async (address) =>
        (await fetch(address)).text(),
      ),
    );
    if (new Set(bodies).size > 1) throw new Error(`${path} differs`);
  }
  for (const path of PATHS) {
    const length = (await (await fetch(product.url + path)).text()).length;
    console.log(`${path}, ${(length / 1_000).toFixed(1)} kB, ${CONNECTIONS} connections`);
    const name = 'a plain Nest controller reading one row';
    print(
      await sideBySide([
        asked(name, whole(path)),
        asked('a plain Nest controller reading the catalogue', plain.url + path),
        asked('Offcut, for visitors', product.url + path),
        whileBought(asked(`the same, ${SALES_PER_SECOND} sounds a second bought`, product.url + path)),
      ]),
      name,
    );
  }
  await subscriptions.stop();
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

function whileBought({ name, run: visit }: Contender): Contender {
  const buy = (): Promise<void> => {
    const n = Math.floor(Math.random() * SAMPLES);
    const sample = {
      sampleId: `s${String(n).padStart(9, '0')}`,
      packId: `p${Math.floor(n / SAMPLES_OF_PACK)}`,
      creatorId: 'c0',
    };
    return recordPurchases(eventStore, sample, [randomUUID()]);
  };
  return {
    name,
    run: async (durationMs) => {
      const sales: Promise<void>[] = [];
      const timer = setInterval(() => sales.push(buy()), 1_000 / SALES_PER_SECOND);
      try {
        return await visit(durationMs);
      } finally {
        clearInterval(timer);
        await Promise.all(sales);
      }
    },
  };
}

async function plainNest(reader: PackQueries): Promise<{ url: string; close(): Promise<void> }> {
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
  // Decorators written as calls, because the loader of the bench strips types and does not know decorators.
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
