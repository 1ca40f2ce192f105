/** Buyers and visitors of `bench/load.ts`, in a separate process. */
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { arrive, type Kind, type Rates } from './arrivals.js';

export interface ClientTask {
  /** Nodes without a load balancer. Each request goes to the next one. */
  urls: string[];
  origin: string;
  rates: Rates;
  durationMs: number;
  /** Buyers with enough credits for every sample. */
  buyers: { userId: string; token: string }[];
  sampleIds: string[];
  paths: string[];
  previews: string[];
  /** A creator's session, the address of a draft's samples, and a sound. */
  studio: { token: string; path: string; wavBase64: string };
}

/** A purchase as its buyer sees it. */
export interface Bought {
  buyerId: string;
  sampleId: string;
  /** Whether it was answered as done, at first or after a repetition. */
  acknowledged: boolean;
}
/** Outcomes since the last report. */
export interface Report {
  latenciesMs: Partial<Record<Kind, number[]>>;
  /** Counts by kind and status, or by the name of the network error. */
  outcomes: Record<string, number>;
}
export type ClientMessage = { report: Report } | { bought: Bought[] };

const REPORT_MS = 10_000;
const PATIENCE_MS = 10_000;
/** A buyer without an answer repeats the request with the same key, as the web client does. */
const REPEATS = 5;
const WORDS = ['tape', 'candle', 'dust', 's1', 's20', 'warm', 'felt', 'rhodes'];

const task = await new Promise<ClientTask>((resolve) => process.once('message', resolve as never));
const agent = new Agent({ keepAlive: true });
const bought: Bought[] = [];
const repeating: Promise<void>[] = [];
let report: Report = { latenciesMs: {}, outcomes: {} };
let turn = 0;

interface Asked {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: Buffer | string;
}

const ask = ({ method, path, headers, body }: Asked): Promise<string> =>
  new Promise((resolve) => {
    const address = `${task.urls[(turn += 1) % task.urls.length]}${path}`;
    const asked = request(
      address,
      { method, agent, headers: { origin: task.origin, ...headers } },
      (answer) => {
        answer.resume();
        answer.once('close', () => resolve(answer.complete ? `${answer.statusCode}` : 'cut off'));
      },
    );
    asked.setTimeout(PATIENCE_MS, () =>
      asked.destroy(Object.assign(new Error(), { code: 'no answer in time' })),
    );
    asked.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    asked.end(body);
  });

const json = (token: string | undefined, body: object, more: Record<string, string> = {}) => ({
  headers: {
    'content-type': 'application/json',
    ...(token && { authorization: `Bearer ${token}` }),
    ...more,
  },
  body: JSON.stringify(body),
});
const get = (path: string, headers = {}) => ask({ method: 'GET', path, headers });
const any = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)] as Item;

let orders = 0;
/** Buys a sample. Each buyer buys each sample once. */
async function purchase(): Promise<string> {
  const n = (orders += 1);
  const buyer = task.buyers[n % task.buyers.length] as ClientTask['buyers'][number];
  const sampleId = task.sampleIds[Math.floor(n / task.buyers.length) % task.sampleIds.length] as string;
  const mine = { buyerId: buyer.userId, sampleId, acknowledged: false };
  bought.push(mine);
  const key = randomUUID();
  const order = json(buyer.token, { sampleId, expectedCredits: 1 }, { 'idempotency-key': key });
  const first = await ask({ method: 'POST', path: '/api/downloads', ...order });
  repeating.push(repeat(first, mine, order));
  return first;
}

async function repeat(first: string, mine: Bought, order: ReturnType<typeof json>): Promise<void> {
  let status = first;
  for (let n = 0; n < REPEATS && !/^[24]/.test(status); n += 1) {
    await pause(1_000);
    status = await ask({ method: 'POST', path: '/api/downloads', ...order });
    note('purchase, again', status);
  }
  mine.acknowledged = status.startsWith('2');
}

async function upload(): Promise<string> {
  const form = new FormData();
  form.append('meta', '{}');
  const wav = Buffer.from(task.studio.wavBase64, 'base64');
  form.append('audio', new Blob([new Uint8Array(wav)]), `${randomUUID()}.wav`);
  const packed = new Response(form);
  return ask({
    method: 'POST',
    path: task.studio.path,
    headers: {
      authorization: `Bearer ${task.studio.token}`,
      'content-type': packed.headers.get('content-type') as string,
    },
    body: Buffer.from(await packed.arrayBuffer()),
  });
}

const WORK: Record<Kind, () => Promise<string>> = {
  purchase,
  search: () => get(`/api/samples?q=${any(WORDS)}`),
  page: () => get(any(task.paths)),
  preview: () => get(any(task.previews), { range: 'bytes=0-32767' }),
  'sign-up': () =>
    ask({
      method: 'POST',
      path: '/api/auth/sign-up',
      ...json(undefined, {
        email: `${randomUUID()}@example.com`,
        password: 'a fine pass phrase',
        displayName: 'Somebody',
      }),
    }),
  upload,
};

function note(what: string, status: string): void {
  const name = `${what} ${status}`;
  report.outcomes[name] = (report.outcomes[name] ?? 0) + 1;
}

/** Sends a message and resolves when it is sent. Unsent messages would be lost when the channel closes. */
const tell = (message: ClientMessage): Promise<unknown> =>
  new Promise((resolve) => process.send?.(message, resolve));
function tellReport(): Promise<unknown> {
  const told = tell({ report });
  report = { latenciesMs: {}, outcomes: {} };
  return told;
}

const timer = setInterval(() => void tellReport(), REPORT_MS);
await arrive(task.rates, task.durationMs, async (kind, plannedAt) => {
  const status = await WORK[kind]();
  (report.latenciesMs[kind] ??= []).push(performance.now() - plannedAt);
  note(kind, status);
});
await Promise.all(repeating);
clearInterval(timer);
await tellReport();
await tell({ bought });
process.disconnect?.();
