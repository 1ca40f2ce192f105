import { catchUpWithTime } from './billing.js';
import { changeOf, WebhookDispatcher } from './webhook-dispatcher.js';
import { forgetOldEvents } from './resources/webhooks.js';
import { loadState, saveState } from './state.js';
import { DAY_SECONDS, World } from './world.js';

export interface StripeSimulatorOptions {
  /** 0 or absent: any free port. */
  port?: number;
  /** Absent: this machine only. */
  host?: string;
  /** The file that keeps the state across restarts; absent: in memory only. */
  stateFile?: string;
  /** If absent, no webhooks are sent, and events are only listed. */
  webhookUrl?: string;
  webhookSecret: string;
  clock?: { now(): Date };
  /** Pause before a failed webhook is retried, doubled after each failure; 1 s by default. */
  webhookRetryMs?: number;
  /** How long a page or `advance` waits for the first answers to its webhooks; 10 s by default, as at Stripe. */
  webhookPatienceMs?: number;
}

export interface Answer {
  status: number;
  headers?: Record<string, string>;
  body: string | Buffer;
  /** Breaks the connection instead of answering. */
  hangUp?: true;
}

const HELD_MS = 25_000;
/** How long a move of the clock waits for the answered processes to ask again. */
const BACK_WITHIN_MS = 1_000;

/** Notifies other processes when the clock moves. Each sends the offset it knows, and is answered once that changes. */
class CalendarWatch {
  private readonly waiting = new Set<() => void>();
  private readonly listeners = new Set<() => void>();

  constructor(private readonly offsetSeconds: () => number) {}

  /** How many processes wait for the clock to move. */
  get followers(): number {
    return this.waiting.size;
  }

  /** Returns the offset: at once if it differs from `known`, otherwise when it changes or after a timeout. */
  async ask(known: number | undefined): Promise<number> {
    if (known !== this.offsetSeconds()) return this.offsetSeconds();
    const answered = changeOf(this.waiting, () => true, HELD_MS);
    for (const listener of this.listeners) listener();
    await answered;
    return this.offsetSeconds();
  }

  /** Answers all waiting processes. Resolves when they have asked again, which shows that they know the new offset. */
  async tell(): Promise<void> {
    const watchers = this.waiting.size;
    for (const answer of Array.from(this.waiting)) answer();
    if (watchers > 0) await changeOf(this.listeners, () => this.waiting.size >= watchers, BACK_WITHIN_MS);
  }
}

/** The state and services that all parts of the server share. */
export type Simulation = ReturnType<typeof simulate>;

/** Loads or creates a simulation. `base` returns the address of the simulator's pages. */
export function simulate(options: StripeSimulatorOptions, base: () => string) {
  const realNow = (): Date => options.clock?.now() ?? new Date();
  const state = loadState(options.stateFile);
  let saved = JSON.stringify(state);
  let changed = false;
  const dispatcher = new WebhookDispatcher(state, {
    webhookUrl: options.webhookUrl,
    webhookSecret: options.webhookSecret,
    realNow,
    retryBaseMs: options.webhookRetryMs ?? 1000,
    patienceMs: options.webhookPatienceMs ?? 10_000,
    // The next `change` saves the deliveries. A crash before it repeats some; receivers must expect that anyway.
    onChange: () => (changed = true),
  });
  const world = new World(state, realNow, base, (event) => dispatcher.enqueue(event));
  const store = (): void => {
    saved = JSON.stringify(state);
    changed = false;
    saveState(options.stateFile, saved);
  };
  /** Runs a change completely or not at all. Then stores the state and sends the webhooks. */
  const change = <Result>(work: () => Result, keepOnError?: (error: unknown) => boolean): Result => {
    if (changed) saved = JSON.stringify(state);
    try {
      const result = work();
      forgetOldEvents(world);
      store();
      dispatcher.pump();
      return result;
    } catch (error) {
      if (keepOnError?.(error)) {
        store();
        dispatcher.pump();
      } else {
        // Rolls back everything except the counts of failures that a test requested, so that each failure happens once.
        const { failNext, failTransfers, failRefunds, failChanges } = state;
        Object.assign(state, JSON.parse(saved));
        Object.assign(state, { failNext, failTransfers, failRefunds, failChanges });
      }
      throw error;
    }
  };
  const calendar = new CalendarWatch(() => state.clockOffsetSeconds);
  const advance = async (days: number): Promise<{ now: Date; happened: number }> => {
    const seconds = Math.round(days * DAY_SECONDS);
    const happened = change(() => {
      const count = catchUpWithTime(world, world.now() + seconds);
      state.clockOffsetSeconds += seconds;
      return count;
    });
    await calendar.tell();
    await dispatcher.firstAttempts();
    return { now: new Date(world.now() * 1000), happened };
  };
  /** Sets the clock back, for the demo's past. Does nothing if there are customers, so that a seeding can resume. */
  const backdate = (at: Date): void => {
    if (Object.keys(state.objects.customers).length > 0) return;
    change(() => (state.clockOffsetSeconds = Math.round((at.getTime() - realNow().getTime()) / 1_000)));
    void calendar.tell();
  };
  /** Runs everything that fell due since the last call. */
  const passTime = (): void => {
    if (catchUpWithTime(world, world.now()) > 0) store();
    dispatcher.pump();
  };
  return {
    world,
    dispatcher,
    calendar,
    change,
    passTime,
    advance,
    backdate,
    realNow,
    /** Delay of every API answer, in real time. The change itself has already happened. */
    latencyMs: 0,
  };
}
