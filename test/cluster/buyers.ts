import { randomUUID } from 'node:crypto';
import { Agent, request, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { HttpClient } from '../support/http-client.js';
import type { MailServer } from '../support/mail-server.js';

export interface Buyer {
  userId: string;
  token: string;
}

/** A purchase from the buyer's side, with the answer to each request. */
export interface Order {
  buyerId: string;
  sampleId: string;
  key: string;
  /** Status codes, or names of connection errors. */
  answers: string[];
  acknowledged: boolean;
  /** When it was (ms of `performance.now`). */
  acknowledgedAt?: number;
}

/** The observations of the buyers in one scenario. */
export interface Seen {
  orders: Order[];
  /** Times of acknowledgements (ms of `performance.now`) and of the first order. */
  acknowledgedAt: number[];
  beganAt: number;
  endedAt: number;
}

const PATIENCE_MS = 10_000;
const AGAIN_MS = 500;
/** A buyer gives up after this time without an answer. */
const LIMIT_MS = 90_000;

/** Buyers who order at a steady rate, regardless of earlier orders, and keep their own record. */
export class Buyers {
  readonly record: Order[] = [];
  private readonly agent = new Agent({ keepAlive: true });

  constructor(
    private readonly url: string,
    private readonly people: readonly Buyer[],
    private readonly sampleIds: readonly string[],
    private readonly perSecond: number,
  ) {}

  /** Buys while `work` runs. @returns the orders, once each has its final answer */
  async during(work: () => Promise<void>): Promise<Seen> {
    const seen: Seen = { orders: [], acknowledgedAt: [], beganAt: performance.now(), endedAt: 0 };
    const running: Promise<void>[] = [];
    const timer = setInterval(() => running.push(this.order(seen)), 1_000 / this.perSecond);
    try {
      await work();
    } finally {
      clearInterval(timer);
      seen.endedAt = performance.now();
      await Promise.all(running);
    }
    return seen;
  }

  private async order(seen: Seen): Promise<void> {
    const n = this.record.length;
    const buyer = this.people[n % this.people.length] as Buyer;
    // Each buyer buys each sample once.
    const sampleId = this.sampleIds[Math.floor(n / this.people.length)];
    if (!sampleId) throw new Error('everything is sold');
    const order: Order = {
      buyerId: buyer.userId,
      sampleId,
      key: randomUUID(),
      answers: [],
      acknowledged: false,
    };
    this.record.push(order);
    seen.orders.push(order);
    const until = performance.now() + LIMIT_MS;
    while (!order.acknowledged && performance.now() < until) {
      const answer = await this.ask(order, buyer);
      order.answers.push(answer);
      order.acknowledged = answer.startsWith('2');
      if (order.acknowledged) seen.acknowledgedAt.push((order.acknowledgedAt = performance.now()));
      else await pause(AGAIN_MS);
    }
  }

  private ask({ sampleId, key }: Order, { token }: Buyer): Promise<string> {
    return new Promise((resolve) => {
      const headers = {
        origin: this.url,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      };
      const asked = request(
        `${this.url}/api/downloads`,
        { method: 'POST', agent: this.agent, headers },
        (answer) => {
          answer.resume();
          answer.once('close', () => resolve(answer.complete ? named(answer) : 'cut off'));
        },
      );
      asked.setTimeout(PATIENCE_MS, () =>
        asked.destroy(Object.assign(new Error(), { code: 'no answer in time' })),
      );
      asked.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      asked.end(JSON.stringify({ sampleId, expectedCredits: 1 }));
    });
  }
}

/** Returns the status. A 503 must say when to retry. */
const named = ({ statusCode, headers }: IncomingMessage): string =>
  statusCode === 503 && !headers['retry-after'] ? '503 without Retry-After' : `${statusCode}`;

const MAIL_LIMIT_MS = 30_000;
const PASSWORD = 'a long pass phrase';

/** Signs up a user through the link in the mail that a worker sends. */
export async function signUpByMail(url: string, { mails }: MailServer): Promise<HttpClient> {
  const client = new HttpClient(url);
  const email = `${randomUUID()}@example.com`;
  await client.post('/api/auth/sign-up', { email, password: PASSWORD, displayName: 'Somebody' });
  const until = Date.now() + MAIL_LIMIT_MS;
  let mail: string | undefined;
  while (!(mail = mails.find((each) => each.includes(email)))) {
    if (Date.now() > until) throw new Error('no mail came');
    await pause(100);
  }
  const token = /verify=3D([\w-]+(?:=\n[\w-]+)*)/.exec(mail)?.[1]?.replaceAll('=\n', '');
  await client.post('/api/auth/verify-email', { token });
  const { body } = await client.post('/api/auth/sign-in', { email, password: PASSWORD });
  client.userId = body.user.id;
  return client;
}

/** Returns how often each answer occurred. */
export function counted(answers: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const answer of answers) counts[answer] = (counts[answer] ?? 0) + 1;
  return counts;
}
