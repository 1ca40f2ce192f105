import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { PasswordHasher } from '../../../application/accounts/passwords.js';
import { CAPACITY, Lane } from '../../../application/shared/lanes.js';
import type { HashAnswer, HashJob } from './hash-thread.js';

const TIME_LIMIT_MS = 30_000;
/** 19 MiB, two passes, one lane: the minimum that OWASP recommends for argon2id. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
// Compared if no account exists, so that the answer takes as long as for an account. No password matches this hash.
const [salt, nothing] = [16, 32].map((bytes) => Buffer.alloc(bytes).toString('base64').replaceAll('=', ''));
const DECOY = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$${salt}$${nothing}`;

/**
 * Hashes passwords in threads of its own, started on demand. One hash occupies a processor for long, and Node's own
 * thread pool is needed to serve files. The threads have a lower priority than those that answer requests.
 */
export class Argon2PasswordHasher implements PasswordHasher {
  private readonly lane = new Lane({ work: 'passwords', ...CAPACITY.passwords });
  private readonly threads = new Set<Worker>();
  private readonly idle = new Set<Worker>();

  async hash(password: string): Promise<string> {
    return (await this.run({ password: password.normalize('NFKC'), cost: COST })) as string;
  }

  async verify(password: string, stored: string | null): Promise<boolean> {
    const matches = await this.run({ password: password.normalize('NFKC'), stored: stored ?? DECOY });
    return matches === true && stored !== null;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(Array.from(this.threads, (thread) => thread.terminate()));
  }

  /** @throws TooBusy */
  private run(job: HashJob): Promise<string | boolean> {
    return this.lane.run(async () => {
      const [thread = this.start()] = this.idle;
      this.idle.delete(thread);
      const answer = await ask(thread, job);
      if (this.threads.has(thread)) this.idle.add(thread);
      if (answer.type === 'failed') throw new Error(`a password was not hashed: ${answer.message}`);
      return answer.value;
    });
  }

  private start(): Worker {
    const entry = import.meta.url.endsWith('.js') ? './hash-thread.js' : './hash-thread.ts';
    // Hashing needs neither the environment nor the arguments of the application.
    const thread = new Worker(new URL(entry, import.meta.url), { env: {}, execArgv: [] });
    // A failing thread also exits. Without this listener, its error would end the process.
    thread.on('error', () => undefined);
    thread.once('exit', () => {
      this.threads.delete(thread);
      this.idle.delete(thread);
    });
    this.threads.add(thread);
    return thread;
  }
}

async function ask(thread: Worker, job: HashJob): Promise<HashAnswer> {
  const over = new AbortController();
  const timer = setTimeout(() => void thread.terminate(), TIME_LIMIT_MS);
  // Only a busy thread keeps the process alive; an idle thread is unreferenced.
  thread.ref();
  try {
    const answered = once(thread, 'message', { signal: over.signal });
    const ended = once(thread, 'exit', { signal: over.signal }).then(() => {
      throw new Error('the thread that hashes passwords ended');
    });
    thread.postMessage(job);
    const [answer] = (await Promise.race([answered, ended])) as [HashAnswer];
    return answer;
  } finally {
    over.abort();
    clearTimeout(timer);
    thread.unref();
  }
}
