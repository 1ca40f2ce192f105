/**
 * A server in a separate process with a POST that does nothing: bare Nest on Express, the product, or the product
 * without one of its parts.
 *
 *   node --import ./test/support/typescript.mjs bench/support/empty-server.ts <JSON of a task>
 *
 * Sends its port once it listens, and the processor time of its main thread on each message.
 */
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { Controller, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import * as z from 'zod';
import { SessionMemory } from '../../adapters/accounts/session-memory.js';
import { DeadlineGuard } from '../../adapters/platform/http/deadline.guard.js';
import { configureHttp, createOptions } from '../../adapters/platform/http/configure.js';
import { OriginGuard } from '../../adapters/platform/http/origin.guard.js';
import { BodyGuard } from '../../adapters/platform/http/bodies/body.guard.js';
import { RateLimitGuard } from '../../adapters/platform/http/limits/rate-limits.js';
import { Route } from '../../adapters/platform/http/route.js';
import { SessionGuard } from '../../adapters/platform/http/session/session.guard.js';
import { Metrics } from '../../adapters/platform/observability/metrics.js';
import { serveWebClient } from '../../adapters/platform/pages/web-client.js';
import { endpoint } from '../../application/shared/endpoint.js';
import { AppModule } from '../../bootstrap/app.module.js';
import { readConfig } from '../../bootstrap/config.js';
import { openResources } from '../../bootstrap/resources.js';

export interface ServerTask {
  kind: 'bare' | 'product';
  /** The part to remove from the product: the name of a middleware, or one of the parts below. */
  without?: string;
  env: Record<string, string>;
}

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

@Controller()
class BareController {
  @Post('/api/bench/empty')
  empty() {
    return {};
  }
}

@Module({ controllers: [BareController] })
class BareModule {}

const yes = () => true;
const PARTS: Record<string, () => void> = {
  guards: () => {
    for (const guard of [DeadlineGuard, OriginGuard, BodyGuard, RateLimitGuard])
      Object.assign(guard.prototype, { canActivate: yes });
  },
  sessions: () => Object.assign(SessionGuard.prototype, { canActivate: yes }),
  'session memory': () => {},
};

async function bare(): Promise<NestExpressApplication> {
  return NestFactory.create<NestExpressApplication>(BareModule, { logger: ['error'] });
}

async function product({ env, without = '' }: ServerTask): Promise<NestExpressApplication> {
  PARTS[without]?.();
  const config = readConfig(env);
  const resources = await openResources(config);
  @Module({ imports: [AppModule.with(resources)], controllers: [EmptyController] })
  class BenchModule {}
  const app = await NestFactory.create<NestExpressApplication>(BenchModule, {
    ...createOptions,
    logger: ['error'],
  });
  const use = app.use.bind(app);
  app.use = (...given: unknown[]) => {
    const kept = given.filter((one) => typeof one !== 'function' || one.name !== without);
    return kept.some((one) => typeof one === 'function') ? use(...kept) : app;
  };
  if (without === 'observe') Object.defineProperty(app.get(Metrics).observe, 'name', { value: 'observe' });
  configureHttp(app, config);
  await serveWebClient(app, 'dist/web', config);
  await app.init();
  if (without !== 'session memory') await app.get(SessionMemory).listen(resources.database);
  return app;
}

const task = JSON.parse(process.argv[2] ?? '') as ServerTask;
const app = await (task.kind === 'bare' ? bare() : product(task));
// Between runs, a connection is idle for longer than usual.
(app.getHttpServer() as Server).keepAliveTimeout = 600_000;
await app.listen(0, '127.0.0.1');
process.on('message', () => {
  // Nanoseconds on a processor.
  const [ran = '0'] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
  process.send?.(Number(ran) / 1_000);
});
process.on('disconnect', () => process.exit());
process.send?.((app.getHttpServer().address() as { port: number }).port);
