import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { answerApi } from './api.js';
import type { Receiver } from './webhook-dispatcher.js';
import { answerPage } from './page-routes.js';
import { simulate, type Answer, type Simulation, type StripeSimulatorOptions } from './simulation.js';
import { saveState } from './state.js';
import { answerTestHook } from './test-hooks.js';

export type StripeSimulator = Awaited<ReturnType<typeof startStripeSimulator>>;

const MAX_BODY_BYTES = 1_000_000;
const TICK_MS = 30_000;

/** Starts a simulator of Stripe's HTTP API. The simulator remembers the objects that callers create. */
export async function startStripeSimulator(options: StripeSimulatorOptions) {
  const simulation = simulate(options, () => url);
  const { dispatcher, world } = simulation;
  const server = createServer((request, response) => void serve(simulation, request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, options.host ?? '127.0.0.1', resolve);
  });
  const url = `http://${options.host ?? '127.0.0.1'}:${(server.address() as AddressInfo).port}`;
  // A restart may use another port, so open pages move to the new address.
  for (const session of Object.values(world.objects.checkoutSessions))
    if (session.status === 'open') session.url = `${url}/c/pay/${session.id}`;
  for (const invoice of Object.values(world.objects.invoices))
    if (invoice.hosted_invoice_url) invoice.hosted_invoice_url = `${url}/i/${invoice.id}`;
  const timer = setInterval(simulation.passTime, TICK_MS);
  timer.unref();
  simulation.passTime();
  return {
    /** Base address, without a trailing slash: the value for STRIPE_API_BASE. */
    url,
    now: () => new Date(world.now() * 1000),
    /** How far the simulated time is ahead of the real time. */
    offsetMs: () => world.state.clockOffsetSeconds * 1000,
    /** Moves the clock and runs everything that falls due. Resolves after the first attempt of every webhook. */
    advance: simulation.advance,
    /** Sends webhooks to another address from now on. */
    deliverTo: (webhookUrl: string, secret: string) => dispatcher.direct(webhookUrl, secret),
    /** Delivers signed webhooks to a receiver in this process. */
    divert: (receiver: Receiver) => dispatcher.divert(receiver),
    /** Delivers webhooks to the address again, once the receiver has accepted all, or after a minute. */
    endDiversion: () => dispatcher.endDiversion(),
    backdate: simulation.backdate,
    close: async () => {
      clearInterval(timer);
      dispatcher.close();
      saveState(options.stateFile, JSON.stringify(world.state));
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new RangeError('body too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function serve(
  simulation: Simulation,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let answer: Answer;
  try {
    const url = new URL(request.url ?? '/', 'http://simulator');
    const body = await readBody(request);
    if (url.pathname.startsWith('/v1/')) {
      answer = answerApi(simulation, request, url, body);
      if (simulation.latencyMs > 0) await setTimeout(simulation.latencyMs);
    } else if (url.pathname.startsWith('/_test/'))
      answer = await answerTestHook(simulation, request, url, body);
    else answer = await answerPage(simulation, request, url, body);
  } catch (error) {
    answer = {
      status: error instanceof RangeError ? 413 : 500,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ error: { type: 'api_error', message: (error as Error).message } }),
    };
  }
  if (answer.hangUp) return void response.destroy();
  response.writeHead(answer.status, answer.headers);
  response.end(answer.body);
}
