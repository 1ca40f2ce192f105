import type { RequestListener, Server } from 'node:http';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ConsoleLogger, Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SessionMemory } from '../adapters/accounts/session-memory.js';
import { staffRoles } from '../adapters/accounts/postgres-staff.js';
import { ComplaintQueries } from '../application/complaints/queries.js';
import { LegalTexts } from '../application/legal/legal-texts.js';
import { SignedHeads } from '../application/operations/signed-heads.js';
import { StaffQueries } from '../application/accounts/staff/staff-queries.js';
import { Draining } from '../adapters/platform/http/draining.js';
import { configureHttp, createOptions } from '../adapters/platform/http/configure.js';
import { serveWebClient } from '../adapters/platform/pages/web-client.js';
import { creatorStatus } from '../adapters/publishing/creator-status.js';
import { AppModule } from './app.module.js';
import { refuseWrongStripe } from './check-stripe.js';
import { Metrics } from '../adapters/platform/observability/metrics.js';
import { IndexSubscription, registerIndexMetrics } from '../adapters/catalogue/search/index-subscription.js';
import { registerFinanceMetrics } from '../adapters/ledger/finance-metrics.js';
import {
  registerJobMetrics,
  registerLogMetrics,
  registerPoolMetrics,
} from '../adapters/platform/observability/gauges.js';
import { traceWith, type Tracer } from '../adapters/platform/observability/tracing.js';
import { freePort } from '../adapters/platform/database/embedded/launch.js';
import type { Config } from './config.js';
import { refuseDemoPeople, refuseTrialSettings, shownByTrial } from './production.js';
import { openResources, type Resources } from './resources.js';
import { closeServer, createOperationsServer, listen, LimitedExpress } from './serving.js';
import { Reactors, Work } from './work.module.js';
import { createServer } from 'node:net';
import { registerMailMetrics } from '../adapters/mail/postgres-mails.js';
import { registerComplaintMetrics } from '../adapters/complaints/postgres-complaint-queries.js';

/** The time to close connections and end jobs after the last request. A busy machine needs more than a few seconds. */
export const CLOSING_MS = 10_000;

export interface Product {
  app: NestExpressApplication;
  resources: Resources;
  url: string;
  stop(): Promise<void>;
}

/** PORT=0 takes any free port. @param webFolder the built client; if absent, only the API is served */
export async function startProduct(given: Config, options: { webFolder?: string } = {}): Promise<Product> {
  const port = given.port === 0 ? await freePort() : given.port;
  const publicUrl = given.port === 0 ? given.publicUrl.replace(/:0$/, `:${port}`) : given.publicUrl;
  const config = { ...given, port, publicUrl };
  if (config.production) refuseTrialSettings(config);
  await checkPort(port, config.serving.host);
  const traces = await startTracing(config);
  const resources = await openResources(config);
  let servers: Server[] = [];
  let memory: SessionMemory | undefined;
  try {
    if (config.production) await refuseDemoPeople(resources.database);
    // In production, other programs read this output, so it is JSON. In development, a person reads warnings and errors.
    const logger = new ConsoleLogger({
      json: config.production,
      logLevels: config.production ? ['error', 'warn', 'log'] : ['error', 'warn'],
    });
    const app = await NestFactory.create<NestExpressApplication>(
      AppModule.with(resources),
      new LimitedExpress(config.serving),
      {
        ...createOptions,
        logger,
        abortOnError: false,
      },
    );
    configureHttp(app, config);
    const shown = shownByTrial(config);
    if (shown) new Logger('Network').warn(shown);
    if (config.production && config.staffNeedsSecondFactor) await warnOfStaffWithout(app.get(StaffQueries));
    registerLogMetrics(app.get(Metrics), resources);
    registerPoolMetrics(app.get(Metrics), resources);
    for (const each of [resources.calls, resources.batches]) each.register(app.get(Metrics).registry);
    registerJobMetrics(app.get(Metrics), resources.database);
    registerFinanceMetrics(app.get(Metrics), resources, app.get(SignedHeads));
    registerIndexMetrics(app.get(Metrics), app.get(IndexSubscription));
    registerMailMetrics(app.get(Metrics), resources.database);
    registerComplaintMetrics(app.get(Metrics), app.get(ComplaintQueries), resources.clock);
    if (options.webFolder)
      await serveWebClient(app, resolve(options.webFolder), {
        ...config,
        legal: app.get(LegalTexts).inHead,
      });
    await app.init();
    if (config.production) await refuseWrongStripe(app, resources);
    const work = config.role === 'api' ? undefined : app.get(Work);
    // If Stripe does not answer now, the first checkout creates the plans.
    const plans = resources.payments
      .ensureProducts()
      .catch((error: Error) => new Logger('Payments').warn(`plans were not checked: ${error.message}`));
    await Promise.all([plans, work?.open()]);
    servers = await serve(app, config);
    memory = await rememberSessions(app, resources);
    if (work) {
      await Promise.all([resources.logSubscriptions.start(app.get(Reactors).all), work.start()]);
    }
    const stop = async (): Promise<void> => {
      // The load balancer must stop sending requests before the server refuses connections.
      app.get(Draining).isDraining = true;
      await pause(config.serving.shutdownDelayMs);
      const limitMs = config.serving.shutdownLimitMs;
      await Promise.all([...servers.map((server) => closeServer(server, limitMs)), work?.stop(limitMs)]);
      await app.close();
      await memory?.stop();
      await resources.logSubscriptions.stop();
      await resources.close();
      await traces?.close();
    };
    return { app, resources, url: publicUrl, stop };
  } catch (error) {
    await abandon({ servers, memory, resources });
    throw error;
  }
}

/** Closes a product whose start failed. Gives up after `CLOSING_MS`, because a connection may never be returned. */
async function abandon(begun: {
  servers: Server[];
  memory: SessionMemory | undefined;
  resources: Resources;
}): Promise<void> {
  const { servers, memory, resources } = begun;
  const closed = new AbortController();
  const close = async (): Promise<void> => {
    // Before the database closes: requests and subscriptions would log its absence every second.
    await Promise.all([
      ...servers.map((server) => closeServer(server, 0)),
      memory?.stop(),
      resources.logSubscriptions.stop(),
    ]);
    await resources.close();
  };
  await Promise.race([
    // The caller throws the error that made the start fail.
    close()
      .catch(() => {})
      .finally(() => closed.abort()),
    pause(CLOSING_MS, undefined, closed).catch(() => {}),
  ]);
}

/** Starts tracing before any traced resource is opened. Without traces, OpenTelemetry is not loaded. */
async function startTracing({ traces }: Config): Promise<Tracer | undefined> {
  if (!traces) return undefined;
  const { openTelemetry } = await import('../adapters/platform/observability/opentelemetry.js');
  const tracer = openTelemetry(traces);
  traceWith(tracer);
  return {
    ...tracer,
    close: () => {
      traceWith(undefined);
      return tracer.close();
    },
  };
}

/** Makes this process forget cached sessions as soon as an event that changes rights is appended. */
async function rememberSessions(app: NestExpressApplication, resources: Resources): Promise<SessionMemory> {
  const memory = app.get(SessionMemory);
  const { config, database, eventStore } = resources;
  if (config.role === 'worker') return memory;
  const rights = new Set<string>([...staffRoles.types, ...creatorStatus.types]);
  eventStore.onAppend(({ types }) => {
    if (!types || types.some((type) => rights.has(type))) memory.forgetAll();
  });
  await memory.listen(database);
  return memory;
}

/** Warns about staff whose roles have no effect until they set up a second factor. */
async function warnOfStaffWithout(staff: StaffQueries): Promise<void> {
  const without = (await staff.members()).filter(({ hasSecondFactor }) => !hasSecondFactor);
  const names = Array.from(new Set(without.map(({ displayName }) => displayName)));
  if (names.length > 0)
    new Logger('Staff').warn(`no second factor yet, so their roles do not count: ${names.join(', ')}`);
}

/** PORT serves the API, or only operations routes on a worker. METRICS_PORT serves operations routes on any node. */
async function serve(app: NestExpressApplication, config: Config): Promise<Server[]> {
  const { role, port, serving, metrics } = config;
  const routes = app.getHttpAdapter().getInstance() as RequestListener;
  const main: Server = role === 'worker' ? createOperationsServer(serving, routes) : app.getHttpServer();
  const monitored =
    metrics.port === undefined ? [] : [[createOperationsServer(serving, routes), metrics.port] as const];
  const listening = [[main, port] as const, ...monitored];
  for (const [server, at] of listening) {
    await listen(server, at, serving.host);
  }
  return listening.map(([server]) => server);
}

function checkPort(port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => server.close(() => resolve()));
  });
}
