import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createConnection, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { keepInFlight } from './measure.js';

interface Target {
  port: number;
  origin: string;
  /** Session tokens of buyers. */
  tokens: string[];
  /** The number of connections of each buyer. */
  connections: number;
}

interface Run {
  path: string;
  durationMs: number;
  /** Each client buys them in sequence; absent: the body is empty. */
  samples?: string[];
}

type Done = { done: number; latenciesMs: number[] };

/**
 * Starts clients in a separate process, so that they do not slow the server down. They write requests by hand,
 * because a real client library takes more processor time than the server.
 */
export async function startClients(target: Target): Promise<{ run(run: Run): Promise<Done>; end(): void }> {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(target)]);
  const ended = new Promise<never>((_, reject) => {
    child.once('exit', () => reject(new Error('the clients ended')));
  });
  ended.catch(() => {}); // Expected at the end.
  const answer = () =>
    Promise.race([
      ended,
      new Promise<Done>((resolve) => child.once('message', (done) => resolve(done as Done))),
    ]);
  await answer();
  return {
    run: (run) => {
      child.send(run);
      return answer();
    },
    end: () => void child.kill(),
  };
}

class Client {
  private readonly socket: Socket;
  private received = '';
  private answered?: (status: number) => void;

  /** @param bought how many samples this buyer has bought, shared by all connections of the buyer */
  constructor(
    private readonly target: Target,
    private readonly token: string,
    private readonly bought: { count: number },
  ) {
    this.socket = createConnection({ port: target.port, host: '127.0.0.1', noDelay: true });
    this.socket.setEncoding('latin1').on('data', (chunk: string) => this.read(chunk));
  }

  async post({ path, samples }: Run): Promise<void> {
    const sampleId = samples?.[this.bought.count % samples.length];
    if (sampleId) this.bought.count += 1;
    const body = sampleId ? JSON.stringify({ sampleId, expectedCredits: 1 }) : '{}';
    const status = await new Promise<number>((resolve) => {
      this.answered = resolve;
      this.socket.write(
        `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${this.target.port}\r\nOrigin: ${this.target.origin}\r\n` +
          `Authorization: Bearer ${this.token}\r\nIdempotency-Key: ${randomUUID()}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
    });
    if (status !== 201) throw new Error(`${path} answered ${status}`);
  }

  private read(chunk: string): void {
    this.received += chunk;
    const end = this.received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(this.received)?.[1]);
    if (Number.isNaN(length)) throw new Error(`an answer without its length: ${this.received.slice(0, end)}`);
    if (this.received.length < end + 4 + length) return;
    const status = Number(this.received.slice(9, 12));
    this.received = '';
    this.answered?.(status);
  }
}

/** The main function of the forked process. */
function serveRuns(target: Target): void {
  const clients = target.tokens.flatMap((token) => {
    const bought = { count: 0 };
    return Array.from({ length: target.connections }, () => new Client(target, token, bought));
  });
  process.on('message', (run: Run) => {
    const free = [...clients];
    void keepInFlight(clients.length, run.durationMs, async () => {
      const client = free.pop() as Client;
      await client.post(run);
      free.push(client);
    }).then((done) => process.send?.(done));
  });
  process.send?.({ done: 0, latenciesMs: [] });
}

const [, program, target] = process.argv;
if (process.send && program === fileURLToPath(import.meta.url))
  serveRuns(JSON.parse(target as string) as Target);
